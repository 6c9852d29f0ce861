//! The native mode. With the files below it, the only module that imports all others.

mod baseline;
#[cfg(unix)]
mod browse;
mod by_file;
mod checks;
mod choosing;
mod compare;
mod destination;
mod doctor;
mod grouping;
mod guesses;
mod inlined;
mod inputs;
mod labels;
mod made;
mod names;
mod not_found;
mod objects;
mod other_words;
mod printing;
mod problems;
mod program_sections;
mod recorded;
mod rendering;
mod report;
mod run_costs;
mod run_time;
mod sections;
mod sections_report;
mod session;
mod skipping;
mod sources;
mod subject;
mod unavailable;

pub use session::{Ended, carry_out, limit_parsing, refuse};

use std::sync::Arc;

use anyhow::Result;

use crate::cli::{Plan, Task};
use crate::diagnose::Warning;
use crate::load::OpenFile;
use crate::output::Sink;
use crate::progress::Stage;
use crate::report::{Audience, Report, SectionId};
use crate::symbols::{Executable, SampledCode, SymbolOptions};
use inputs::over_input::{check_output, check_sum};
use made::{Made, finish};
use objects::reading::{ExecutablesUse, read_profiles};
use objects::sum::{self, UnfinishedSum};
use objects::symbol_files::{self, Symbols};

/// Properties of the terminal, if the output is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Escape control characters.
    pub escapes_controls: bool,
    /// Show colours.
    pub has_color: bool,
    /// Width in columns, for a terminal and a format that has another layout there.
    pub columns: Option<usize>,
}

impl Terminal {
    /// Who reads the report. Text for comparisons has the same contents everywhere.
    fn audience(&self, plan: &Plan) -> Audience {
        match self.columns {
            _ if !plan.renderer().fits_terminals => Audience::Data,
            Some(_) if !plan.rows.stable => Audience::Screen,
            _ => Audience::Listing,
        }
    }
}

/// A message before the report.
#[derive(Clone, Copy, Debug)]
pub enum Alert<'a> {
    /// A problem that makes the whole report unreliable.
    Warning(&'a Warning),
    /// A note on the numbers.
    Note(&'a str),
}

/// The result of a command.
#[derive(Default)]
pub struct Outcome {
    /// Warnings about the profiles.
    pub warnings: Vec<Warning>,
    /// One line for each reason to refuse the new side of a comparison.
    pub refusals: Vec<String>,
    /// A comparison needs more runs.
    pub needs_runs: bool,
    /// The report as written. A process that exits need not free it.
    pub report: Report,
}

impl Outcome {
    /// The outcome of a report that cannot refuse.
    pub fn of(warnings: Vec<Warning>) -> Self {
        Self { warnings, ..Self::default() }
    }
}

/// Writes the report of a plan, and returns its warnings. Passes urgent messages to `alert`
/// before the report.
///
/// # Errors
/// If an input cannot be used, or the report cannot be written.
pub fn run(
    plan: &Plan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(Alert<'_>),
) -> Result<Outcome> {
    let mut warnings = Vec::new();
    let made = make(plan, terminal, &mut warnings);
    write(made, warnings, plan, terminal, out, alert)
}

/// Renders a report that was made with these warnings, and saves its baseline.
fn write(
    made: Result<Made>,
    mut warnings: Vec<Warning>,
    plan: &Plan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(Alert<'_>),
) -> Result<Outcome> {
    if let (Some(path), Ok(_)) = (&plan.reading.list_skipped, &made) {
        skipping::write_list(path, &warnings)?;
    }
    let urgent = warnings.iter().filter(|warning| warning.is_urgent());
    urgent.map(Alert::Warning).for_each(&mut *alert);
    let Made { mut report, notes, refusals, needs_runs, baseline } = made?;
    // A page has them itself.
    if !plan.renderer().is_page {
        notes.iter().map(|note| Alert::Note(note)).for_each(alert);
    }
    rendering::render(&mut report, &mut warnings, plan, terminal, out)?;
    // A refused side is not one to compare with.
    let is_refused = !refusals.is_empty() || needs_runs || plan.reading.denies_any(&warnings);
    if let Some(baseline) = baseline.filter(|_| !is_refused) {
        baseline.write()?;
    }
    Ok(Outcome { warnings, refusals, needs_runs, report })
}

/// Makes the report of a plan, and adds its warnings.
///
/// # Errors
/// If an input cannot be used.
fn make(plan: &Plan, terminal: Terminal, warnings: &mut Vec<Warning>) -> Result<Made> {
    let made = match &plan.task {
        Task::Profiles => make_report(plan, terminal, warnings),
        Task::Comparison(comparison) => compare::make(plan, comparison, terminal, warnings),
        Task::Program => return doctor::make(plan, terminal),
    };
    made.map_err(|error| not_found::with_advice(error, &plan.files, &plan.reading))
}

fn make_report(plan: &Plan, terminal: Terminal, warnings: &mut Vec<Warning>) -> Result<Made> {
    check_output(plan, plan.files.iter().map(|path| &**path))?;
    if plan.sections.wants(SectionId::ByFile) {
        let given = by_file::files(plan).map_err(|error| not_found::with_nearest(error, plan))?;
        if let Some(given) = given {
            return by_file::make(given, plan, terminal, warnings)
                .map_err(|error| not_found::with_nearest(error, plan));
        }
    }
    let opened = inputs::open_all(&plan.files, plan);
    let (files, skipped) = opened.map_err(|error| not_found::with_nearest(error, plan))?;
    if let Some(at) = recorded::position(&files) {
        skipped.warning(0, false)?;
        return recorded::make(files, at, plan, terminal, warnings);
    }
    let given = inputs::sort_out(files, skipped, plan);
    let given = given.map_err(|error| not_found::with_nearest(error, plan))?;
    let profiles = given.profiles.iter().map(|file| file.given_path());
    let programs = given.executables.iter().map(Executable::path);
    check_output(plan, profiles.chain(programs.clone()))?;
    check_sum(plan, programs)?;
    let options = &plan.reading.symbols;
    // Samples then decide which debug information comes first.
    let are_samples_first = plan.reading.base.is_none()
        && options.needs_lines()
        && given.executables.len() == 1
        && given.profiles.iter().all(OpenFile::is_by_address);
    let Symbols { programs, external } = if are_samples_first {
        symbol_files::read(&given.executables, &options.without_lines())?
    } else {
        symbol_files::read_requested(&given.executables, plan, options)?
    };
    let with_lines;
    let executables: Vec<_> = given.executables.iter().zip(&programs).collect();
    let executables_use = if given.is_usual { ExecutablesUse::Usual } else { ExecutablesUse::All };
    let mut read = read_profiles(given.profiles, plan, &executables, executables_use)?;
    let mut skipped = given.skipped;
    skipped.append(std::mem::take(&mut read.skipped));
    let skipped = skipped.warning(read.n_profiles(), given.is_program_known || read.has_names());
    warnings.extend(skipped.map_err(|error| not_found::with_nearest(error, plan))?);
    warnings.append(&mut read.warnings);
    warnings.extend(given.warnings);
    read.notes.splice(0..0, given.notes);
    // A run that will fail does not write a sum.
    let sum = plan.sum.as_deref();
    let sum = sum.filter(|_| !plan.reading.denies_any(warnings));
    let sum = sum
        .map(|path| sum::begin(path, &read.objects, plan.reading.file_format))
        .transpose()?
        .flatten();
    let made = if plan.sections.need_no_symbols() {
        let only_looks = plan.sections.want_only(SectionId::Files);
        warnings.extend(unavailable::of_files(&plan.look, &plan.reading, only_looks));
        let report = Report { inputs: read.inputs, sections: read.files, ..Report::default() };
        finish(report, read.notes, None, plan, terminal, warnings).map_err(Into::into)
    } else {
        let mut programs = &programs;
        if are_samples_first {
            let sampled = read.objects.iter().flat_map(|object| object.profile.histograms());
            let sampled = Arc::new(SampledCode::of(sampled));
            let options = SymbolOptions { sampled, ..options.clone() };
            with_lines = symbol_files::read_requested(&given.executables, plan, &options)?.programs;
            programs = &with_lines;
            let with_executable = read.objects.iter_mut().filter(|one| one.executable.is_some());
            with_executable
                .for_each(|one| one.executable = given.executables.iter().zip(programs).next());
        }
        plan.reading.hints.progress.begin(Stage::Adding, None);
        report::make(read, external.as_ref(), plan, terminal, warnings)
            .map_err(|error| symbol_files::with_missing_split(error, programs))
    };
    // The sources are known by now, which a sum does not replace.
    sum.map(UnfinishedSum::finish).transpose()?;
    made
}
