//! Finds and annotates sources, for the report or for separate files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use super::inputs::ProgramFile;
use super::sections::{SectionMaker, block_counts};
use super::subject::{ProgramSymbols, SelectedCosts, SubjectOptions, SubjectSymbols};
use super::{names, unavailable};
use crate::analyze::{
    Annotator, LineTimes, SharedLines, SourceFile, SymbolNames, cost_by_file, cost_sources,
    empty_source, execution_sources, time_by_file,
};
use crate::diagnose::{self, MissingSources, Request, RunResult, Warning};
use crate::filter::{FilterSets, Finder, SymbolSet};
use crate::output::write_here;
use crate::progress::Stage;
use crate::render::{RenderOptions, default_renderer};
use crate::report::{Report, Section};
use crate::sources::{Lookup, ReadSources, TrustedDirs, path_of, trust_option};
use crate::symbols::{
    Executable, FileId, Granularity, LinePieces, NamedContexts, SymbolId, SymbolTable, read_program,
};

/// Annotated sources, or the missing parts.
pub(super) struct Annotated {
    /// Without single sources if each gets a separate file.
    pub(super) sections: Vec<Section>,
    pub(super) lack: Option<MissingSource>,
}

/// The missing part of annotated source.
pub(super) enum MissingSource {
    /// Line information.
    Lines(Warning),
    /// All source files.
    Files(MissingSources),
}

/// Annotates the sources of a subject.
///
/// # Errors
/// If a spec matches no line, or a program cannot be read again by line.
pub(super) fn annotated(
    maker: &SectionMaker<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Annotated> {
    match &maker.subject.symbols {
        SubjectSymbols::Program(program) => annotate_program(program, maker, warnings),
        SubjectSymbols::Contexts(names) => annotate_contexts(names, maker, warnings),
    }
}

/// The code of a program by line.
struct ByLine {
    pieces: LinePieces,
    /// The requested symbols; `None` for all.
    asked: Option<SymbolSet>,
}

/// The code of a program by line: symbols with time, or all if specs select lines.
fn by_line(program: &ProgramSymbols<'_>, maker: &SectionMaker<'_>) -> RunResult<ByLine> {
    let &SectionMaker { subject, plan, .. } = maker;
    let table = &program.table;
    let specs = plan.filters.only_annotation();
    if specs.is_empty() {
        let costs = &subject.selection.costs;
        let has_time = |id| !costs.is_free(table.enclosing_function(id));
        let pieces = LinePieces::new(table, &program.lines, has_time);
        return Ok(ByLine { pieces, asked: None });
    }
    let pieces = LinePieces::new(table, &program.lines, |_| true);
    let owner_took_part = subject.symbols.took_part(&subject.profile);
    let took_part = |piece| owner_took_part(pieces.owner(piece));
    let finder = Finder::new(pieces.table(), names::style(&plan.look)).preferring(&took_part);
    let found = FilterSets::find(&specs, &finder);
    names::check(found.unknown.iter(), &finder, true)?;
    let asked = Some(found.annotation);
    Ok(ByLine { pieces, asked })
}

/// The source sections of a sampled program.
fn annotate_program(
    program: &ProgramSymbols<'_>,
    maker: &SectionMaker<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Annotated> {
    let &SectionMaker { subject, ref material, .. } = maker;
    if program.lines.is_empty() {
        let executable = subject.executable();
        let executable = executable.map(|(one, _)| one.path().display().to_string());
        return Ok(Annotated {
            sections: Vec::new(),
            lack: Some(MissingSource::Lines(Warning::NoLines { executable })),
        });
    }
    let by_line = by_line(program, maker)?;
    let times = line_times(maker, &by_line);
    let files = execution_sources(material, &block_counts(subject), &times);
    let has_none = files.is_empty();
    let executables = executables_by_file(material.table, &subject.executables);
    // Headers of inlined code have no symbol of their own.
    let first = subject.executable().map(|(executable, _)| executable);
    let executable_of = |file| executables.get(&file).copied().or(first);
    let mut found = find_all(files, material.table, maker, executable_of, warnings);
    if has_none {
        found.sections.push(empty_source(diagnose::NO_TIMED_LINES));
    }
    let by_file = time_by_file(material, &times, |file| found.remark(file));
    found.sections.extend(by_file);
    // The section still shows the time of each file.
    let lacks_all = found.sections.is_empty() && !found.missing.is_empty();
    Ok(Annotated {
        sections: found.sections,
        lack: lacks_all.then_some(MissingSource::Files(found.missing)),
    })
}

/// For each source file the executable with its code: the last one that starts before the
/// first symbol of the file, or its image there.
fn executables_by_file<'a>(
    table: &SymbolTable,
    executables: &[(SymbolId, ProgramFile<'a>)],
) -> HashMap<FileId, &'a Executable> {
    let mut by_file = HashMap::new();
    for (id, symbol) in table.iter() {
        let n_before = executables.partition_point(|(first, _)| *first <= id);
        let executable = n_before.checked_sub(1).map(|index| executables[index].1.0);
        if let (Some(source), Some(executable)) = (symbol.source, executable) {
            by_file
                .entry(source.file)
                .or_insert_with(|| executable.image_with(symbol.range.start).unwrap_or(executable));
        }
    }
    by_file
}

/// The source sections of contexts. Costs of functions are split by line here.
fn annotate_contexts(
    names: &NamedContexts,
    maker: &SectionMaker<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Annotated> {
    let profile = &maker.subject.profile;
    let executable = maker.subject.executable();
    let without_lines = || {
        let lack = unavailable::of_lines(Request::Source, profile);
        Annotated { sections: Vec::new(), lack: lack.map(MissingSource::Lines) }
    };
    let lines;
    let (mut names, mut material) = (names, maker.material);
    if !maker.plan.is_by_line() {
        let Some(found) = lines_of_contexts(maker)? else {
            return Ok(without_lines());
        };
        lines = found;
        let (symbols, selection) = &lines;
        material = selection.material(symbols, material.options);
        if let SubjectSymbols::Contexts(of_lines) = symbols {
            names = of_lines;
        }
    }
    let table = material.table;
    if !table.has_sources() {
        return Ok(without_lines());
    }
    let shared = SharedLines::new(profile, names, material.filters, material.costs);
    let files = cost_sources(&material, &shared);
    if files.is_empty() {
        let nothing = empty_source(diagnose::NO_COSTLY_LINES);
        return Ok(Annotated { sections: vec![nothing], lack: None });
    }
    let image = executable.map(|(executable, _)| executable);
    let mut found = find_all(files, table, maker, |_| image, warnings);
    let lacks_all = !found.missing.is_empty();
    let by_file = cost_by_file(&material, |file| found.remark(file));
    found.sections.extend(by_file.filter(|_| !lacks_all));
    Ok(Annotated {
        sections: found.sections,
        lack: lacks_all.then_some(MissingSource::Files(found.missing)),
    })
}

/// The cost of each line of contexts; `None` without lines.
fn lines_of_contexts(
    maker: &SectionMaker<'_>,
) -> Result<Option<(SubjectSymbols<'static>, SelectedCosts)>> {
    let &SectionMaker { subject, plan, .. } = maker;
    let profile = &subject.profile;
    let mut by_line = plan.reading.symbols.clone();
    by_line.granularity = Granularity::Lines;
    let program = subject.executable();
    let program = program.map(|(executable, _)| read_program(executable, &by_line));
    let program = program.transpose()?;
    let table = program.as_ref().map(|program| &program.table);
    plan.reading.hints.progress.begin(Stage::Adding, None);
    let options = SubjectOptions {
        granularity: Granularity::Lines,
        group_by: None,
        is_for_source: true,
        ..SubjectOptions::of(plan)
    };
    let symbols = SubjectSymbols::of_contexts(profile, table, &options);
    if !symbols.table().has_sources() {
        return Ok(None);
    }
    let has_names = table.is_some() || !profile.costs.functions.is_empty();
    let selection = SelectedCosts::new(profile, &symbols, has_names, &options)?;
    Ok(Some((symbols, selection)))
}

/// Time by line, of the requested symbols.
fn line_times(maker: &SectionMaker<'_>, ByLine { pieces, asked }: &ByLine) -> LineTimes {
    let SectionMaker { subject, material, plan, .. } = maker;
    let filters = material.filters;
    let is_asked = |piece| asked.as_ref().is_none_or(|asked| asked.contains(piece));
    let is_kept = |owner| plan.functions.keep.is_none() || filters.annotation.contains(owner);
    let focus = material.costs.focus();
    LineTimes::new(&subject.profile, material.table, pieces, |piece, owner| {
        if !is_asked(piece) || !filters.time.contains(owner) || !is_kept(owner) {
            return 0.0;
        }
        let enclosing = material.table.enclosing_function(owner);
        focus.map_or(1.0, |part| part.share_of(enclosing))
    })
}

/// Results of the search for sources.
#[derive(Default)]
struct FoundSources {
    sections: Vec<Section>,
    /// Why the other files were not read, after their names in a table; empty for those that were.
    remarks: HashMap<FileId, String>,
    /// Missing files, if no file exists.
    missing: MissingSources,
}

impl FoundSources {
    fn remark(&self, file: FileId) -> &str {
        self.remarks.get(&file).map_or(NOT_FOUND, |remark| &**remark)
    }
}

const NOT_FOUND: &str = " (not found)";

/// Why a file was not read.
fn remark_on(lookup: &Lookup) -> String {
    match (&*lookup.outside, &*lookup.passed_over) {
        _ if lookup.source.is_some() => String::new(),
        ([path, ..], _) => match trust_option(path) {
            Some(option) => format!(" (not read: outside; add {option})"),
            None => " (not read: outside)".to_owned(),
        },
        ([], [passed_over, ..]) => format!(" (not read: {})", passed_over.reason),
        ([], []) => NOT_FOUND.to_owned(),
    }
}

/// Finds and annotates sources. Warns of files that are missing or newer than their
/// executable.
fn find_all<'e>(
    files: Vec<SourceFile>,
    table: &Arc<SymbolTable>,
    maker: &SectionMaker<'_>,
    executable_of: impl Fn(FileId) -> Option<&'e Executable>,
    warnings: &mut Vec<Warning>,
) -> FoundSources {
    let plan = maker.plan;
    plan.reading.hints.progress.begin(Stage::Sources, Some(files.len() as u64));
    let search = &plan.reading.search;
    let trusted = search.trusted_dirs();
    let mut trusted_of: HashMap<&Path, TrustedDirs> = HashMap::new();
    let mut missing = MissingSources::default();
    let mut annotator = Annotator::new(plan.look.marks());
    let (mut taken, mut known) = (HashMap::new(), ReadSources::default());
    let mut all = FoundSources::default();
    let mut has_found = false;
    for source in files {
        plan.reading.hints.progress.advance(1);
        let file = source.file;
        let name = table.files().name(file);
        let shown = String::from_utf8_lossy(name).into_owned();
        let executable = executable_of(file);
        let lookup = match executable {
            _ if plan.reading.any_source => search.find(name, &mut known),
            Some(one) => {
                let with_its_dir = || trusted.clone().with_dir_of(one.path());
                let trusted = trusted_of.entry(one.path()).or_insert_with(with_its_dir);
                search.find_within(name, trusted, &mut known)
            }
            None => search.find_within(name, &trusted, &mut known),
        };
        all.remarks.insert(file, remark_on(&lookup));
        let Lookup { source: found, passed_over, outside } = lookup;
        warnings.extend(passed_over.iter().map(diagnose::passed_over));
        let Some(found) = found else {
            if outside.is_empty() {
                let name = shown.clone();
                warnings.extend(passed_over.is_empty().then_some(Warning::SourceMissing { name }));
                missing.names.push(shown);
            }
            let outside = outside.iter().map(|path| Warning::SourceOutside {
                path: path.display().to_string(),
                option: trust_option(path),
            });
            missing.outside.extend(outside.clone());
            warnings.extend(outside);
            continue;
        };
        has_found = true;
        let newer = executable.and_then(|one| diagnose::check_source(&found, one.path()));
        warnings.extend(newer);
        let sections = source.sections(&shown, found.text, &mut annotator);
        if plan.look.separate_files {
            let name = new_name(table.files().last_component(file), &mut taken);
            warnings.extend(write_file(&name, table, maker, sections));
        } else {
            all.sections.extend(sections);
        }
    }
    plan.reading.hints.progress.begin(Stage::Adding, None);
    if !has_found {
        all.missing = missing;
    }
    all
}

/// The name `NAME-ann` of the output for a source, or `NAME-2-ann` if another source has that
/// name. `taken` has the names used, with the last number tried.
fn new_name(source: &[u8], taken: &mut HashMap<Vec<u8>, u32>) -> PathBuf {
    loop {
        let n_tried = taken.entry(source.to_vec()).or_default();
        *n_tried += 1;
        let (is_first, mut name) = (*n_tried == 1, source.to_vec());
        if !is_first {
            name.extend(format!("-{n_tried}").bytes());
        }
        if is_first || !taken.contains_key(&name) {
            taken.entry(name.clone()).or_insert(1);
            return path_of(&[name, b"-ann".to_vec()].concat());
        }
    }
}

/// Writes a file in the current directory. Returns a warning if that fails.
fn write_file(
    name: &Path,
    table: &Arc<SymbolTable>,
    SectionMaker { plan, .. }: &SectionMaker<'_>,
    sections: Vec<Section>,
) -> Option<Warning> {
    let names = Box::new(SymbolNames::of_program(table, plan.look.style()));
    let report = Report { names, sections, ..Report::default() };
    let written = write_here(name, &plan.files, |out| {
        let written = default_renderer().render(&report, &RenderOptions::default(), out);
        written.map_err(std::io::Error::other)
    });
    written.err().map(|error| Warning::SourceUnwritten {
        name: name.display().to_string(),
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_has_a_file_of_its_own() {
        let mut taken = HashMap::new();
        let mut check = |source: &str, expected: &str| {
            let name = new_name(source.as_bytes(), &mut taken);
            assert_eq!(name, Path::new(expected));
        };
        check("a.c", "a.c-ann");
        check("b.c", "b.c-ann");
        check("a.c", "a.c-2-ann");
        check("a.c-3", "a.c-3-ann");
        check("a.c", "a.c-4-ann");
        check("a.c", "a.c-5-ann");
        check("a.c-2", "a.c-2-2-ann");
    }
}
