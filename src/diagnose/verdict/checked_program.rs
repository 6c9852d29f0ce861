//! A program as verdicts need it: its code and functions, read once for all profiles of a sum.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::images::part_of;
use super::{Verdict, verdict_on};
use crate::model::Profile;
use crate::symbols::{
    Code, Executable, ExecutableError, FunctionCode, Granularity, NamesFrom, Program,
    SymbolOptions, SymbolTable, read_program,
};

/// A program that profiles are checked against.
pub struct CheckedProgram<'a> {
    executable: &'a Executable,
    /// As it was read.
    pub program: &'a Program,
    pub(super) code: Code<'a>,
    /// Functions of the program, or of the same program read again by function, if it has names.
    functions: Option<Arc<SymbolTable>>,
    /// The code of each function, decoded on demand.
    pub(super) decoded: Box<[OnceLock<FunctionCode>]>,
}

impl<'a> CheckedProgram<'a> {
    /// # Errors
    /// If the executable is damaged.
    pub fn new(executable: &'a Executable, program: &'a Program) -> Result<Self, ExecutableError> {
        let mut code = Code::new(executable)?;
        let is_by_function =
            program.table.granularity() == Granularity::Functions && program.file_map.is_none();
        let functions = match program.names_from {
            NamesFrom::SymbolTable if is_by_function => Some(Arc::clone(&program.table)),
            NamesFrom::SymbolTable => {
                let own = read_program(executable, &SymbolOptions::default())?;
                let has_names = own.names_from == NamesFrom::SymbolTable;
                has_names.then_some(own.table)
            }
            NamesFrom::DynamicSymbols | NamesFrom::Nothing => None,
        };
        let mut decoded = Vec::new();
        if let Some(functions) = &functions {
            code.find_mcount(functions);
            decoded.resize_with(functions.symbols().len(), OnceLock::new);
        }
        Ok(Self { executable, program, code, functions, decoded: decoded.into() })
    }

    pub(super) fn functions(&self) -> Option<&SymbolTable> {
        self.functions.as_deref()
    }

    /// Determines whether the program wrote a profile of sampled time and counted calls.
    pub fn verdict(&self, profile: &Profile) -> Verdict {
        verdict_on(profile, self, None)
    }

    /// The verdicts on the images of the program that have calls or ticks, with their paths. A
    /// single image has one in any case.
    ///
    /// # Errors
    /// If the executable is damaged.
    pub fn verdicts(&self, profile: &Profile) -> Result<Vec<(&'a Path, Verdict)>, ExecutableError> {
        let mut found = Vec::new();
        if self.executable.images().len() > 1 {
            for image in self.executable.images() {
                let code = image.code_ranges()?;
                if let Some(part) = part_of(profile, &code) {
                    found.push((image.path(), verdict_on(&part, self, Some(&code))));
                }
            }
        }
        if found.is_empty() {
            found.push((self.executable.path(), self.verdict(profile)));
        }
        Ok(found)
    }
}
