//! `profan diff`: compares two sets of profiles.

mod inlining;
mod pairing;
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
use super::program_sections::section_of;
use crate::analyze::metric_named;
use crate::cli::{ComparisonOptions, Plan};
use crate::compare::comparison::{
    Compared, DifferenceMaterial, FailOn, LEAST_RUNS, Limit, Look, by_change, compare_programs,
    compare_together, difference_calls_section, difference_section, failures, halves_section,
    programs_section,
};
use crate::compare::matching::ShownNames;
use crate::compare::names_in_turn;
use crate::diagnose::{self, NotShown, RunError, RunResult, Warning};
use crate::files::check_named;
use crate::report::{
    Column, Layout, Metric, NameTable, Report, Role, RowTable, Section, SectionId,
};

use inlining::inlinings;
use sides::{Programs, sides};
use summing::{ProgramSums, Summed, sum_up};

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
    if programs.are_several() {
        check_programs(comparison)?;
    }
    if plan.renderer().compares_stacks() {
        return stacks::make(sides, &programs, comparison, plan, warnings);
    }
    let is_for_page = plan.renderer().is_page && plan.sections.is_open(SectionId::Tree);
    let wants_stacks = is_for_page || plan.sections.wants(SectionId::Tree);
    let again = sides.each_ref().map(GivenFiles::profiles_again);
    let summed = sum_up(sides, &programs, comparison, plan, warnings)?;
    let mut inputs =
        if comparison.halves { summed.inputs[1].clone() } else { summed.inputs_of_sides() };
    inputs.extend(programs.inputs());
    let mut report = Report { inputs, ..Report::default() };
    let shown = |one: &ProgramSums| ShownNames::new(one.joined.shown(), plan.look.style());
    let names: Vec<ShownNames> = summed.programs.iter().map(shown).collect();
    let (mut refusals, mut needs_runs) = (Vec::new(), false);
    if comparison.halves {
        let (metric, mut section) = halves(&summed, comparison)?;
        section.summary.extend(updated.map(diagnose::learned));
        report.metrics = vec![metric];
        report.sections = vec![section];
    } else if has_old {
        let tree_of = |metrics: &[Metric]| {
            let [old, new] = again;
            let sides = [old?, new?];
            wants_stacks.then(|| stacks::tree_section(sides, &programs, plan, metrics)).flatten()
        };
        (refusals, needs_runs) =
            add_difference(&mut report, &names, (&summed, &programs), comparison, plan, warnings)?;
        let tree = tree_of(&report.metrics);
        report.sections.extend(tree);
    } else {
        report.sections = vec![first_section(&summed, comparison)];
    }
    let lengths = summed.programs.iter().map(ProgramSums::n_functions);
    let names = names.into_iter().map(|names| Box::new(names) as Box<dyn NameTable>);
    report.names = Box::new(names_in_turn(names.zip(lengths).collect()));
    let made = finish(report, Vec::new(), None, plan, terminal, warnings)?;
    let has_failed = warnings.iter().any(|one| matches!(one, Warning::FailedSide { .. }));
    let baseline = updated.filter(|_| !has_failed).map(|path| {
        let ([previous, runs], [old, new]) = (summed.runs, summed.inputs);
        let new = NewBaseline { path: path.to_owned(), previous, runs, inputs: new, lock };
        if comparison.halves && has_old { new.learned_beside(old) } else { new }
    });
    Ok(Made { refusals, needs_runs, baseline, ..made })
}

/// Refuses options that concern one program.
fn check_programs(comparison: &ComparisonOptions) -> RunResult<()> {
    let refused = [
        (comparison.halves, "--self"),
        (comparison.until_sure, "--until-sure"),
        (comparison.normalize, "--normalize"),
    ];
    let found = refused.into_iter().find(|(is_asked, _)| *is_asked);
    found.map_or(Ok(()), |(_, what)| Err(RunError::NotShown { why: NotShown::OneProgram { what } }))
}

/// Adds the differences of functions. Returns the reasons to refuse the new side, and whether
/// it needs more runs.
fn add_difference(
    report: &mut Report,
    names: &[ShownNames],
    (summed, programs): (&Summed, &Programs),
    comparison: &ComparisonOptions,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<(Vec<String>, bool)> {
    let sums: Vec<_> = summed.programs.iter().map(|one| &one.sums).collect();
    let options = comparison.options();
    let compared = compare_programs(&sums, &options);
    let mut compared = compared.map_err(|unlike| RunError::UnlikeSides { unlike })?;
    let together = compared.iter_mut().zip(&summed.programs).map(|(compared, of_program)| {
        let ProgramSums { program, joined, .. } = of_program;
        let inlinings = inlinings(compared, joined, programs, program.as_ref(), &plan.reading);
        compare_together(compared, &inlinings)
    });
    let moved: Vec<_> = together.collect();
    let failed = compared.iter().filter_map(|one| one.failed);
    warnings.extend(failed.map(|side| Warning::FailedSide { side }));
    check_limits(&compared[0], comparison)?;
    warnings.extend(unused_reasons(&compared, comparison));
    let joined = summed.programs.iter().flat_map(|one| one.joined.rows.iter());
    let rules = comparison.rules();
    let idle = rules.unused_renames(joined.flat_map(|row| &row.old));
    warnings.extend(
        idle.into_iter().map(|rename| Warning::UnusedRename { rename: rename.text().to_owned() }),
    );
    let has_baseline = comparison.baseline.is_some();
    let look = compared.first().filter(|_| comparison.until_sure);
    let look = look.and_then(|compared| Look::of(compared, has_baseline));
    // Extra comparisons between the planned ones would raise the false-positive rate.
    let gates = match look {
        Some(look) if !look.is_planned => None,
        _ => Some((&*comparison.fail_on, &*comparison.limit)),
    };
    let failures = compared.iter().map(|compared| {
        let (fail_on, limit) = gates.unwrap_or_default();
        failures(compared, fail_on, limit, comparison.order)
    });
    let failures: Vec<_> = failures.collect();
    let names_of_programs = summed.programs.iter();
    let titles = names_of_programs.map(|one| Some(one.program.as_ref()?.name.clone()));
    let titles: Option<Vec<String>> = titles.collect();
    let material = |place: usize| DifferenceMaterial {
        compared: &compared[place],
        joined: &summed.programs[place].joined,
        order: comparison.order,
        failures: &failures[place],
        moved: &moved[place],
        look,
        rows_are_tests: plan.renderer().rows_are_tests,
        program: titles.as_ref().map(|titles| &*titles[place]),
        names: &names[place],
    };
    let has_calls = plan.sections.wants(SectionId::Graph);
    let has_functions = !has_calls || plan.sections.wants(SectionId::Flat);
    let sections = |material: &DifferenceMaterial<'_>| {
        let functions = has_functions.then(|| difference_section(material));
        let calls = has_calls.then(|| difference_calls_section(material));
        functions.into_iter().chain(calls)
    };
    let mut refusals = Vec::new();
    let mut refuse = |place: usize, of: &str| {
        let n_rows = summed.programs[place].joined.rows.len();
        let named = failures[place].iter().map(|one| one.named(n_rows, &names[place]));
        refusals.extend(named.map(|refusal| format!("{of}{refusal}")));
    };
    match &titles {
        None => {
            report.sections.extend(sections(&material(0)));
            refuse(0, "");
        }
        Some(titles) => {
            let order = by_change(&compared, titles);
            let all: Vec<_> = order.iter().map(|&place| material(place)).collect();
            report.sections.push(programs_section(&all, &options));
            for (&place, material) in order.iter().zip(&all) {
                let before = &summed.programs[..place];
                let first = before.iter().map(ProgramSums::n_functions).sum();
                for section in sections(material) {
                    report.sections.push(section_of(section, &titles[place], first)?);
                }
                refuse(place, &format!("{}: ", titles[place]));
            }
        }
    }
    (report.metrics, report.primary) = compared[0].metrics();
    Ok((refusals, look.is_some_and(|look| look.more_runs > 0)))
}

/// Warns of reasons that this comparison cannot give.
fn unused_reasons(programs: &[Compared], comparison: &ComparisonOptions) -> Option<Warning> {
    let reasons = comparison.fail_on.iter();
    let is_used = |on: &FailOn| programs.iter().any(|compared| on.can_be_found(compared));
    let reasons: Vec<_> = reasons.filter(|on| !is_used(on)).map(|on| on.id()).collect();
    let is_used = |limit: &Limit| programs.iter().any(|one| limit.can_be_exceeded(one));
    let limits = comparison.limit.iter().filter(|limit| !is_used(limit));
    let limits: Vec<_> = limits.map(|limit| &*limit.value).collect();
    let n_idle = reasons.len() + limits.len();
    let idle = [("--fail-on", reasons), ("--limit", limits)];
    let idle = idle.iter().filter(|(_, names)| !names.is_empty());
    let idle: Vec<_> =
        idle.map(|(option, names)| format!("{option} {}", names.join(","))).collect();
    let has_failed = programs.iter().any(|one| one.failed.is_some());
    (n_idle > 0 && !has_failed).then(|| Warning::UnusedGate {
        reasons: idle.join(" and "),
        is_sampled: programs.iter().any(Compared::is_by_chance),
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
    let halves = halves_section(&summed.programs[0].sums[1], &comparison.options());
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
