//! An executable with its debug file, for builders of symbol tables.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use object::Object;

use super::counters;
use super::debug_file;
use super::debug_info::{DebugDamage, DebugSections, MissingSplit, Note, SplitFiles};
use super::executable::{self, Executable, ExecutableError};
use super::external_table::{self, TableRules};
use super::file_map::FileMap;
use super::line_pieces::LineRun;
use super::linkage;
use super::table::{SymbolCandidate, SymbolTable};
use super::{NamesFrom, Program, SymbolOptions};
use crate::model::{Address, NameCut};

/// An executable and its debug file, parsed.
pub(crate) struct Image<'a> {
    pub(crate) path: &'a Path,
    pub(crate) object: &'a object::File<'a>,
    /// The debug file, if found.
    pub(crate) debug_object: Option<&'a object::File<'a>>,
    /// Debug information of the executable, or else of its debug file.
    pub(crate) sections: &'a DebugSections<'a>,
    /// Parts of the debug information in files of their own.
    pub(super) split: &'a SplitFiles<'a>,
    /// Address ranges of code, ascending and disjoint.
    pub(crate) code: &'a [Range<Address>],
    pub(crate) file_map: Option<&'a FileMap>,
}

impl Image<'_> {
    /// The symbols of an external table, if given.
    pub(crate) fn external_symbols(
        &self,
        options: &SymbolOptions,
        rules: TableRules,
    ) -> Result<Option<Vec<SymbolCandidate>>, ExecutableError> {
        let path = options.external.as_deref();
        let table = path.map(|path| external_table::read(path, rules));
        let table = table.transpose()?;
        Ok(table.map(|table| table.functions))
    }
}

/// A table and its origin.
#[derive(Default)]
pub(crate) struct NamedTable {
    pub(crate) table: SymbolTable,
    /// Source lines, if requested and available.
    pub(crate) lines: Box<[LineRun]>,
    pub(crate) names_from: NamesFrom,
    /// Notes on unusable debug information.
    pub(crate) notes: Vec<String>,
    /// Names that were cut.
    pub(crate) cut_names: Option<NameCut>,
    /// Some of it would exceed the memory limit.
    pub(crate) is_too_large: bool,
    /// The share of the samples whose part was skipped for that, if known.
    pub(crate) percent_skipped: Option<u64>,
    /// Functions of these units were needed, and are in files that are missing.
    pub(crate) missing_split: Option<MissingSplit>,
}

/// Reads a program; `name` makes its table. Searches for a debug file if debug information is
/// wanted and missing, or for its symbols if these are wanted.
pub(crate) fn read_program_with<E: From<ExecutableError>>(
    executable: &Executable,
    options: &SymbolOptions,
    wants_names_from_debug_file: bool,
    name: impl FnOnce(&Image<'_>) -> Result<NamedTable, E>,
) -> Result<Program, E> {
    let object = executable.parse()?;
    let needs_debug_info = options.needs_debug_info();
    let load = |object, n_bytes| {
        if needs_debug_info { DebugSections::load(object, n_bytes) } else { DebugSections::none() }
    };
    let own_sections = load(&object, executable.n_bytes());
    let lacks_symbols = object.symbol_table().is_none();
    let needs_debug_file =
        wants_names_from_debug_file && lacks_symbols || needs_debug_info && own_sections.is_empty();
    let search = needs_debug_file.then(|| {
        let dirs = &options.debug_dirs;
        debug_file::find(executable.path(), &object, dirs, executable::map)
    });
    let (found, refused) = search.map_or((None, Vec::new()), |s| (s.found, s.refused));
    let debug_object = found.as_ref().and_then(|file| object::File::parse(&*file.bytes).ok());
    let debug_sections = debug_object
        .as_ref()
        .zip(found.as_ref())
        .filter(|_| own_sections.is_empty())
        .map(|(object, file)| load(object, file.bytes.len() as u64));
    let sections = debug_sections.as_ref().unwrap_or(&own_sections);
    let code = executable::code_ranges(&object);
    let file_map = options.file_map.as_deref().map(FileMap::open).transpose()?;
    let named = name(&Image {
        path: executable.path(),
        object: &object,
        debug_object: debug_object.as_ref(),
        sections,
        split: &SplitFiles::new(executable.path(), &options.debug_dirs),
        code: &code,
        file_map: file_map.as_ref(),
    })?;
    let is_too_large = named.is_too_large || sections.are_too_large();
    let damaged = |note: &&Note<DebugDamage>| note.damage != DebugDamage::TooLarge;
    let lost_sections = sections.notes().iter().filter(damaged);
    let lost_sections = lost_sections.map(ToString::to_string);
    Ok(Program {
        table: Arc::new(named.table),
        lines: named.lines,
        names_from: named.names_from,
        notes: lost_sections.chain(named.notes).collect(),
        cut_names: named.cut_names,
        is_too_large,
        percent_skipped: named.percent_skipped,
        missing_split: named.missing_split,
        debug_file: found.as_ref().map(|file| file.path.clone()),
        file_map,
        code,
        encoding: executable::encoding_of(&object),
        link_base: executable::link_base(&object),
        refused,
        is_fixed: executable::is_fixed(&object),
        is_windows: executable::is_windows(&object),
        linkage: linkage::of(&object),
        calls_mcount: counters::calls_mcount(&object),
    })
}
