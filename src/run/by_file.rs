//! Reports that compare many profiles instead of adding them up: `--by-file`.

mod names;
mod programs;
mod reader;
mod runs;

use std::io;
use std::sync::Arc;

use anyhow::{Result, bail};

use self::names::NamedFiles;
use self::programs::FilesOfPrograms;
use self::reader::CostsReader;
use super::inputs;
use super::inputs::over_input::check_output;
use super::inputs::run_files::{GivenFiles, RunFile, RunFiles};
use super::made::{Made, finish};
use super::run_costs::{ProgramSet, RunReader};
use super::{Terminal, unavailable};
use crate::cli::Plan;
use crate::compare::by_file::{
    FileCosts, Spreads, about_joined, by_file_section, spread_section, trend_section,
};
use crate::compare::matching::ShownNames;
use crate::diagnose::{self, Fact, Request, RunError, Warning};
use crate::report::{Cell, Report, SectionId};

/// The files of a command line, or the default profile. Saved reports count as the profiles that
/// they show; `None` for a single one, which is shown itself, or if there are only programs beside
/// them.
///
/// # Errors
/// If a file cannot be opened or does not exist.
pub(super) fn files(plan: &Plan) -> Result<Option<GivenFiles>> {
    let mut files = GivenFiles::of(&plan.files, plan)?;
    let is_shown_itself = files.reports.len() == 1 || !files.executables.is_empty();
    if !files.reports.is_empty() && files.profiles.is_empty() && is_shown_itself {
        return Ok(None);
    }
    files.profiles.extend(files.reports.drain(..).map(RunFile::of_report));
    if files.profiles.is_empty() {
        let usual = inputs::usual_profiles(&plan.reading)?;
        files.profiles.extend(usual.into_iter().map(RunFile::of));
    }
    Ok(Some(files))
}

/// Makes the report.
///
/// # Errors
/// If a file cannot be used, or a requested column does not exist.
pub(super) fn make(
    given: GivenFiles,
    plan: &Plan,
    terminal: Terminal,
    warnings: &mut Vec<Warning>,
) -> Result<Made> {
    let profiles = given.profiles.iter().map(RunFile::given_path);
    check_output(plan, profiles)?;
    warnings.extend(given.warnings);
    let programs = ProgramSet::of(given.executables, &plan.reading)?;
    let report = given.profiles.iter().find(|file| file.is_saved());
    if let Some(report) = report.filter(|_| programs.programs().len() > 1) {
        // It does not say which of the programs it shows.
        bail!(RunError::ReportBesideFiles { path: report.path() });
    }
    let may_be_builds = report.is_some() || plan.many.trend;
    let mut reader = RunReader::new(plan, &programs).without_calls();
    if report.is_some() {
        reader.by_line_numbers();
    }
    let NamedFiles { runs, mut labels, about } =
        names::named(RunFiles::of(given.profiles), &plan.many);
    if !plan.sections.want_only(SectionId::ByFile) {
        warnings.extend(unavailable::without(Fact::Sum, Request::OtherThanByFile));
    }
    if plan.functions.ratio.is_some() {
        warnings.extend(unavailable::without(Fact::Sum, Request::Ratio));
    }
    reader.check_first(runs.iter().flatten().filter(|run| !run.is_saved()), warnings)?;
    // Stacks are of single files; a format that shows them refuses sections on all files.
    let shows_files = matches!(plan.many.section(), None | Some(SectionId::ByFile));
    if plan.renderer().shows_runs && shows_files && !plan.many.trend {
        let report = runs::make(runs, given.skipped, &labels, &programs, plan, warnings)?;
        return Ok(finish(report, Vec::new(), None, plan, terminal, warnings)?);
    }
    let mut costs = CostsReader::new(reader, runs)?;
    let nothing = || {
        if plan.many.trend { FilesOfPrograms::with_histories() } else { FilesOfPrograms::default() }
    };
    let mut of_programs = nothing();
    let (mut by_label, mut inputs) = (Vec::new(), Vec::new());
    let key = plan.many.by_label.as_deref().unwrap_or_default();
    let (skipped, n_runs) = costs.read_first(
        given.skipped,
        &mut |run| {
            warnings.append(&mut run.warnings);
            run.saved_warnings.retain(|warning| !warnings.contains(warning));
            warnings.append(&mut run.saved_warnings);
            inputs.append(&mut run.inputs);
            let path = (plan.files.len() > 1).then_some(&*run.path);
            by_label.push(names::of_part(key, run.label.as_deref(), path));
        },
        &mut |costs| of_programs.add(&costs),
    )?;
    if may_be_builds && costs.match_in_time() {
        of_programs = nothing();
        costs.again(&mut |_, costs| {
            of_programs.add(costs);
            Ok(())
        })?;
    }
    let costs = Arc::new(costs);
    warnings.extend(skipped);
    labels = names::remaining(&labels, &n_runs);
    if plan.many.by_label.is_some() {
        if !plan.renderer().keeps_names {
            warnings.extend(names::shorten(&mut by_label));
        }
        labels = by_label.into();
    }
    inputs.extend(programs.inputs());
    let Some(measure) = costs.measure() else {
        return Err(RunError::NoProfile.into());
    };
    let names = ShownNames::new(costs.names(), plan.look.style());
    // A page shows the history of each function.
    let has_histories = plan.many.trend && plan.renderer().is_page;
    // Rows for each file and function are not for text.
    let has = |section| match plan.many.section() {
        None => !(plan.renderer().fits_terminals && section == SectionId::ByFile),
        Some(asked) => asked == section || has_histories && section == SectionId::ByFile,
    };
    let histories = of_programs.histories.iter().flatten();
    let mut sections =
        of_programs.sections(histories, &labels, &programs, |histories, labels| {
            trend_section(histories, labels, measure, &names)
        })?;
    let n_rows = of_programs.spreads.values().map(Spreads::n_rows).sum();
    let fits = plan.many.section() == Some(SectionId::ByFile)
        || !plan.renderer().is_page
        || n_rows <= MAX_PAGE_ROWS;
    if has(SectionId::ByFile) && fits {
        let costs = Arc::clone(&costs);
        let again =
            move |visit: &mut dyn FnMut(u32, &FileCosts) -> io::Result<()>| costs.again(visit);
        let spreads = of_programs.spreads.values();
        let names = of_programs.names(&programs).into_iter().map(Cell::text).collect();
        sections.push(by_file_section(again, Arc::clone(&labels), names, measure, spreads));
    }
    // Files are read again before rows are made, so that both are not in memory at once.
    let distances = has(SectionId::SpreadFiles)
        .then(|| of_programs.distances(&labels, &programs, &costs, measure))
        .transpose()?;
    if has(SectionId::Spread) {
        let spreads = &of_programs.spreads;
        sections.extend(of_programs.sections(spreads, &labels, &programs, |spreads, labels| {
            spread_section(spreads, labels, measure, &names, terminal.audience(plan))
        })?);
    }
    sections.extend(distances.into_iter().flatten());
    if let Some(first) = sections.first_mut() {
        first.notes.extend(about);
        first.notes.extend(about_joined(&costs.matched().collect::<Vec<_>>(), &names));
        first.notes.extend((!fits).then(|| diagnose::left_out_rows(n_rows)));
    }
    let report = Report {
        inputs,
        metrics: vec![measure.metric().clone()],
        names: Box::new(names),
        sections,
        ..Report::default()
    };
    Ok(finish(report, Vec::new(), None, plan, terminal, warnings)?)
}

/// Maximum number of rows by file and function in a page: some 10 MB.
const MAX_PAGE_ROWS: u64 = 500_000;
