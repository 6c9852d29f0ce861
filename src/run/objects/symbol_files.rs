//! Reads the symbols of executables, and symbol files that options name.

use std::borrow::Cow;
use std::sync::Arc;

use anyhow::Result;

use crate::diagnose::{RunError, UnusableMap, with_option};
use crate::symbols::{
    Executable, Program, SymbolOptions, SymbolTable, library_of, read_external_table, read_program,
};

/// The symbols of a command line.
pub(in crate::run) struct Symbols {
    /// For each executable.
    pub(in crate::run) programs: Vec<Program>,
    /// The table of -S, without an executable.
    pub(in crate::run) external: Option<Arc<SymbolTable>>,
}

/// Reads the symbols of executables, or of -S.
///
/// # Errors
/// If an executable, or the file of -R or -S, cannot be used.
pub(in crate::run) fn read(given: &[Executable], symbols: &SymbolOptions) -> Result<Symbols> {
    if given.is_empty() {
        if let Some(path) = &symbols.file_map {
            return Err(RunError::unusable_map(path, UnusableMap::WithoutProgram).into());
        }
        let external = read_external_table(symbols);
        return Ok(Symbols {
            programs: Vec::new(),
            external: external.map_err(|error| with_option(error, symbols))?.map(Arc::new),
        });
    }
    let programs = given.iter().map(|executable| {
        let options = options_of(executable, given, symbols);
        read_one(executable, &options, symbols)
    });
    Ok(Symbols { programs: programs.collect::<Result<_>>()?, external: None })
}

/// Options for an executable: symbol and map files belong to the program, not to libraries.
fn options_of<'p>(
    executable: &Executable,
    given: &[Executable],
    symbols: &'p SymbolOptions,
) -> Cow<'p, SymbolOptions> {
    let is_beside_program = given.len() > 1 && library_of(executable).is_some();
    if !is_beside_program {
        return Cow::Borrowed(symbols);
    }
    Cow::Owned(SymbolOptions { external: None, file_map: None, ..symbols.clone() })
}

fn read_one(
    executable: &Executable,
    options: &SymbolOptions,
    symbols: &SymbolOptions,
) -> Result<Program> {
    let program = read_program(executable, options);
    let program = program.map_err(|error| with_option(error, symbols))?;
    let lists_any = program.file_map.as_ref().is_none_or(|map| {
        let mut names = program.table.symbols().iter().map(|symbol| &*symbol.name);
        names.any(|name| map.has_file(name))
    });
    match options.file_map.as_deref().filter(|_| !lists_any) {
        None => Ok(program),
        Some(path) => Err(RunError::unusable_map(path, UnusableMap::OfOtherProgram).into()),
    }
}
