//! `profan diff`: compares two sets of profiles.

mod baseline;
mod sides;
mod stacks;
mod summing;

use std::cmp::Ordering;
use std::path::Path;

use anyhow::Result;

use super::inputs::over_input::{check_file, check_output};
use super::inputs::run_files::GivenFiles;
use super::report_writer::{ReportParts, ReportWriter};
use super::{Alert, Outcome, Terminal, not_found};
use crate::cli::{ComparisonPlan, OutputStyle, Plan};
use crate::compare::comparison::{
    Compared, DifferenceMaterial, Failure, LEAST_RUNS, Look, compare_sides,
    difference_calls_section, difference_section, failures, halves_section,
};
use crate::compare::matching::{Joined, ShownNames};
use crate::diagnose::{RunError, Warning};
use crate::output::Sink;
use crate::report::number::counted;
use crate::report::{
    Column, Layout, Metric, NameId, NameTable, Role, RowTable, Section, SectionId,
};
use crate::symbols::Style;
use sides::{Programs, sides};
use summing::{Summed, sum_up};

/// Reports the differences of two sides. Passes urgent problems to `alert` before the report.
///
/// # Errors
/// If an input cannot be used, the sides cannot be compared, or the report cannot be written.
pub fn compare(
    plan: &Plan,
    comparison: &ComparisonPlan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(Alert<'_>),
) -> Result<Outcome> {
    let outcome = report(plan, comparison, terminal, out, alert);
    outcome.map_err(|error| not_found::with_advice(error, plan))
}

fn report(
    plan: &Plan,
    comparison: &ComparisonPlan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(Alert<'_>),
) -> Result<Outcome> {
    let new = comparison.new.iter().flatten();
    let given = plan.files.iter().chain(new).chain(&comparison.baseline);
    check_output(plan, given.map(|path| path as &Path))?;
    if let Some(baseline) = comparison.baseline.as_deref().filter(|_| comparison.updates) {
        let new = comparison.new.iter().flatten();
        check_file("--baseline", baseline, plan.files.iter().chain(new).map(|path| path as &Path))?;
    }
    let is_judged = !comparison.fail_on.is_empty() || comparison.until_sure;
    let has_two_sides = comparison.new.is_some() || comparison.baseline.is_some();
    if comparison.halves && (is_judged || has_two_sides) {
        let refused = RunError::NotShown {
            reason: "--self compares halves of one side, and judges none".to_owned(),
            advice: Some("omit `--`, --fail-on, --until-sure and --baseline".to_owned()),
        };
        return Err(refused.into());
    }
    let mut sides = sides(plan, comparison)?;
    let has_old = !sides[0].is_empty();
    let programs = Programs::of(&mut sides, plan)?;
    if plan.renderer().compares_stacks() {
        let mut report_writer = ReportWriter::new(plan, terminal, out, alert);
        let mut warnings = Vec::new();
        stacks::report_difference(sides, &programs, comparison, &mut report_writer, &mut warnings)?;
        return Ok(Outcome::of(warnings));
    }
    let is_for_page = plan.renderer().is_page && plan.styles.is_open(OutputStyle::Tree);
    let wants_stacks = is_for_page || plan.styles.wants(OutputStyle::Tree);
    let again = sides.each_ref().map(GivenFiles::profiles_again);
    let readers = [0, 1].map(|side| programs.reader(side, plan));
    let mut report_writer = ReportWriter::new(plan, terminal, out, alert);
    let mut warnings = Vec::new();
    let summed = sum_up(sides, readers, comparison, &mut report_writer, &mut warnings)?;
    report_writer.inputs =
        if comparison.halves { summed.inputs[1].clone() } else { summed.inputs_of_sides() };
    report_writer.inputs.extend(programs.inputs());
    let mut outcome = Outcome::of(warnings);
    if comparison.halves {
        show_halves(&summed, comparison, &mut report_writer, &mut outcome.warnings)?
    } else if has_old {
        let tree_of = |metrics: &[Metric]| {
            let [old, new] = again;
            let sides = [old?, new?];
            wants_stacks.then(|| stacks::tree_section(sides, &programs, plan, metrics)).flatten()
        };
        show(&summed, comparison, tree_of, &mut report_writer, &mut outcome)?
    } else {
        say_first(&summed, comparison, &mut report_writer, &mut outcome.warnings)?
    }
    // What is refused is nothing to compare with.
    let is_refused = !outcome.refusals.is_empty() || plan.deny.covers_any(&outcome.warnings);
    let baseline = comparison.baseline.as_deref();
    if let Some(path) =
        baseline.filter(|_| comparison.updates && !is_refused && !outcome.needs_runs)
    {
        let [old, new] = &summed.runs;
        baseline::write(path, old, new, &summed.inputs[1])?;
    }
    Ok(outcome)
}

/// Writes the report, with the section of call stacks if there is one, and with the reasons to
/// refuse the new side.
fn show(
    summed: &Summed,
    comparison: &ComparisonPlan,
    tree_of: impl FnOnce(&[Metric]) -> Option<Section<'static>>,
    report_writer: &mut ReportWriter<'_>,
    outcome: &mut Outcome,
) -> Result<()> {
    let warnings = &mut outcome.warnings;
    let plan = report_writer.plan;
    let Summed { joined, sums, .. } = summed;
    let [old, new] = sums;
    let compared = compare_sides(old, new, &comparison.options);
    let compared = compared.map_err(|unlike| RunError::UnlikeSides { unlike })?;
    warnings.extend(unused_reasons(&compared, comparison));
    let old_names = joined.rows.iter().flat_map(|row| &row.old);
    let idle = comparison.rules.unused_renames(old_names);
    warnings.extend(
        idle.into_iter().map(|rename| Warning::UnusedRename { rename: rename.text().to_owned() }),
    );
    let has_baseline = comparison.baseline.is_some();
    let look = Some(&compared).filter(|_| comparison.until_sure);
    let look = look.and_then(|compared| Look::of(compared, has_baseline));
    // Between planned comparisons, chance could refuse as often as it is asked.
    let fail_on = match look {
        Some(look) if !look.is_planned => &[],
        _ => &*comparison.fail_on,
    };
    let failures = failures(&compared, fail_on, comparison.order);
    let names = shown_names(joined, report_writer);
    let material = DifferenceMaterial {
        compared: &compared,
        joined,
        order: comparison.order,
        failures: &failures,
        look,
        rows_are_tests: plan.renderer().rows_are_tests,
        names: &names,
    };
    let mut sections = sections(plan, &material);
    let refusals = failures.iter().map(|failure| refusal(failure, joined, &names));
    outcome.refusals = refusals.collect();
    outcome.needs_runs = look.is_some_and(|look| look.more_runs > 0);
    let (metrics, primary) = compared.metrics();
    sections.extend(tree_of(&metrics));
    let report_parts = ReportParts { metrics, primary, names: Box::new(names), sections };
    report_writer.print(report_parts, warnings)
}

/// The names of both sides as the report shows them.
fn shown_names(joined: &Joined, report_writer: &ReportWriter<'_>) -> ShownNames {
    let plan = report_writer.plan;
    let style = plan.text.demangle;
    let decodes = report_writer.terminal.is_for_people(plan) && style == Style::Auto;
    ShownNames::new(joined.shown(), style, decodes)
}

/// A reason to refuse, with the name of its function.
fn refusal(failure: &Failure, joined: &Joined, names: &dyn NameTable) -> String {
    let what = match failure.row.cmp(&joined.rows.len()) {
        Ordering::Less => {
            let id = u32::try_from(failure.row).unwrap_or(u32::MAX);
            let name = names.name(NameId(id));
            format!("`{}`", String::from_utf8_lossy(name))
        }
        Ordering::Equal => "time outside functions".to_owned(),
        Ordering::Greater => "the whole program".to_owned(),
    };
    format!("{what}: {}", failure.reason)
}

/// Warns of reasons that this comparison cannot give.
fn unused_reasons(compared: &Compared, comparison: &ComparisonPlan) -> Option<Warning> {
    let reasons = comparison.fail_on.iter();
    let idle = reasons.filter(|on| !on.can_be_found(compared));
    let idle: Vec<_> = idle.map(|on| on.id()).collect();
    (!idle.is_empty()).then(|| Warning::UnusedGate {
        reasons: idle.join(","),
        is_sampled: compared.is_by_chance(),
        is_whole: idle.len() == comparison.fail_on.len(),
    })
}

/// Writes the comparison of halves of one side.
fn show_halves(
    summed: &Summed,
    comparison: &ComparisonPlan,
    report_writer: &mut ReportWriter<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let Some((metric, section)) = halves_section(&summed.sums[1], &comparison.options) else {
        return Err(RunError::NotShown {
            reason: format!("--self compares {LEAST_RUNS} or more sampled runs of one program"),
            advice: Some("profan diff --self RUN... PROGRAM".to_owned()),
        }
        .into());
    };
    let report_parts = ReportParts {
        metrics: vec![metric],
        primary: 0,
        names: Box::new(shown_names(&summed.joined, report_writer)),
        sections: vec![section],
    };
    report_writer.print(report_parts, warnings)
}

/// Reports that no baseline existed yet.
fn say_first(
    summed: &Summed,
    comparison: &ComparisonPlan,
    report_writer: &mut ReportWriter<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let baseline = comparison.baseline.as_deref().unwrap_or(Path::new(""));
    let n_runs = summed.runs[1].len() as u64;
    let said = format!(
        "{} created from {}; nothing to compare yet.",
        baseline.display(),
        counted(n_runs, "profile", "profiles")
    );
    let mut section = Section::new(
        SectionId::Difference,
        "Difference:",
        Layout::Table,
        [Column::shown("name", Role::Name, ["", "name"])],
        RowTable::default(),
    );
    section.summary = vec![said];
    let report_parts = ReportParts { sections: vec![section], ..ReportParts::of_files() };
    report_writer.print(report_parts, warnings)
}

fn sections(plan: &Plan, material: &DifferenceMaterial<'_>) -> Vec<Section<'static>> {
    let has = |style| plan.styles.wants(style);
    let mut sections = Vec::new();
    if has(OutputStyle::Flat) || !has(OutputStyle::Graph) {
        sections.push(difference_section(material));
    }
    if has(OutputStyle::Graph) {
        sections.push(difference_calls_section(material));
    }
    sections
}
