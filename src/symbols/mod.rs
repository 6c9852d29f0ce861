//! Addresses to names: the executable, its symbols, and where its code lies.
//!
//! This room never prints and never counts.

mod complete_rules;
mod debug_file;
mod demangle;
mod executable;
mod external_table;
mod file_map;
mod files;
mod functions;
mod gprof_rules;
mod line_symbols;
mod lines;
mod local_names;
mod named_contexts;
mod raw;
mod slide;
mod sources;
mod starts;
mod static_calls;
mod table;

use std::ops::Range;
use std::path::{Path, PathBuf};

use object::Object;

pub use debug_file::{Mismatch, Refusal};
pub use demangle::{Style, demangle};
pub use executable::{Executable, ExecutableError};
pub use file_map::FileMap;
pub use files::SourceFiles;
pub use lines::FileId;
pub use named_contexts::{ContextNames, NamedContexts};
pub use slide::{Evidence, Recorded, Slide, find_slide};
pub use static_calls::{CallSearch, StaticCall, StaticCallError, static_calls};
pub use table::{Granularity, SourceLine, Symbol, SymbolId, SymbolTable};

use crate::model::{Address, Encoding};
use sources::{LineRun, Miscount, Sources};

/// Which symbols count as functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolRules {
    /// All code, see `complete_rules`.
    Complete,
    /// What gprof 2.40 takes, see `gprof_rules`.
    Gprof,
}

/// How to make the table.
#[derive(Clone, Debug)]
pub struct SymbolOptions {
    /// Which symbols count.
    pub rules: SymbolRules,
    /// Leave local functions out; what is theirs falls to the function before them.
    pub skips_static: bool,
    /// Leave local symbols without a type out.
    pub skips_untyped: bool,
    /// Look up where symbols stand in the source.
    pub wants_sources: bool,
    /// What has a symbol of its own. Lines want sources.
    pub granularity: Granularity,
    /// Take the symbols from this file instead, see `external_table`.
    pub external: Option<PathBuf>,
    /// Let symbols stand for whole object files, by the map in this file.
    pub file_map: Option<PathBuf>,
    /// Folders to look for a separate debug file in, beside the usual ones.
    pub debug_dirs: Vec<PathBuf>,
}

impl SymbolOptions {
    fn is_by_line(&self) -> bool {
        self.granularity == Granularity::Lines
    }

    fn needs_debug_info(&self) -> bool {
        self.wants_sources || self.is_by_line()
    }
}

/// Where the names of a table came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamesFrom {
    /// A symbol table, that of the executable or of its debug file.
    SymbolTable,
    /// What a stripped executable keeps for dynamic linking.
    DynamicSymbols,
    /// Nowhere.
    Nothing,
}

/// What an executable says about its code.
#[derive(Debug)]
pub struct Program {
    /// Its functions.
    pub table: SymbolTable,
    /// Where the names came from.
    pub names_from: NamesFrom,
    /// What could not be used of its debugging information.
    pub notes: Vec<String>,
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
    /// It calls the hook that `-pg` plants; `None` when it has no names to tell.
    pub calls_profiling_hook: Option<bool>,
}

/// Reads the symbols of an executable, and those of its debug file where it has
/// none itself.
///
/// # Errors
/// When it is damaged; and by gprof's rules, when it has no `.text` or no symbols.
pub fn read_program(
    executable: &Executable,
    options: &SymbolOptions,
) -> Result<Program, ExecutableError> {
    let object = executable.parse()?;
    let own_sections = lines::DebugSections::load(&object);
    let lacks_symbols = object.symbol_table().is_none();
    let needs_debug_file = match options.rules {
        SymbolRules::Complete => {
            lacks_symbols || options.needs_debug_info() && own_sections.is_empty()
        }
        SymbolRules::Gprof => options.needs_debug_info() && own_sections.is_empty(),
    };
    let search = needs_debug_file.then(|| {
        let dirs = &options.debug_dirs;
        debug_file::find(executable.path(), &object, dirs, executable::map)
    });
    let (found, refused) = search.map_or((None, Vec::new()), |s| (s.found, s.refused));
    let debug_object = found
        .as_ref()
        .and_then(|file| object::File::parse(&*file.bytes).ok());
    let debug_sections = debug_object
        .as_ref()
        .filter(|_| own_sections.is_empty())
        .map(lines::DebugSections::load);
    let image = Image {
        path: executable.path(),
        object: &object,
        debug_object: debug_object.as_ref(),
        sections: debug_sections.as_ref().unwrap_or(&own_sections),
    };
    let code = executable::code_ranges(&object);
    let file_map = options.file_map.as_deref().map(FileMap::open).transpose()?;
    let named = match (&options.external, options.rules) {
        (Some(path), rules) => external(&image, &code, path, rules)?,
        (None, SymbolRules::Complete) => complete(&image, &code, file_map.as_ref(), options),
        (None, SymbolRules::Gprof) => gprof(&image, file_map.as_ref(), options)?,
    };
    let lost_sections = image.sections.notes().iter().map(ToString::to_string);
    Ok(Program {
        table: named.table,
        names_from: named.names_from,
        notes: lost_sections.chain(named.notes).collect(),
        debug_file: found.as_ref().map(|file| file.path.clone()),
        file_map,
        code,
        encoding: executable::encoding_of(&object),
        link_base: executable::link_base(&object),
        refused,
        is_windows: executable::is_windows(&object),
        calls_profiling_hook: executable::calls_profiling_hook(&object),
    })
}

/// A table, and how it came about.
struct Named {
    table: SymbolTable,
    names_from: NamesFrom,
    notes: Vec<String>,
}

/// An executable and its debug file, parsed.
struct Image<'a> {
    path: &'a Path,
    object: &'a object::File<'a>,
    debug_object: Option<&'a object::File<'a>>,
    sections: &'a lines::DebugSections<'a>,
}

impl Image<'_> {
    /// What answers questions about source lines, if anybody will ask them.
    fn sources<'s>(
        &'s self,
        symbols: &object::File<'s>,
        options: &SymbolOptions,
    ) -> Option<Sources<'s>> {
        let reading = match options.rules {
            SymbolRules::Complete => lines::Reading::AsWritten,
            SymbolRules::Gprof => lines::Reading::AsGprof,
        };
        options
            .needs_debug_info()
            .then(|| Sources::new(self.sections, symbols, reading))
    }
}

/// The names of the executable; else those of its debug file; else those that it
/// keeps for dynamic linking.
fn complete(
    image: &Image<'_>,
    code: &[Range<Address>],
    file_map: Option<&FileMap>,
    options: &SymbolOptions,
) -> Named {
    let own = (image.object, NamesFrom::SymbolTable);
    let separate = image
        .debug_object
        .map(|debug| (debug, NamesFrom::SymbolTable));
    let dynamic = (image.object, NamesFrom::DynamicSymbols);
    let tables = [Some(own), separate, Some(dynamic)];
    for (object, names_from) in tables.into_iter().flatten() {
        let symbols = match names_from {
            NamesFrom::DynamicSymbols => raw::dynamic_symbols(object),
            _ => raw::symbols(object),
        };
        let mut chosen = complete_rules::choose(&symbols, options);
        if !chosen.is_empty() {
            if let Some(map) = file_map {
                map.fold(&mut chosen);
            }
            let mut sources = image.sources(object, options);
            if let Some(sources) = &mut sources {
                sources.locate(&mut chosen);
            }
            let runs = sources.as_mut().filter(|_| options.is_by_line());
            let runs = runs.map(|sources| complete_runs(sources, code));
            let met = sources.map(Sources::finish).unwrap_or_default();
            let trusts_sizes = !options.skips_static;
            let functions = functions::complete_symbols(chosen, code, trusts_sizes);
            return Named {
                table: match runs {
                    None => SymbolTable::new(functions, met.files, Granularity::Functions),
                    Some(runs) => functions::complete_line_table(functions, &runs, met.files),
                },
                names_from,
                notes: met.notes,
            };
        }
    }
    Named {
        table: SymbolTable::default(),
        names_from: NamesFrom::Nothing,
        notes: Vec::new(),
    }
}

fn complete_runs(sources: &mut Sources<'_>, code: &[Range<Address>]) -> Vec<LineRun> {
    code.iter().flat_map(|piece| sources.runs(piece)).collect()
}

/// The names that a file of their own lists. It has no lines, and sizes neither.
fn external(
    image: &Image<'_>,
    code: &[Range<Address>],
    path: &Path,
    rules: SymbolRules,
) -> Result<Named, ExecutableError> {
    let chosen = external_table::read(path)?;
    if chosen.is_empty() {
        return Err(ExecutableError::NoSymbols {
            path: path.display().to_string(),
        });
    }
    let symbols = match rules {
        SymbolRules::Complete => functions::complete_symbols(chosen, code, false),
        SymbolRules::Gprof => functions::gprof_symbols(chosen, &text_of(image)?),
    };
    Ok(Named {
        table: SymbolTable::new(symbols, SourceFiles::default(), Granularity::Functions),
        names_from: NamesFrom::SymbolTable,
        notes: Vec::new(),
    })
}

fn text_of(image: &Image<'_>) -> Result<Range<Address>, ExecutableError> {
    executable::text_range(image.object).ok_or_else(|| ExecutableError::NoText {
        path: image.path.display().to_string(),
    })
}

fn gprof(
    image: &Image<'_>,
    file_map: Option<&FileMap>,
    options: &SymbolOptions,
) -> Result<Named, ExecutableError> {
    let path = || image.path.display().to_string();
    let text = text_of(image)?;
    let symbols = raw::symbols(image.object);
    let target = gprof_rules::Target {
        underscore: executable::leading_underscore(image.object),
        is_coff: executable::is_windows(image.object),
    };
    let mut chosen = gprof_rules::choose(&symbols, &target, options);
    if let Some(map) = file_map {
        map.fold(&mut chosen);
    }
    if chosen.is_empty() {
        return Err(ExecutableError::NoSymbols { path: path() });
    }
    let mut sources = image.sources(image.object, options);
    if let Some(sources) = &mut sources {
        sources.locate(&mut chosen);
    }
    let runs = sources.as_mut().filter(|_| options.is_by_line());
    let runs = runs
        .map(|sources| sources.counted_runs(&text))
        .transpose()
        .map_err(|Miscount| ExecutableError::UnstableLines { path: path() })?;
    let met = sources.map(Sources::finish).unwrap_or_default();
    let functions = functions::gprof_symbols(chosen, &text);
    let step = executable::line_step(image.object);
    Ok(Named {
        table: match runs {
            None => SymbolTable::new(functions, met.files, Granularity::Functions),
            Some(runs) => functions::gprof_line_table(functions, &runs, met.files, &text, step),
        },
        names_from: NamesFrom::SymbolTable,
        notes: met.notes,
    })
}
