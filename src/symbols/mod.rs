//! Addresses to names: the executable, its symbols, and where its code lies.
//!
//! This room never prints and never counts.

mod code;
mod complete_rules;
mod debug_file;
mod debug_info;
mod demangle;
mod executable;
mod external_table;
mod file_map;
mod files;
mod functions;
mod image;
mod inline_symbols;
mod inlines;
mod instruments;
mod library;
mod line_pieces;
mod linkage;
mod load_address;
mod named_contexts;
mod objects;
mod raw;
mod starts;
mod static_calls;
mod strings;
mod stubs;
mod symbol_refs;
mod table;
mod unwind_entries;

use std::ops::Range;
use std::path::PathBuf;

pub use code::{CallTarget, Code, CodeBounds, MAX_PROLOGUE};
pub use debug_file::{Mismatch, Refusal};
pub use demangle::{Demangler, Languages, Style, demangle};
pub use executable::{Executable, ExecutableError};
pub use file_map::FileMap;
pub use files::{FileId, SourceFiles};
pub use inlines::{InlineId, InlinedFunction, Inlines};
pub use instruments::Instruments;
pub use library::{Library, library_of};
pub use line_pieces::{LinePieces, LineRun};
pub use linkage::{Linkage, System};
pub use load_address::{
    LoadEvidence, LoadOffset, RecordedAddresses, find_load_offset, load_offsets,
};
pub use named_contexts::{ContextNames, NamedContexts};
pub use objects::{Placed, place};
pub use static_calls::{StaticCall, StaticCallError, static_calls};
pub use table::{Granularity, SourceLine, Symbol, SymbolId, SymbolTable};

use crate::model::{Address, CutNames, Encoding};
use crate::progress::{Progress, Stage};
use debug_info::CodeIndex;
use inline_symbols::inline_table;

/// What other rules for the making of a table build on.
pub(crate) use debug_info::{DebugBytes, DebugPart, DebugSections, Note, Notes};
pub(crate) use external_table::TableRules;
pub(crate) use files::{FileNames, MAX_PATH};
pub(crate) use image::{Image, NamedTable, read_program_with};
pub(crate) use raw::{Binding, RawSymbol, SymbolLocation, Type, symbols as raw_symbols};
pub(crate) use symbol_refs::own_symbol_refs;
pub(crate) use table::{SymbolCandidate, SymbolRank, at_places, one_per_address};

/// What it takes to look for calls in machine code in another way.
pub(crate) mod machine_code {
    pub(crate) use super::code::{
        CallTarget, Chunk, CodeFlow, CodeMachine, aarch64, chunks, code_of,
    };
    pub(crate) use super::static_calls::starting_at;
}

/// How to make the table.
#[derive(Clone, Debug, Default)]
pub struct SymbolOptions {
    /// Leave local functions out; what is theirs falls to the function before them.
    pub skips_static: bool,
    /// Leave local symbols without a type out.
    pub skips_untyped: bool,
    /// Look up where symbols stand in the source.
    pub wants_sources: bool,
    /// Look up the lines of all code too.
    pub wants_lines: bool,
    /// What has a symbol of its own. Lines want sources.
    pub granularity: Granularity,
    /// Take the symbols from this file instead, see `external_table`.
    pub external: Option<PathBuf>,
    /// Let symbols stand for whole object files, by the map in this file.
    pub file_map: Option<PathBuf>,
    /// Folders to look for a separate debug file in, beside the usual ones.
    pub debug_dirs: Vec<PathBuf>,
    /// Where it is told how far reading is.
    pub progress: Progress,
}

impl SymbolOptions {
    pub(crate) fn is_by_line(&self) -> bool {
        self.granularity == Granularity::Lines
    }

    pub(crate) fn needs_debug_info(&self) -> bool {
        self.wants_sources || self.wants_lines || self.granularity != Granularity::Functions
    }
}

/// Where the names of a table came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NamesFrom {
    /// A symbol table, that of the executable or of its debug file.
    SymbolTable,
    /// What a stripped executable keeps for dynamic linking.
    DynamicSymbols,
    /// Neither has one: all there is are addresses.
    #[default]
    Nothing,
}

/// What an executable says about its code.
#[derive(Debug)]
pub struct Program {
    pub table: SymbolTable,
    /// The lines of its code, where they were asked for, in address order and apart.
    pub lines: Box<[LineRun]>,
    pub names_from: NamesFrom,
    /// What could not be used of its debugging information.
    pub notes: Vec<String>,
    /// Names of symbols that are not whole.
    pub cut_names: Option<CutNames>,
    /// Some or all of its debugging information was passed over because it takes more
    /// memory than its size can justify.
    pub is_too_large: bool,
    /// The separate file that this came from.
    pub debug_file: Option<PathBuf>,
    /// The map of its object files, where one was asked for.
    pub file_map: Option<FileMap>,
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
    /// What is loaded beside it, and for which system it is.
    pub linkage: Linkage,
    /// It calls the hook that `-pg` plants; `None` when it has no names to tell.
    pub calls_mcount: Option<bool>,
}

/// Reads the symbols of an executable, and those of its debug file where it has
/// none itself.
///
/// # Errors
/// When it is damaged.
pub fn read_program(
    executable: &Executable,
    options: &SymbolOptions,
) -> Result<Program, ExecutableError> {
    options.progress.begin(Stage::Symbols, None);
    let wants_names_from_debug_file = true;
    let name = |image: &Image<'_>| match image.external_symbols(options, TableRules::Checked)? {
        Some(chosen) => Ok(external(image, chosen)),
        None => Ok(named(image, options)),
    };
    read_program_with(executable, options, wants_names_from_debug_file, name)
}

/// The symbols that a file of their own lists, where there is no executable to say
/// where its code lies; `None` where no such file is asked for.
///
/// # Errors
/// When it cannot be read or lists no function.
pub fn read_external_table(
    options: &SymbolOptions,
) -> Result<Option<SymbolTable>, ExecutableError> {
    let Some(path) = &options.external else {
        return Ok(None);
    };
    let table = external_table::read(path, TableRules::Checked)?;
    let everywhere = Address(0)..table.end.unwrap_or(Address(u64::MAX));
    let symbols = functions::symbols_of(table.functions, &[everywhere], false);
    let files = SourceFiles::default();
    Ok(Some(SymbolTable::new(
        symbols,
        files,
        Granularity::Functions,
    )))
}

/// The names that a file of their own lists. It has no lines, and sizes neither.
fn external(image: &Image<'_>, chosen: Vec<SymbolCandidate>) -> NamedTable {
    let symbols = functions::symbols_of(chosen, image.code, false);
    NamedTable {
        table: SymbolTable::new(symbols, SourceFiles::default(), Granularity::Functions),
        names_from: NamesFrom::SymbolTable,
        ..NamedTable::default()
    }
}

/// The names of the executable; else those of its debug file; else those that it
/// keeps for dynamic linking.
fn named(image: &Image<'_>, options: &SymbolOptions) -> NamedTable {
    let own = (image.object, NamesFrom::SymbolTable);
    let separate = image
        .debug_object
        .map(|debug| (debug, NamesFrom::SymbolTable));
    let dynamic = (image.object, NamesFrom::DynamicSymbols);
    let tables = [Some(own), separate, Some(dynamic)];
    for (object, names_from) in tables.into_iter().flatten() {
        let read = match names_from {
            NamesFrom::DynamicSymbols => raw::dynamic_symbols(object),
            _ => raw::symbols(object),
        };
        let mut chosen = complete_rules::choose(&read.symbols, options);
        if !chosen.is_empty() {
            if let Some(map) = image.file_map {
                map.fold(&mut chosen);
            }
            add_unnamed(&mut chosen, image, options);
            return NamedTable {
                names_from,
                cut_names: read.cut,
                ..table_of(chosen, image, options)
            };
        }
    }
    let mut unnamed = Vec::new();
    add_unnamed(&mut unnamed, image, options);
    table_of(unnamed, image, options)
}

/// Adds what has no name of its own: stubs, and functions whose names were stripped.
fn add_unnamed(chosen: &mut Vec<SymbolCandidate>, image: &Image<'_>, options: &SymbolOptions) {
    stubs::rename(chosen);
    let stubs = stubs::find(image.object, chosen);
    if !options.skips_static {
        chosen.extend(unwind_entries::unnamed(image.object, chosen, &stubs));
    }
    chosen.extend(stubs.candidates);
}

/// The table of chosen symbols, the lines of code, and what could not be used of the
/// debugging information on the way, which is not looked at unless it is asked for.
fn table_of(
    mut chosen: Vec<SymbolCandidate>,
    image: &Image<'_>,
    options: &SymbolOptions,
) -> NamedTable {
    let functions = |chosen| {
        let trusts_sizes = !options.skips_static;
        functions::symbols_of(chosen, image.code, trusts_sizes)
    };
    let granularity = options.granularity;
    if !options.needs_debug_info() {
        let table = SymbolTable::new(functions(chosen), SourceFiles::default(), granularity);
        return NamedTable {
            table,
            ..NamedTable::default()
        };
    }
    let source = debug_info::Source::new(image.sections, image.code);
    let mut index = CodeIndex::new(&source, options.progress);
    let lines = index.locate(chosen.iter().map(|candidate| candidate.address));
    for (candidate, line) in chosen.iter_mut().zip(lines) {
        candidate.source = line;
    }
    let functions = functions(chosen);
    let by_function = granularity == Granularity::Functions;
    let lines = if options.wants_lines || !by_function {
        index.lines(image.code)
    } else {
        Vec::new()
    };
    let code_ranges = if by_function {
        Vec::new()
    } else {
        index.code_ranges(image.code, &lines)
    };
    let met = index.finish();
    let (code_ranges, chains) = (&code_ranges, &met.inlined);
    let table = match granularity {
        Granularity::Functions => SymbolTable::new(functions, met.files, granularity),
        Granularity::Lines => functions::line_table(functions, code_ranges, chains, met.files),
        Granularity::Inlines => inline_table(functions, code_ranges, chains, met.files),
    };
    NamedTable {
        table,
        lines: lines.into(),
        notes: met.notes,
        is_too_large: met.is_too_large,
        ..NamedTable::default()
    }
}
