//! Differences of call stacks, for formats that show them: each side is summed and reported
//! as a call tree, and the trees are compared.

use anyhow::{Result, bail};

use super::sides::Programs;
use crate::cli::{ComparisonOptions, Plan, RequestedSections};
use crate::compare::stacks::{SideTree, side_names, stack_difference};
use crate::diagnose::{NotShown, RunError, Warning};
use crate::report::{Metric, Report, ReportInput, Section, SectionId};
use crate::run::inputs::run_files::{GivenFiles, RunFile, RunFiles};
use crate::run::made::{Made, finish};
use crate::run::{Terminal, sections_report};

/// Makes the report on the difference of the call stacks of two sides.
///
/// # Errors
/// If a file cannot be used, a side has no call stacks, or both have different units.
pub(super) fn make(
    sides: [GivenFiles; 2],
    programs: &Programs,
    comparison: &ComparisonOptions,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<Made> {
    let format = plan.renderer().name;
    let is_judged = comparison.judges() || comparison.halves;
    if is_judged || comparison.baseline.is_some() {
        bail!(RunError::NotShown { why: NotShown::JudgedStacks { format } });
    }
    if sides.iter().any(|side| !side.reports.is_empty()) {
        bail!(RunError::NotShown { why: NotShown::SavedStacks { format } });
    }
    let compared = match trees(sides, programs, plan, warnings)? {
        ([Some(old), Some(new)], n_runs) => stack_difference([old, new], n_runs),
        _ => None,
    };
    let Some((sections, [old, new])) = compared else {
        bail!(RunError::NotShown { why: NotShown::UnlikeStacks { format } });
    };
    let inputs = [marked(&old, "old"), marked(&new, "new"), programs.inputs()].concat();
    let report = Report {
        inputs,
        metrics: old.metrics,
        primary: old.primary,
        names: Box::new(side_names([old.names, new.names])),
        sections: sections.into(),
        ..Report::default()
    };
    Ok(finish(report, Vec::new(), None, plan, Terminal::default(), warnings)?)
}

/// The difference of the call trees of two sides, for a report with these metrics. `None` if a
/// side has no call tree, or both have different units. Names are text, since the report has
/// names of its own.
pub(super) fn tree_section(
    sides: [GivenFiles; 2],
    programs: &Programs,
    plan: &Plan,
    metrics: &[Metric],
) -> Option<Section> {
    // Both sides were read before, with their warnings.
    let ([old, new], n_runs) = trees(sides, programs, plan, &mut Vec::new()).ok()?;
    let sides = [old?.with_texts(), new?.with_texts()];
    let ([mut tree, _], [old, _]) = stack_difference(sides, n_runs)?;
    for column in &mut tree.columns {
        let metric = column.metric.and_then(|index| old.metrics.get(index));
        column.metric = metric.and_then(|metric| {
            let is_it = |one: &Metric| one.id == metric.id;
            metrics.iter().position(is_it)
        });
    }
    // The page shows rows.
    Some(Section { stacks: None, ..tree })
}

/// Number of runs of each side; one if all files are one run.
fn n_runs(sides: &[GivenFiles; 2]) -> [u64; 2] {
    sides.each_ref().map(|files| {
        let again = files.profiles.iter().filter_map(RunFile::again).collect();
        RunFiles::of(again).len().max(1) as u64
    })
}

/// The call trees of both sides, as far as they have some, and the number of runs of each side.
fn trees(
    sides: [GivenFiles; 2],
    programs: &Programs,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<([Option<SideTree>; 2], [u64; 2])> {
    let mut n_runs = n_runs(&sides);
    let tree_plan = sections_report::plan(plan, RequestedSections::only([SectionId::Tree]));
    let callers_below = plan.reports.tree.flatten().unwrap_or_default();
    let [old, new] = sides;
    let mut of_side = |side: usize, files: GivenFiles| {
        let files = files.profiles.into_iter().map(|file| file.open(&tree_plan.reading));
        let programs = programs.of_side(side);
        let read = programs.read(files.collect::<Result<_>>()?, &tree_plan)?;
        n_runs[side] = n_runs[side].saturating_sub(read.skipped.len() as u64).max(1);
        let report = sections_report::of(read, programs, &tree_plan, warnings)?;
        anyhow::Ok(SideTree::of(report, callers_below))
    };
    let trees = [of_side(0, old)?, of_side(1, new)?];
    Ok((trees, n_runs))
}

/// The profiles of a report, marked with their side.
fn marked(report: &Report, side: &'static str) -> Vec<ReportInput> {
    let profiles = report.inputs.iter().filter(|input| input.kind == "profile");
    let profiles = profiles
        .map(|input| ReportInput { kind: format!("{side} profile").into(), ..input.clone() });
    profiles.collect()
}
