//! The report of a profile of any kind.

use std::sync::{Arc, OnceLock};

use anyhow::Result;

use super::made::{Made, finish};
use super::objects::build::{self, ProgramFit};
use super::objects::reading::Read;
use super::objects::{Object, is_sampled};
use super::rendering::usual_width;
use super::sections::{SectionMaker, requested_sections};
use super::sources::{self, MissingSource};
use super::subject::{Subject, SubjectOptions, SubjectSymbols, put_at_base};
use super::{Terminal, checks, guesses, inlined, problems, run_time, unavailable};
use crate::analyze::{
    CountingCost, Material, SectionOptions, SymbolNames, overview_section, sampled_total,
};
use crate::cli::{Plan, RequestedSections, Task};
use crate::diagnose::{self, Fact, SubjectFacts, UnavailableReports, Warning};
use crate::model::Profile;
use crate::report::{Audience, Report, ReportInput, Section, SectionId};
use crate::symbols::{CountingLibrary, Demangler, Program, SymbolTable};
use crate::threads;

/// Columns of charts in viewers, which zoom.
const TIME_AXIS_WIDTH: usize = 1024;

/// Makes the report of profiles, whose warnings are among `warnings`. With an `external` table,
/// it has the symbols of the first object.
///
/// # Errors
/// If objects cannot be combined, or a request cannot be met.
pub(super) fn make(
    read: Read<'_>,
    external: Option<&Arc<SymbolTable>>,
    plan: &Plan,
    terminal: Terminal,
    warnings: &mut Vec<Warning>,
) -> Result<Made> {
    let Read { mut objects, mut inputs, files, notes: mut notes_on_files, .. } = read;
    put_at_base(&mut objects, plan.reading.base);
    let fit = build::check(&mut objects, &mut inputs, &plan.reading, warnings)?;
    let counting = counting_cost(&objects, fit);
    let n_before = warnings.len();
    let mut notes = Vec::new();
    if let Some((cost, sampled)) = &counting {
        match diagnose::check_counting(cost, *sampled) {
            Some(warning) => warnings.push(warning),
            None => notes.extend(diagnose::counting_time(cost, *sampled)),
        }
    }
    if plan.reading.wall.is_none() {
        let is_counting_told = warnings.len() > n_before || !notes.is_empty();
        notes.extend(not_included(&objects, fit, !is_counting_told));
    }
    notes.extend(older_profiles(&objects, fit));
    let mut subject = Subject::new(objects, external, &SubjectOptions::of(plan))?;
    notes.extend(unused_program(&subject));
    checks::check_points(&plan.reports, &subject.profile)?;
    let facts = unavailable::facts(&subject, plan);
    let audience = terminal.audience(plan);
    let requested = requested_sections(plan, &subject, facts, audience);
    let shows_parts = requested.contains(&SectionId::Flat) && !plan.rows.stable;
    let code = inlined::look_up(&subject, fit, shows_parts, &plan.reading.symbols);
    problems::add_warnings(&subject, fit, code.is_some(), facts, plan, warnings)?;
    let is_for_screen = audience == Audience::Screen;
    // One run each, as far as known.
    let n_profiles = inputs.iter().filter(|input| input.kind == "profile").count();
    let has_error = plan.look.error || plan.renderer().shows_error || plan.is_browsed;
    let options = SectionOptions {
        shows_zero_cost: plan.functions.display_unused_functions,
        has_all_metrics: plan.renderer().has_all_metrics,
        is_bsd: plan.look.traditional,
        has_error: has_error || plan.renderer().shows_guesses,
        marks_guesses: !plan.rows.stable
            && (is_for_screen || has_error || plan.renderer().shows_guesses),
        n_runs: u32::try_from(n_profiles).unwrap_or(u32::MAX),
        audience,
        is_side: matches!(plan.task, Task::Comparison(_)),
        has_all_columns: plan.renderer().has_screen_rows
            || plan.rows.columns.is_some()
            || plan.rows.sort.is_some(),
        orders_by_total: is_for_screen || plan.renderer().has_screen_rows,
        ratio: checks::ratio(plan.functions.ratio.as_deref(), &subject.selection.costs)?,
    };
    let demangler = &Demangler::of_program(plan.look.style(), subject.table().names());
    let shows_inlined = is_for_screen || plan.renderer().has_screen_rows;
    let about_code = code.as_ref();
    let about_code =
        about_code.and_then(|code| inlined::note(code, &subject, demangler, is_for_screen));
    notes.extend(about_code);
    notes.extend(inlined::about_requested(&subject, demangler));
    if let Some(code) = code.filter(|_| shows_inlined) {
        subject.add_inlined_code(&code.functions, code.table, &SubjectOptions::of(plan))?;
    }
    let costs = Arc::get_mut(&mut subject.selection.costs).expect("no section has them yet");
    let share = match costs.sampling {
        Some(_) => run_time::share(&subject.profile, &plan.reading, warnings)?,
        None => None,
    };
    let scale = run_time::scale(share.as_ref(), &plan.reading)?;
    if let Some(factor) = scale {
        costs.scale_times(factor);
    }
    let subject = subject;
    let material = subject.material(options);
    let maker = SectionMaker {
        subject: &subject,
        ranks: OnceLock::new(),
        plan,
        demangler,
        width: if plan.renderer().has_time_axis {
            TIME_AXIS_WIDTH
        } else {
            usual_width(&plan.look, terminal)
        },
        material,
    };
    let unavailable = UnavailableReports::of(files.len() + usize::from(plan.sum.is_some()));
    let mut made = Vec::new();
    let (about_guesses, pushed) = threads::in_parallel(
        subject.table().symbols().len() > threads::WORTH_ITEMS,
        || guesses::note(&material, demangler).filter(|_| shows_totals(&requested)),
        || push_sections(&maker, &requested, facts, unavailable, &mut made, warnings),
    );
    pushed?;
    notes.extend(about_guesses);
    let largest = subject.selection.costs.largest_share();
    notes.extend(largest.as_ref().and_then(diagnose::few_samples));
    if !shows_times(&requested) {
        notes.clear();
    }
    if shows_calls(&requested) {
        notes.extend(diagnose::least_calls(subject.selection.costs.metric()));
    }
    if plan.rows.stable {
        notes.clear();
        notes_on_files.clear();
    }
    let mut total = None;
    let mut sections = files;
    match overview(&maker.material, &inputs, &subject, &plan.sections) {
        Some(mut overview) => {
            overview.summary.extend(subject.selection.costs.also_recorded());
            overview.summary.append(&mut notes);
            sections.push(overview);
        }
        None => {
            let is_told = shows_times(&requested) && !plan.rows.stable;
            total = sampled_total(&maker.material).filter(|_| is_told);
            notes_on_files.append(&mut notes);
        }
    }
    sections.append(&mut made);
    if may_have_errors(&subject) {
        // Another warning covers parts of lines.
        let is_asked = plan.look.error && subject.selection.costs.has_known_parts();
        warnings.extend(unavailable::of_error(&sections, Fact::Uncertainty).filter(|_| is_asked));
    }
    let costs = &subject.selection.costs;
    let program = subject.executable().map(|(_, program)| program);
    let counting = counting.as_ref().map(|(cost, _)| cost);
    let run_section = |share| run_time::section(&share, program, counting, scale, warnings);
    sections.extend(share.map(run_section));
    let table = subject.table();
    let names = match &subject.symbols {
        SubjectSymbols::Program(_) if plan.reports.group_by.is_none() => {
            SymbolNames::of_program(table, plan.look.style())
        }
        _ => {
            let names = SymbolNames::of_contexts(table, plan.look.style(), plan.is_by_line());
            // Only such a table repeats names without another difference.
            if subject.profile.costs.build.is_some() { names.with_numbers() } else { names }
        }
    };
    let report = Report {
        inputs,
        metrics: costs.shape.metrics.clone(),
        primary: costs.shape.primary,
        names: Box::new(names),
        sections,
        notes: total.into_iter().collect(),
        ..Report::default()
    };
    let kept = subject.selection.kept.clone();
    Ok(finish(report, notes_on_files, kept, plan, terminal, warnings)?)
}

/// The first lines of a report on a terminal.
fn overview(
    material: &Material<'_>,
    inputs: &[ReportInput],
    subject: &Subject<'_>,
    requested: &RequestedSections,
) -> Option<Section> {
    // An order is for the linker.
    let is_order = requested.want_only(SectionId::Order);
    let what_it_is = || diagnose::origin(inputs, &subject.profile.costs.parts);
    let is_shown = material.options.audience == Audience::Screen && !is_order;
    is_shown.then(|| overview_section(material, what_it_is()))
}

/// The time that a report of sampled objects excludes. Empty for another build, which has its
/// own warning.
fn not_included(objects: &[Object<'_>], fit: ProgramFit, names_counter: bool) -> Option<String> {
    let (program, profile) = timed_program(objects, fit)?;
    let libraries = objects.iter().filter(|object| object.is_library);
    let libraries: Vec<_> = libraries.map(Object::loaded_name).collect();
    let libraries: Vec<_> = libraries.iter().map(|name| &**name).collect();
    let has_counted = program.linkage.counted_by.is_some() && !profile.arcs().is_empty();
    diagnose::not_included(&program.linkage, &libraries, names_counter && has_counted)
}

/// The time to count calls, if a library counted them, and the sampled time in seconds.
fn counting_cost(objects: &[Object<'_>], fit: ProgramFit) -> Option<(CountingCost, f64)> {
    let (program, profile) = timed_program(objects, fit)?;
    let is_measured = program.linkage.counted_by? == CountingLibrary::Measured;
    Some((CountingCost::new(profile.arcs(), is_measured), profile.sampled_seconds()?))
}

/// The program with times that belong to it.
fn timed_program<'a>(
    objects: &'a [Object<'_>],
    fit: ProgramFit,
) -> Option<(&'a Program, &'a Profile)> {
    let object = objects.iter().find(|object| !object.is_library)?;
    let (_, program) = object.executable.filter(|_| fit == ProgramFit::Fits)?;
    let profile = &object.profile;
    let has_times = is_sampled(profile) && !profile.histograms().is_empty();
    has_times.then_some((program, profile))
}

/// The profiles that are older than a program whose code they match.
fn older_profiles(objects: &[Object<'_>], fit: ProgramFit) -> Option<String> {
    let program = objects.iter().find(|object| !object.is_library)?;
    let (executable, _) = program.executable.filter(|_| fit == ProgramFit::Fits)?;
    diagnose::older_profiles(&program.paths, executable.path())
}

/// Returns whether any of these reports contains durations.
fn shows_times(requested: &[SectionId]) -> bool {
    use SectionId as S;
    let of_times = [S::Flat, S::Graph, S::Tree, S::Source];
    requested.iter().any(|section| of_times.contains(section))
}

/// Returns whether any of these reports contains numbers of calls.
fn shows_calls(requested: &[SectionId]) -> bool {
    use SectionId as S;
    requested.iter().any(|section| [S::Flat, S::Graph, S::Counts, S::Source].contains(section))
}

/// Returns whether any of these reports contains totals of functions.
fn shows_totals(requested: &[SectionId]) -> bool {
    use SectionId as S;
    requested.iter().any(|section| [S::Flat, S::Graph, S::Tree].contains(section))
}

/// Adds the requested sections, or the reasons why they are missing.
fn push_sections<'a>(
    maker: &SectionMaker<'a>,
    requested: &[SectionId],
    facts: SubjectFacts,
    mut reports: UnavailableReports,
    sections: &mut Vec<Section>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let SectionMaker { subject, plan, .. } = maker;
    let before_index = maker.section_before_index(requested);
    for &section in requested {
        if let Some(why) = unavailable::of_report(section, facts) {
            reports.add_unavailable(why, warnings);
            continue;
        }
        warnings.extend(unavailable::of_part(section, &subject.selection));
        if section == SectionId::Source {
            // A page has the sources that are there.
            let is_extra = !plan.sections.wants(section);
            let mut about_files = Vec::new();
            let annotated = sources::annotated(maker, &mut about_files)?;
            sections.extend(annotated.sections);
            let is_told = |one: &Warning| !is_extra || matches!(one, Warning::SourceNewer { .. });
            warnings.extend(about_files.into_iter().filter(is_told));
            if is_extra {
                continue;
            }
            match annotated.lack {
                None => reports.add_available(),
                Some(MissingSource::Lines(why)) => reports.add_unavailable(why, warnings),
                Some(MissingSource::Files(missing)) => {
                    reports.add_missing_sources(&missing, plan.reading.verbose)
                }
            }
            continue;
        }
        sections.extend(maker.sections(section));
        if before_index == Some(section) {
            sections.push(maker.index());
        }
        reports.add_available();
    }
    Ok(reports.check()?)
}

/// Returns whether uncertainties may exist: not if all values are exact, or without time, which
/// has its own reason.
fn may_have_errors(subject: &Subject<'_>) -> bool {
    let costs = &subject.selection.costs;
    match costs.sampling {
        Some(_) => subject.profile.n_ticks() > 0,
        None => costs.is_sampled() || costs.measures_nothing(),
    }
}

/// The note that the executable names no code, although a file has code without names.
fn unused_program(subject: &Subject<'_>) -> Option<String> {
    let path = subject.executable()?.0.path();
    let unnamed = &subject.profile.costs.unnamed_code.functions;
    (!unnamed.is_empty()).then(|| diagnose::unused_program(path))
}
