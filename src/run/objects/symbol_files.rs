//! Reads the symbols of executables, and symbol files that options name.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Error, Result};

use crate::cli::Plan;
use crate::diagnose::{RunError, UnknownName, UnknownWord, UnusableMap, with_option};
use crate::filter::{FilterSets, Finder, NotFound, Pattern, SymbolTarget, Unknown};
use crate::run::names;
use crate::symbols::{
    Executable, Granularity, Program, SymbolOptions, SymbolTable, library_of, read_external_table,
    read_program,
};

/// The symbols of a command line.
pub(in crate::run) struct Symbols {
    /// For each executable.
    pub(in crate::run) programs: Vec<Program>,
    /// The table of -S, without an executable.
    pub(in crate::run) external: Option<Arc<SymbolTable>>,
}

/// Reads the symbols of executables, or of -S. A requested name that no function has denotes the
/// inlined functions of that name, which become functions.
///
/// # Errors
/// If an executable, or the file of -R or -S, cannot be used.
pub(in crate::run) fn read_requested(
    given: &[Executable],
    plan: &Plan,
    options: &SymbolOptions,
) -> Result<Symbols> {
    let mut symbols = read(given, options)?;
    let patterns = names_without_function(&symbols.programs, plan);
    if patterns.is_empty() || options.granularity == Granularity::Lines {
        return Ok(symbols);
    }
    let by_inlines = SymbolOptions { granularity: Granularity::Inlines, ..options.clone() };
    let mut programs = match options.granularity {
        Granularity::Inlines => std::mem::take(&mut symbols.programs),
        _ => read(given, &by_inlines)?.programs,
    };
    let style = names::style(&plan.look);
    let mut inlined = BTreeSet::new();
    for Program { table, .. } in &programs {
        let finder = Finder::new(table, style).finding_inlined();
        for found in patterns.iter().filter_map(|pattern| finder.find(pattern).ok()) {
            let found = table.iter().zip(found).filter(|(_, is_found)| *is_found);
            inlined.extend(found.map(|((_, symbol), _)| Arc::clone(&symbol.name)));
        }
    }
    if inlined.is_empty() && options.granularity != Granularity::Inlines {
        for (program, by_inlines) in symbols.programs.iter_mut().zip(programs) {
            program.missing_split = by_inlines.missing_split;
        }
        return Ok(symbols);
    }
    let keeps_parts = options.granularity == Granularity::Inlines;
    for Program { table, .. } in &mut programs {
        let all = Arc::unwrap_or_clone(std::mem::take(table));
        let is_function = |name: &[u8]| inlined.contains(name);
        *table = Arc::new(all.with_inlined_functions(is_function, keeps_parts));
    }
    symbols.programs = programs;
    Ok(symbols)
}

/// An error about a name, which may be that of an inlined function in a missing file.
pub(in crate::run) fn with_missing_split(error: Error, programs: &[Program]) -> Error {
    let misses_any = programs.iter().any(|program| program.missing_split.is_some());
    match error.downcast() {
        Ok(RunError::NothingNamed {
            unknown: UnknownName::Word { word, is_function: true, why: UnknownWord::Unknown },
            nearest,
        }) if misses_any => {
            let why = UnknownWord::WithoutInlined;
            let unknown = UnknownName::Word { word, is_function: true, why };
            RunError::NothingNamed { unknown, nearest }.into()
        }
        Ok(other) => other.into(),
        Err(error) => error,
    }
}

/// The requested names that no function has.
fn names_without_function(programs: &[Program], plan: &Plan) -> Vec<Pattern> {
    let unknown_in = |Program { table, .. }: &Program| {
        FilterSets::find(&plan.filters, &Finder::new(table, names::style(&plan.look))).unknown
    };
    let is_name = |one: &Unknown| {
        let is_function = matches!(one.half.target, Some(SymbolTarget::Function(_)));
        is_function && one.why == NotFound::Nothing
    };
    let unknown = programs.iter().filter(|_| !plan.filters.is_empty()).map(unknown_in);
    let unknown = unknown.reduce(|mut unknown, others| {
        unknown.retain(|one| others.contains(one));
        unknown
    });
    unknown.into_iter().flatten().filter(is_name).map(|one| one.half).collect()
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
