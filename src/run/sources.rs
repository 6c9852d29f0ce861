//! Annotated source: sources are found, annotated and put into the report or into
//! files of their own.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::analyze::{
    Annotator, BlockCounts, CostGraph, LineTimes, Material, SourceFile, SymbolNames, empty_source,
    execution_sources, time_by_file,
};
use crate::cli::Plan;
use crate::diagnose::{self, Warning};
use crate::filter::{FilterSets, FilterSpecs};
use crate::model::Profile;
use crate::output::write_here;
use crate::progress::Stage;
use crate::render::{RenderOptions, default_renderer};
use crate::report::{Report, Section};
use crate::sources::path_of;
use crate::symbols::{Executable, FileId, LinePieces, LineRun, SymbolTable};

/// Annotated sources.
#[derive(Debug, Default)]
pub(super) struct Annotated {
    pub(super) sections: Vec<Section<'static>>,
    /// The files whose text is there.
    pub(super) found: BTreeSet<FileId>,
}

/// The code of a program by line, where that is asked for and known: that of symbols
/// with time, or all of it where specs choose among lines.
pub(super) fn pieces(
    lines: &[LineRun],
    table: &SymbolTable,
    costs: &CostGraph,
    plan: &Plan,
) -> Option<LinePieces> {
    let takes_all = !plan.filters.annotation.is_empty();
    let has_time = |id| !costs.self_cost(table.holder(id), costs.primary).is_zero();
    let cuts = |id| takes_all || has_time(id);
    (!lines.is_empty()).then(|| LinePieces::new(table, lines, cuts))
}

/// The sections about the sources of a sampled program: `pieces` are its code by line.
pub(super) fn annotate_sampled<'e>(
    profile: &Profile,
    material: &Material<'_>,
    blocks: &BlockCounts,
    pieces: &LinePieces,
    plan: &Plan,
    executable_of: &dyn Fn(FileId) -> Option<&'e Executable>,
    warnings: &mut Vec<Warning>,
) -> Vec<Section<'static>> {
    let table = material.table;
    let times = line_times(profile, material, pieces, plan);
    let files = execution_sources(material, blocks, &times);
    let nothing = files
        .is_empty()
        .then(|| empty_source("No source has a line with time or calls."));
    let mut annotated = annotate(files, table, plan, executable_of, warnings);
    annotated.sections.extend(nothing);
    let by_file = time_by_file(material, &times, |file| annotated.found.contains(&file));
    annotated.sections.extend(by_file);
    annotated.sections
}

/// Time by line, of what was asked for.
fn line_times(
    profile: &Profile,
    material: &Material<'_>,
    pieces: &LinePieces,
    plan: &Plan,
) -> LineTimes {
    let filters = material.filters;
    let specs = FilterSpecs {
        annotation: plan.filters.annotation.clone(),
        ..FilterSpecs::default()
    };
    let asked = (!specs.annotation.is_empty())
        .then(|| FilterSets::resolve(&specs, pieces.table()).annotation);
    let is_asked = |piece| asked.as_ref().is_none_or(|asked| asked.contains(piece));
    let is_kept = |owner| plan.keep.is_none() || filters.annotation.contains(owner);
    LineTimes::new(profile, material.table, pieces, |piece, owner| {
        is_asked(piece) && filters.time.contains(owner) && is_kept(owner)
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
    let mut annotator = Annotator::new(plan.source.marks);
    let mut all = Annotated::default();
    for source in files {
        plan.progress.advance(1);
        let file = source.file;
        let name = table.files().name(file);
        let shown = String::from_utf8_lossy(name).into_owned();
        let Some(found) = plan.source.search.find(name) else {
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
