//! Executables with their symbols, for the runs of a program.

use anyhow::Result;

use super::inputs;
use super::objects::symbol_files::{self, Symbols};
use super::run_costs::RunReader;
use crate::cli::Plan;
use crate::load::OpenFile;
use crate::report::Input;
use crate::symbols::Executable;

/// A program and its libraries.
pub(super) struct ProgramSet {
    executables: Vec<Executable>,
    symbols: Symbols,
    is_usual: bool,
}

impl ProgramSet {
    /// Opens executables, or else the one of the usual name, and reads their symbols.
    ///
    /// # Errors
    /// When there are two programs, or one cannot be used.
    pub(super) fn of(files: Vec<OpenFile>, plan: &Plan) -> Result<Self> {
        let (executables, is_usual) = inputs::open_executables(files, plan)?;
        let symbols = symbol_files::read(&executables, plan)?;
        Ok(Self {
            executables,
            symbols,
            is_usual,
        })
    }

    /// What a report says of them.
    pub(super) fn inputs(&self) -> Vec<Input> {
        let programs = self.executables.iter().zip(&self.symbols.programs);
        let described = programs.map(|(one, program)| inputs::of_executable(one, program));
        described.collect()
    }

    /// What reads their runs.
    pub(super) fn reader(&self, plan: &Plan) -> RunReader<'_> {
        let programs = self.executables.iter().zip(&self.symbols.programs);
        let external = self.symbols.external.as_ref();
        RunReader::new(plan, programs.collect(), self.is_usual, external)
    }
}
