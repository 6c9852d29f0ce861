//! Resolves addresses to names: the executable, its symbols, and the location of its code.
//!
//! No output, and no counting.

mod coarse_callers;
mod code;
mod complete_rules;
mod counters;
mod debug_file;
mod debug_info;
mod demangle;
mod descriptors;
mod executable;
mod external_table;
mod file_map;
mod files;
mod functions;
mod image;
mod images;
mod inline_symbols;
mod inlines;
mod instruments;
mod joined_tables;
mod library;
mod line_pieces;
mod linkage;
mod load_address;
mod named_contexts;
mod objects;
mod overlays;
mod raw;
mod sampled;
mod site_calls;
mod starts;
mod static_calls;
mod strings;
mod stubs;
mod symbol;
mod symbol_refs;
mod table;
mod tail_calls;
mod unsupported;
mod unwind_entries;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

pub use coarse_callers::{CoarseCallers, coarse_callers};
pub use code::{CallTarget, Code, CodeBounds, FunctionCode, PROLOGUE_SIZE};
pub use debug_file::{Mismatch, Refusal};
pub use debug_info::MissingSplit;
pub use demangle::{Demangler, Style, demangle};
pub use executable::{Executable, ExecutableError};
pub use file_map::FileMap;
pub use files::{FileId, SourceFiles, last_component};
pub use images::shared_address;
pub use inlines::{InlineId, InlinedCall, InlinedFunction, Inlines};
pub use instruments::Instruments;
pub use library::{Library, library_of};
pub use line_pieces::{LinePieces, LineRun};
pub use linkage::{CountingLibrary, Linkage, System};
pub use load_address::{
    LoadEvidence, LoadOffset, RecordedAddresses, find_load_offset, load_offsets,
};
pub use named_contexts::{ContextKeys, ContextPlace, NamedContexts};
pub use objects::{Placed, place};
pub use overlays::{Overlay, overlays};
pub use sampled::SampledCode;
pub use site_calls::{SiteCalls, SiteFinding};
pub use static_calls::{StaticCall, StaticCallError, static_calls};
pub use symbol::{Granularity, SourceLine, Symbol, SymbolId};
pub use table::SymbolTable;
pub use tail_calls::{TailCall, place_of_jump, tail_calls};

use crate::model::{Address, Encoding, NameCut};
use crate::progress::{Progress, Stage};
use debug_info::CodeIndex;
use inline_symbols::inline_table;

pub(crate) use debug_info::{DebugBytes, DebugPart, DebugSections, Note, Notes};
/// For other rules of symbol tables.
pub(crate) use descriptors::FunctionDescriptors;
pub(crate) use external_table::TableRules;
pub(crate) use files::InternedFiles;
pub(crate) use image::{Image, NamedTable, read_program_with};
pub(crate) use raw::{Binding, RawSymbol, SymbolLocation, Type, symbols as raw_symbols};
pub(crate) use symbol_refs::own_symbol_refs;
pub(crate) use table::{SymbolCandidate, SymbolRank, at_places, one_per_address};

/// For other searches of calls.
pub(crate) mod machine_code {
    pub(crate) use super::code::{
        CallTarget, Chunk, CodeFlow, CodeMachine, aarch64, chunks, code_of,
    };
    pub(crate) use super::static_calls::starting_at;
}

/// How to build a symbol table.
#[derive(Clone, Debug, Default)]
pub struct SymbolOptions {
    /// Omit local functions; the preceding function gets their time.
    pub skips_static: bool,
    /// Omit local symbols without a type.
    pub skips_untyped: bool,
    /// Look up the source location of symbols.
    pub wants_sources: bool,
    /// Look up the lines of all code too.
    pub wants_lines: bool,
    /// The kind of code that a symbol denotes. Lines need sources.
    pub granularity: Granularity,
    /// Read symbols from this file, see `external_table`.
    pub external: Option<PathBuf>,
    /// Let symbols denote object files, by the map in this file.
    pub file_map: Option<PathBuf>,
    /// Debug information of code with samples is read first, in case not all of it can be.
    pub sampled: Arc<SampledCode>,
    /// Additional directories of debug files.
    pub debug_dirs: Vec<PathBuf>,
    /// Receives the progress of reading.
    pub progress: Progress,
}

impl SymbolOptions {
    /// The same for functions alone.
    pub fn without_lines(&self) -> Self {
        Self {
            wants_sources: false,
            wants_lines: false,
            granularity: Granularity::Functions,
            ..self.clone()
        }
    }

    pub(crate) fn is_by_line(&self) -> bool {
        self.granularity == Granularity::Lines
    }

    /// Whether all code is looked up, not only functions.
    pub fn needs_lines(&self) -> bool {
        self.wants_lines || self.granularity != Granularity::Functions
    }

    pub(crate) fn needs_debug_info(&self) -> bool {
        self.wants_sources || self.needs_lines()
    }
}

/// The origin of a table's names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NamesFrom {
    /// The symbol table of the executable or its debug file.
    SymbolTable,
    /// The dynamic symbols of a stripped executable.
    DynamicSymbols,
    /// No names: only addresses.
    #[default]
    Nothing,
}

/// The contents of an executable.
#[derive(Debug)]
pub struct Program {
    /// Shared with the reports on it.
    pub table: Arc<SymbolTable>,
    /// Source lines of its code if requested, by address and disjoint.
    pub lines: Box<[LineRun]>,
    pub names_from: NamesFrom,
    /// Notes on unusable debug information.
    pub notes: Vec<String>,
    /// Names that were cut.
    pub cut_names: Option<NameCut>,
    /// Some debug information was skipped because of the memory limit.
    pub is_too_large: bool,
    /// The samples of the code whose debug information was skipped, in percent, if known.
    pub percent_skipped: Option<u64>,
    /// Functions of these units were needed, and are in files that are missing.
    pub missing_split: Option<MissingSplit>,
    /// The debug file, if used.
    pub debug_file: Option<PathBuf>,
    /// The map of object files, if requested.
    pub file_map: Option<FileMap>,
    /// Address ranges of code, ascending and disjoint.
    pub code: Vec<Range<Address>>,
    /// Word size and byte order.
    pub encoding: Encoding,
    /// Lowest linked address.
    pub link_base: Address,
    /// Debug files of other builds.
    pub refused: Vec<Refusal>,
    /// It can only be loaded at the addresses it is linked for.
    pub is_fixed: bool,
    /// For Windows, where `long` has four bytes.
    pub is_windows: bool,
    /// Its libraries and its system.
    pub linkage: Linkage,
    /// Calls mcount; `None` without a symbol table.
    pub calls_mcount: Option<bool>,
}

/// Reads the symbols of an executable, or of its debug file if the executable has none.
///
/// # Errors
/// If it is damaged.
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
    let programs = executable.images().iter().map(|image| {
        let program = read_program_with(image, options, wants_names_from_debug_file, name)?;
        Ok((image.path(), program))
    });
    Ok(images::join(programs.collect::<Result<_, ExecutableError>>()?))
}

/// The code inlined into some functions of an executable, given in address order: a table of
/// these functions and their inlined code. It skips other functions, so it takes little time
/// compared with a table of all.
///
/// # Errors
/// When the executable is damaged.
pub fn read_inlined(
    executable: &Executable,
    options: &SymbolOptions,
    mut functions: Vec<Symbol>,
) -> Result<SymbolTable, ExecutableError> {
    let options = SymbolOptions {
        granularity: Granularity::Inlines,
        external: None,
        file_map: None,
        ..options.clone()
    };
    let code: Vec<_> = functions.iter().map(|one| one.range.clone()).collect();
    let name = |image: &Image<'_>| {
        let source = debug_info::Source::new(image.sections, image.split, image.code);
        let mut index = CodeIndex::new(&source, &options.sampled, options.progress);
        // Each index numbers the files that it meets.
        let lines = index.locate(functions.iter().map(|function| function.range.start));
        for (function, line) in functions.iter_mut().zip(lines) {
            function.source = function.source.and(line);
        }
        let code_ranges = index.code_ranges(&code, &[]);
        let met = index.finish();
        Ok(NamedTable {
            table: inline_table(functions, &code_ranges, &met.inlined, met.files),
            ..NamedTable::default()
        })
    };
    let wants_names_from_debug_file = false;
    let program = read_program_with(executable, &options, wants_names_from_debug_file, name)?;
    Ok(Arc::unwrap_or_clone(program.table))
}

/// The symbols of an external table without an executable; `None` unless requested.
///
/// # Errors
/// If it cannot be read or has no function.
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
    Ok(Some(SymbolTable::new(symbols, files, Granularity::Functions)))
}

/// The names of an external table, which has neither lines nor sizes.
fn external(image: &Image<'_>, chosen: Vec<SymbolCandidate>) -> NamedTable {
    let symbols = functions::symbols_of(chosen, image.code, false);
    NamedTable {
        table: SymbolTable::new(symbols, SourceFiles::default(), Granularity::Functions),
        names_from: NamesFrom::SymbolTable,
        ..NamedTable::default()
    }
}

/// The names of the executable, or of its debug file, or its dynamic symbols.
fn named(image: &Image<'_>, options: &SymbolOptions) -> NamedTable {
    let own = (image.object, NamesFrom::SymbolTable);
    let separate = image.debug_object.map(|debug| (debug, NamesFrom::SymbolTable));
    let dynamic = (image.object, NamesFrom::DynamicSymbols);
    let tables = [Some(own), separate, Some(dynamic)];
    for (object, names_from) in tables.into_iter().flatten() {
        let read = match names_from {
            NamesFrom::DynamicSymbols => raw::dynamic_symbols(object),
            _ => raw::symbols(object, image.object),
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

/// Adds unnamed code: stubs, and stripped functions.
fn add_unnamed(chosen: &mut Vec<SymbolCandidate>, image: &Image<'_>, options: &SymbolOptions) {
    stubs::rename(chosen);
    let stubs = stubs::find(image.object, chosen);
    if !options.skips_static {
        chosen.extend(unwind_entries::unnamed(image.object, chosen, &stubs));
    }
    chosen.extend(stubs.candidates);
}

/// The table of selected symbols, the lines of code, and notes on debug information, which is
/// read only if requested.
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
        return NamedTable { table, ..NamedTable::default() };
    }
    let source = debug_info::Source::new(image.sections, image.split, image.code);
    let mut index = CodeIndex::new(&source, &options.sampled, options.progress);
    let by_function = granularity == Granularity::Functions;
    let (mut lines, mut code_ranges) = (Vec::new(), Vec::new());
    for (part, code) in index.parts(image.code).enumerate().filter(|(_, code)| !code.is_empty()) {
        let is_of_part =
            |candidate: &&mut SymbolCandidate| index.part_of(candidate.address) == part;
        let mut of_part: Vec<_> = chosen.iter_mut().filter(is_of_part).collect();
        let found = index.locate(of_part.iter().map(|candidate| candidate.address));
        for (candidate, line) in of_part.iter_mut().zip(found) {
            candidate.source = line;
        }
        if options.wants_lines || !by_function {
            let mut of_code = index.lines(&code);
            if !by_function {
                code_ranges.append(&mut index.code_ranges(&code, &of_code));
            }
            lines.append(&mut of_code);
        }
    }
    lines.sort_unstable_by_key(|run| run.addresses.start);
    code_ranges.sort_unstable_by_key(|range| range.addresses.start);
    let functions = functions(chosen);
    let met = index.finish();
    let (files, chains) = (met.files, &met.inlined);
    let table = match granularity {
        Granularity::Functions => SymbolTable::new(functions, files, granularity),
        Granularity::Lines => functions::line_table(functions, &code_ranges, chains, files),
        Granularity::Inlines => inline_table(functions, &code_ranges, chains, files),
    };
    NamedTable {
        table,
        lines: lines.into(),
        notes: met.notes,
        is_too_large: met.is_too_large,
        percent_skipped: met.percent_skipped,
        missing_split: met.missing_split,
        ..NamedTable::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_with_inlined_code_keep_their_files() {
        let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gprof");
        let executable =
            Executable::open(&fixtures.join("dw-dwarf5-64/prog")).expect("it can be read");
        let options = SymbolOptions { wants_sources: true, ..SymbolOptions::default() };
        let program = read_program(&executable, &options).expect("it can be read");
        let place = |table: &SymbolTable, symbol: &Symbol| {
            let line = symbol.source?;
            Some((table.files().name(line.file).to_vec(), line.line))
        };
        for symbol in program.table.symbols().iter().filter(|symbol| symbol.is_function) {
            let inlined = read_inlined(&executable, &options, vec![symbol.clone()]);
            let inlined = inlined.expect("it can be read");
            let found = place(&inlined, &inlined.symbols()[0]);
            assert_eq!(found, place(&program.table, symbol), "{symbol:?}");
        }
    }
}
