//! Addresses to names: the executable, its symbols, and where its code lies.
//!
//! This room never prints and never counts.

mod complete_rules;
mod demangle;
mod executable;
mod files;
mod functions;
mod gprof_rules;
mod local_names;
mod raw;
mod table;

use std::ops::Range;

pub use demangle::{Style, demangle};
pub use executable::{Executable, ExecutableError};
pub use files::{FileId, SourceFiles};
pub use table::{SourceLine, Symbol, SymbolId, SymbolTable};

use crate::model::{Address, Encoding};
use raw::RawSymbol;

/// Which symbols count as functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolRules {
    /// All code, see [`complete_rules`].
    Complete,
    /// What gprof 2.40 takes, see [`gprof_rules`].
    Gprof,
}

/// How to make the table.
#[derive(Clone, Copy, Debug)]
pub struct SymbolOptions {
    /// Which symbols count.
    pub rules: SymbolRules,
    /// Leave local functions out; what is theirs falls to the function before them.
    pub skips_static: bool,
    /// Leave local symbols without a type out.
    pub skips_untyped: bool,
}

/// Where the names of a table came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamesFrom {
    /// The executable's own symbol table.
    Executable,
    /// What a stripped executable keeps for dynamic linking.
    DynamicSymbols,
    /// Nowhere.
    Nothing,
}

/// A debug file that was not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The file.
    pub path: String,
    /// Why not.
    pub reason: String,
}

/// What an executable says about its code.
#[derive(Debug)]
pub struct Program {
    /// Its functions.
    pub table: SymbolTable,
    /// Where the names came from.
    pub names_from: NamesFrom,
    /// The address ranges of its code, in order and apart.
    pub code: Vec<Range<Address>>,
    /// How it stores words.
    pub encoding: Encoding,
    /// The lowest address that the linker gave to anything of it.
    pub link_base: Address,
    /// Debug files that were found, but are not of this build.
    pub refused: Vec<Refusal>,
    /// It is for Windows, where `long` has four bytes.
    pub is_windows: bool,
    /// It calls the hook that `-pg` plants; `None` when it has no names to tell.
    pub calls_profiling_hook: Option<bool>,
}

/// Reads the symbols of an executable.
///
/// # Errors
/// When it is damaged; and by gprof's rules, when it has no `.text` or no symbols.
pub fn read_program(
    executable: &Executable,
    options: &SymbolOptions,
) -> Result<Program, ExecutableError> {
    let object = executable.parse()?;
    let code = executable::code_ranges(&object);
    let (table, names_from) = match options.rules {
        SymbolRules::Complete => complete(&object, &code, options),
        SymbolRules::Gprof => (
            gprof(executable, &object, options)?,
            NamesFrom::Executable,
        ),
    };
    Ok(Program {
        table,
        names_from,
        code,
        encoding: executable::encoding_of(&object),
        link_base: executable::link_base(&object),
        refused: Vec::new(),
        is_windows: executable::is_windows(&object),
        calls_profiling_hook: executable::calls_profiling_hook(&object),
    })
}

fn complete(
    object: &object::File<'_>,
    code: &[Range<Address>],
    options: &SymbolOptions,
) -> (SymbolTable, NamesFrom) {
    let table_of = |symbols: &[RawSymbol<'_>]| {
        let chosen = complete_rules::choose(symbols, options);
        functions::complete_table(chosen, code, !options.skips_static)
    };
    let own = table_of(&raw::symbols(object));
    if !own.symbols().is_empty() {
        return (own, NamesFrom::Executable);
    }
    let dynamic = table_of(&raw::dynamic_symbols(object));
    if !dynamic.symbols().is_empty() {
        return (dynamic, NamesFrom::DynamicSymbols);
    }
    (dynamic, NamesFrom::Nothing)
}

fn gprof(
    executable: &Executable,
    object: &object::File<'_>,
    options: &SymbolOptions,
) -> Result<SymbolTable, ExecutableError> {
    let path = || executable.path().to_owned();
    let text = executable::text_range(object)
        .ok_or_else(|| ExecutableError::NoText { path: path() })?;
    let symbols = raw::symbols(object);
    let target = gprof_rules::Target {
        underscore: executable::leading_underscore(object),
        is_coff: executable::is_windows(object),
    };
    let chosen = gprof_rules::choose(&symbols, &target, options);
    if chosen.is_empty() {
        return Err(ExecutableError::NoSymbols { path: path() });
    }
    Ok(functions::gprof_table(chosen, &text))
}
