//! Symbols by gprof's rules, where these differ from the native mode's.
//!
//! - which symbols count: `rules`, `local_names`;
//! - start and end of each, by function and by line: `table`;
//! - source locations: `sources`, `lines`;
//! - calls in code: `static_calls`.

mod lines;
mod local_names;
mod rules;
mod sources;
mod static_calls;
mod table;

use std::ops::Range;

use object::{Architecture, BinaryFormat, Object, ObjectSection};
use sources::{Miscount, Sources};

use crate::model::Address;
use crate::symbols::{
    Executable, ExecutableError, Granularity, Image, NamedTable, NamesFrom, Program, SourceFiles,
    SymbolOptions, SymbolTable, TableRules, at_places, one_per_address, raw_symbols,
    read_program_with,
};
use crate::threads;

pub use static_calls::static_calls;

/// gprof's buffer size for a line of the table of `-S`.
const EXTERNAL_LINES: TableRules = TableRules::Lenient { line_size: 1023 };

/// Why gprof cannot use an executable.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be read.
    #[error(transparent)]
    Executable(#[from] ExecutableError),
    /// It has no section `.text`, which gprof requires.
    #[error("{path}: no .text section")]
    NoText { path: String },
    /// Its lines cannot be counted by gprof's rules.
    #[error(
        "{path}: the names of functions settle while lines are counted, which stops gprof; \
         profan -l does without"
    )]
    UnstableLines { path: String },
}

/// Reads the symbols of an executable as gprof does. Debug information may come from a
/// separate file, but names do not.
///
/// # Errors
/// If it is damaged, or has no `.text` or no symbols.
pub fn read_program(
    executable: &Executable,
    options: &SymbolOptions,
) -> Result<Program, ProgramError> {
    let wants_names_from_debug_file = false;
    read_program_with(executable, options, wants_names_from_debug_file, |image| {
        let text = text_of(image)?;
        match image.external_symbols(options, EXTERNAL_LINES)? {
            Some(chosen) => {
                let places = one_per_address(&chosen);
                let symbols = table::symbols(at_places(chosen, &places), &text);
                Ok(NamedTable {
                    // By line, it is a table of functions still, without lines.
                    table: SymbolTable::new(symbols, SourceFiles::default(), options.granularity),
                    names_from: NamesFrom::SymbolTable,
                    ..NamedTable::default()
                })
            }
            None => named(image, &text, options),
        }
    })
}

fn named(
    image: &Image<'_>,
    text: &Range<Address>,
    options: &SymbolOptions,
) -> Result<NamedTable, ProgramError> {
    let path = || image.path.display().to_string();
    let target = rules::ObjectTarget {
        underscore: leading_underscore(image.object),
        is_coff: image.object.format() == BinaryFormat::Pe,
    };
    let (object, file_map) = (image.object, image.file_map);
    let choose = || {
        let read = raw_symbols(object, object);
        let mut chosen = rules::choose(&read.symbols, &target, options);
        if let Some(map) = file_map {
            map.fold(&mut chosen);
        }
        (chosen, read.cut)
    };
    let needs_sources = options.needs_debug_info();
    let ((mut chosen, cut_names), mut sources) = threads::in_parallel(
        needs_sources && image.sections.n_bytes() as u64 >= threads::WORTH_BYTES,
        choose,
        || needs_sources.then(|| Sources::new(image.sections, image.object)),
    );
    if chosen.is_empty() {
        return Err(ExecutableError::NoSymbols { path: path() }.into());
    }
    let kept = one_per_address(&chosen);
    let located = sources.as_mut().map(|sources| sources.locate(&chosen));
    for (candidate, source) in chosen.iter_mut().zip(located.into_iter().flatten()) {
        candidate.source = source;
    }
    let chosen = at_places(chosen, &kept);
    let runs = sources.as_mut().filter(|_| options.is_by_line());
    let runs = runs
        .map(|sources| sources.counted_runs(text))
        .transpose()
        .map_err(|Miscount| ProgramError::UnstableLines { path: path() })?;
    let met = sources.map(Sources::finish).unwrap_or_default();
    let functions = table::symbols(chosen, text);
    let step = line_step(image.object);
    Ok(NamedTable {
        table: match runs {
            None => SymbolTable::new(functions, met.files, Granularity::Functions),
            Some(runs) => table::by_line(functions, &runs, met.files, text, step),
        },
        names_from: NamesFrom::SymbolTable,
        notes: met.notes,
        cut_names,
        // gprof does not warn about the size of an executable.
        ..NamedTable::default()
    })
}

/// The range of `.text`.
fn text_of(image: &Image<'_>) -> Result<Range<Address>, ProgramError> {
    let section = image.object.section_by_name(".text");
    let section =
        section.ok_or_else(|| ProgramError::NoText { path: image.path.display().to_string() })?;
    let start = section.address();
    Ok(Address(start)..Address(start.saturating_add(section.size())))
}

/// The distance of addresses at which gprof looks up lines.
fn line_step(object: &object::File<'_>) -> u64 {
    match object.architecture() {
        Architecture::Alpha => 4,
        _ => 1,
    }
}

/// The prefix of C names on the target, if any.
fn leading_underscore(object: &object::File<'_>) -> Option<u8> {
    let has_one = matches!(
        (object.format(), object.architecture()),
        (BinaryFormat::Pe | BinaryFormat::Coff, Architecture::I386)
    );
    has_one.then_some(b'_')
}
