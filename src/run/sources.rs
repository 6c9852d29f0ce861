//! Annotated source: sources are found, annotated and put into the report or into
//! files of their own.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::names;
use crate::analyze::{
    Annotator, BlockCounts, CostGraph, LineTimes, Material, SourceFile, SymbolNames, empty_source,
    execution_sources, time_by_file,
};
use crate::cli::Plan;
use crate::diagnose::{self, RunError, Warning};
use crate::filter::{FilterSets, Finder, SymbolSet};
use crate::model::Profile;
use crate::output::write_here;
use crate::progress::Stage;
use crate::render::{RenderOptions, default_renderer};
use crate::report::{Report, Section};
use crate::sources::{Lookup, path_of};
use crate::symbols::{Executable, FileId, LinePieces, LineRun, SymbolId, SymbolTable};

/// What came of sources.
#[derive(Debug, Default)]
pub(super) struct Annotated {
    /// Sections of the report; none of single sources where each gets a file of its own.
    pub(super) sections: Vec<Section<'static>>,
    /// The files whose text is there.
    found: BTreeSet<FileId>,
    /// The names of those that could not be found, where none could.
    pub(super) missing: Vec<String>,
}

/// The code of a program by line.
pub(super) struct ByLine {
    pieces: LinePieces,
    /// What of it was asked for; all if `None`.
    asked: Option<SymbolSet>,
}

/// The code of a program by line, where that is asked for and known: that of symbols
/// with time, or all of it where specs choose among lines.
///
/// # Errors
/// When a spec means no code.
pub(super) fn by_line(
    lines: &[LineRun],
    table: &SymbolTable,
    costs: &CostGraph,
    took_part: &dyn Fn(SymbolId) -> bool,
    plan: &Plan,
) -> Result<Option<ByLine>, RunError> {
    if lines.is_empty() {
        return Ok(None);
    }
    let specs = plan.filters.only_annotation();
    if specs.is_empty() {
        let has_time = |id| !costs.self_cost(table.holder(id), costs.primary).is_zero();
        let pieces = LinePieces::new(table, lines, has_time);
        return Ok(Some(ByLine {
            pieces,
            asked: None,
        }));
    }
    let pieces = LinePieces::new(table, lines, |_| true);
    let took_part = |piece| took_part(pieces.owner(piece));
    let finder = Finder::new(pieces.table(), names::style(plan)).preferring(&took_part);
    let found = FilterSets::find(&specs, &finder);
    names::check(&found.unknown, &finder, true)?;
    let asked = Some(found.annotation);
    Ok(Some(ByLine { pieces, asked }))
}

/// The sections about the sources of a sampled program.
pub(super) fn annotate_sampled<'e>(
    profile: &Profile,
    material: &Material<'_>,
    blocks: &BlockCounts,
    by_line: &ByLine,
    plan: &Plan,
    executable_of: &dyn Fn(FileId) -> Option<&'e Executable>,
    warnings: &mut Vec<Warning>,
) -> Annotated {
    let table = material.table;
    let times = line_times(profile, material, by_line, plan);
    let files = execution_sources(material, blocks, &times);
    let nothing = files
        .is_empty()
        .then(|| empty_source("No source has a line with time or calls."));
    let mut annotated = annotate(files, table, plan, executable_of, warnings);
    annotated.sections.extend(nothing);
    let by_file = time_by_file(material, &times, |file| annotated.found.contains(&file));
    annotated.sections.extend(by_file);
    annotated
}

/// Time by line, of what was asked for.
fn line_times(
    profile: &Profile,
    material: &Material<'_>,
    ByLine { pieces, asked }: &ByLine,
    plan: &Plan,
) -> LineTimes {
    let filters = material.filters;
    let is_asked = |piece| asked.as_ref().is_none_or(|asked| asked.contains(piece));
    let is_kept = |owner| plan.keep.is_none() || filters.annotation.contains(owner);
    let focus = material.costs.focus.as_ref();
    LineTimes::new(profile, material.table, pieces, |piece, owner| {
        if !is_asked(piece) || !filters.time.contains(owner) || !is_kept(owner) {
            return 0.0;
        }
        let holder = material.table.holder(owner);
        focus.map_or(1.0, |part| part.share_of(holder))
    })
}

/// Finds and annotates sources. Those that are not there, or are newer than the
/// executable that has them, are worth a warning.
pub(super) fn annotate<'e>(
    files: Vec<SourceFile>,
    table: &SymbolTable,
    plan: &Plan,
    executable_of: impl Fn(FileId) -> Option<&'e Executable>,
    warnings: &mut Vec<Warning>,
) -> Annotated {
    plan.progress
        .begin(Stage::Sources, Some(files.len() as u64));
    let mut missing = Vec::new();
    let mut annotator = Annotator::new(plan.source.marks);
    let mut all = Annotated::default();
    for source in files {
        plan.progress.advance(1);
        let file = source.file;
        let name = table.files().name(file);
        let shown = String::from_utf8_lossy(name).into_owned();
        let Lookup {
            source: found,
            passed_over,
        } = plan.source.search.find(name);
        warnings.extend(passed_over.iter().map(diagnose::passed_over));
        let Some(found) = found else {
            missing.push(shown.clone());
            warnings.push(Warning::SourceMissing { name: shown });
            continue;
        };
        all.found.insert(file);
        warnings.extend(
            executable_of(file).and_then(|built| diagnose::check_source(&found, built.path())),
        );
        let annotated = source.sections(&shown, found.text, &mut annotator);
        if plan.source.is_in_files {
            warnings.extend(write_file(table, plan, file, annotated));
        } else {
            all.sections.extend(annotated);
        }
    }
    plan.progress.begin(Stage::Adding, None);
    if all.found.is_empty() {
        all.missing = missing;
    }
    all
}

/// Writes a file `NAME-ann` in the current directory. Returns a warning if that fails.
fn write_file(
    table: &SymbolTable,
    plan: &Plan,
    file: FileId,
    sections: Vec<Section<'static>>,
) -> Option<Warning> {
    let name = table.files().last_component(file);
    let name: PathBuf = path_of(&[name, b"-ann"].concat());
    let report = Report {
        inputs: Vec::new(),
        metrics: Vec::new(),
        primary: 0,
        names: Box::new(SymbolNames::of_program(table, plan.text.demangle)),
        sections,
        diagnostics: Vec::new(),
    };
    let written = write_here(&name, |out| {
        let written = default_renderer().render(&report, &RenderOptions::default(), out);
        written.map_err(std::io::Error::other)
    });
    written.err().map(|error| Warning::SourceUnwritten {
        name: name.display().to_string(),
        reason: error.to_string(),
    })
}
