//! `profan diff`: compares two sets of profiles.

mod inlining;
mod sides;
mod stacks;
mod summing;

use std::path::Path;

use anyhow::Result;

use super::Terminal;
use super::baseline::{self, NewBaseline};
use super::checks::no_metric;
use super::inputs::over_input::{check_file, check_output};
use super::inputs::run_files::GivenFiles;
use super::made::{Made, finish};
use crate::analyze::metric_named;
use crate::cli::{ComparisonOptions, Plan};
use crate::compare::comparison::{
    Compared, DifferenceMaterial, LEAST_RUNS, Look, compare_sides, compare_together,
    difference_calls_section, difference_section, failures, halves_section,
};
use crate::compare::matching::ShownNames;
use crate::diagnose::{self, NotShown, RunError, RunResult, Warning};
use crate::files::check_named;
use crate::report::{Column, Layout, Metric, Report, Role, RowTable, Section, SectionId};

use inlining::inlinings;
use sides::{Programs, sides};
use summing::{Summed, sum_up};

/// Makes the report on the differences of two sides.
///
/// # Errors
/// If an input cannot be used, or the sides cannot be compared.
pub(super) fn make(
    plan: &Plan,
    comparison: &ComparisonOptions,
    terminal: Terminal,
    warnings: &mut Vec<Warning>,
) -> Result<Made> {
    let updated = comparison.baseline.as_deref().filter(|_| comparison.update);
    let lock = updated.and_then(baseline::lock);
    let new = comparison.new.iter().flatten();
    let given = plan.files.iter().chain(new).chain(&comparison.baseline);
    check_output(plan, given.map(|path| path as &Path))?;
    if let Some(baseline) = updated {
        let new = comparison.new.iter().flatten();
        check_file("--baseline", baseline, plan.files.iter().chain(new).map(|path| path as &Path))?;
    }
    if let Some(baseline) = comparison.baseline.as_deref().filter(|path| path.exists()) {
        check_named(baseline).map_err(|source| RunError::unusable_baseline(baseline, &source))?;
    }
    let is_judged = comparison.judges();
    let is_compared = comparison.baseline.is_some() && !comparison.update;
    let has_two_sides = comparison.new.is_some() || is_compared;
    if comparison.halves && (is_judged || has_two_sides) {
        return Err(RunError::NotShown { why: NotShown::JudgedHalves }.into());
    }
    let mut sides = sides(plan, comparison)?;
    sides.iter_mut().for_each(|side| warnings.append(&mut side.warnings));
    let has_old = !sides[0].is_empty();
    let programs = Programs::of(&mut sides, &plan.reading)?;
    if plan.renderer().compares_stacks() {
        return stacks::make(sides, &programs, comparison, plan, warnings);
    }
    let is_for_page = plan.renderer().is_page && plan.sections.is_open(SectionId::Tree);
    let wants_stacks = is_for_page || plan.sections.wants(SectionId::Tree);
    let again = sides.each_ref().map(GivenFiles::profiles_again);
    let readers = [0, 1].map(|side| programs.reader(side, plan));
    let summed = sum_up(sides, readers, comparison, warnings)?;
    let mut inputs =
        if comparison.halves { summed.inputs[1].clone() } else { summed.inputs_of_sides() };
    inputs.extend(programs.inputs());
    let mut report = Report { inputs, ..Report::default() };
    let names = || ShownNames::new(summed.joined.shown(), plan.look.style());
    let (mut refusals, mut needs_runs) = (Vec::new(), false);
    if comparison.halves {
        let (metric, mut section) = halves(&summed, comparison)?;
        section.summary.extend(updated.map(diagnose::learned));
        report.metrics = vec![metric];
        report.names = Box::new(names());
        report.sections = vec![section];
    } else if has_old {
        let tree_of = |metrics: &[Metric]| {
            let [old, new] = again;
            let sides = [old?, new?];
            wants_stacks.then(|| stacks::tree_section(sides, &programs, plan, metrics)).flatten()
        };
        let names = names();
        (refusals, needs_runs) =
            add_difference(&mut report, &names, (&summed, &programs), comparison, plan, warnings)?;
        let tree = tree_of(&report.metrics);
        report.sections.extend(tree);
        report.names = Box::new(names);
    } else {
        report.sections = vec![first_section(&summed, comparison)];
    }
    let made = finish(report, Vec::new(), None, plan, terminal, warnings)?;
    let has_failed = warnings.iter().any(|one| matches!(one, Warning::FailedSide { .. }));
    let baseline = updated.filter(|_| !has_failed).map(|path| {
        let ([previous, runs], [old, new]) = (summed.runs, summed.inputs);
        let new = NewBaseline { path: path.to_owned(), previous, runs, inputs: new, lock };
        if comparison.halves && has_old { new.learned_beside(old) } else { new }
    });
    Ok(Made { refusals, needs_runs, baseline, ..made })
}

/// Adds the differences of functions. Returns the reasons to refuse the new side, and whether
/// it needs more runs.
fn add_difference(
    report: &mut Report,
    names: &ShownNames,
    (summed, programs): (&Summed, &Programs),
    comparison: &ComparisonOptions,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<(Vec<String>, bool)> {
    let Summed { joined, sums, .. } = summed;
    let [old, new] = sums;
    let compared = compare_sides(old, new, &comparison.options());
    let mut compared = compared.map_err(|unlike| RunError::UnlikeSides { unlike })?;
    let inlinings = inlinings(&compared, joined, programs, &plan.reading);
    let moved = compare_together(&mut compared, &inlinings);
    warnings.extend(compared.failed.map(|side| Warning::FailedSide { side }));
    check_limits(&compared, comparison)?;
    warnings.extend(unused_reasons(&compared, comparison));
    let old_names = joined.rows.iter().flat_map(|row| &row.old);
    let rules = comparison.rules();
    let idle = rules.unused_renames(old_names);
    warnings.extend(
        idle.into_iter().map(|rename| Warning::UnusedRename { rename: rename.text().to_owned() }),
    );
    let has_baseline = comparison.baseline.is_some();
    let look = Some(&compared).filter(|_| comparison.until_sure);
    let look = look.and_then(|compared| Look::of(compared, has_baseline));
    // Extra comparisons between the planned ones would raise the false-positive rate.
    let failures = match look {
        Some(look) if !look.is_planned => Vec::new(),
        _ => failures(&compared, &comparison.fail_on, &comparison.limit, comparison.order),
    };
    let material = DifferenceMaterial {
        compared: &compared,
        joined,
        order: comparison.order,
        failures: &failures,
        moved: &moved,
        look,
        rows_are_tests: plan.renderer().rows_are_tests,
        names,
    };
    let has_calls = plan.sections.wants(SectionId::Graph);
    let has_functions = !has_calls || plan.sections.wants(SectionId::Flat);
    report.sections.extend(has_functions.then(|| difference_section(&material)));
    report.sections.extend(has_calls.then(|| difference_calls_section(&material)));
    (report.metrics, report.primary) = compared.metrics();
    let refusals = failures.iter().map(|failure| failure.named(joined.rows.len(), names));
    Ok((refusals.collect(), look.is_some_and(|look| look.more_runs > 0)))
}

/// Warns of reasons that this comparison cannot give.
fn unused_reasons(compared: &Compared, comparison: &ComparisonOptions) -> Option<Warning> {
    let reasons = comparison.fail_on.iter();
    let reasons: Vec<_> =
        reasons.filter(|on| !on.can_be_found(compared)).map(|on| on.id()).collect();
    let limits = comparison.limit.iter().filter(|limit| !limit.can_be_exceeded(compared));
    let limits: Vec<_> = limits.map(|limit| &*limit.value).collect();
    let n_idle = reasons.len() + limits.len();
    let idle = [("--fail-on", reasons), ("--limit", limits)];
    let idle = idle.iter().filter(|(_, names)| !names.is_empty());
    let idle: Vec<_> =
        idle.map(|(option, names)| format!("{option} {}", names.join(","))).collect();
    (n_idle > 0 && compared.failed.is_none()).then(|| Warning::UnusedGate {
        reasons: idle.join(" and "),
        is_sampled: compared.is_by_chance(),
        is_whole: n_idle == comparison.fail_on.len() + comparison.limit.len(),
    })
}

/// Refuses limits of values that the profiles lack.
fn check_limits(compared: &Compared, comparison: &ComparisonOptions) -> Result<(), RunError> {
    let (metrics, _) = compared.metrics();
    let mut limits = comparison.limit.iter();
    let unknown = limits.find(|limit| metric_named(&metrics, &limit.value).is_none());
    unknown.map_or(Ok(()), |limit| Err(no_metric("--limit", &limit.value, &metrics)))
}

/// The comparison of halves of one side, and its metric.
fn halves(summed: &Summed, comparison: &ComparisonOptions) -> RunResult<(Metric, Section)> {
    let halves = halves_section(&summed.sums[1], &comparison.options());
    halves.ok_or(RunError::NotShown { why: NotShown::FewHalves { least_runs: LEAST_RUNS } })
}

/// Reports that no baseline existed yet.
fn first_section(summed: &Summed, comparison: &ComparisonOptions) -> Section {
    let baseline = comparison.baseline.as_deref().unwrap_or(Path::new(""));
    let n_runs = summed.runs[1].len() as u64;
    let said = diagnose::new_baseline(baseline, n_runs);
    let name = Column::shown("name", Role::Name, ["", "name"]);
    let title = "Difference:";
    let rows = RowTable::default();
    let section = Section::new(SectionId::Difference, title, Layout::Table, [name], rows);
    Section { summary: vec![said], ..section }
}
