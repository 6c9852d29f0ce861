//! The native mode. With the files below it, the only module that imports all others.

#[cfg(unix)]
mod browse;
mod by_file;
mod checks;
mod choosing;
mod compare;
mod doctor;
mod inlined;
mod inputs;
mod labels;
mod names;
mod not_found;
mod objects;
mod problems;
mod recorded;
mod report;
mod report_writer;
mod run_costs;
mod run_time;
mod sections;
mod sections_report;
mod session;
mod sources;
mod subject;
mod unavailable;

pub use compare::compare;
pub use doctor::inspect;
pub use inputs::candidates::files_to_complete;
pub use session::{Ended, carry_out, limit_parsing, refuse};

use anyhow::Result;

use crate::cli::Plan;
use crate::diagnose::Warning;
use crate::output::Sink;
use crate::progress::Stage;
use crate::symbols::{Executable, Program};
use inputs::over_input::{check_output, check_sum};
use objects::reading::{Read, read_profiles};
use objects::sum::{self, UnfinishedSum};
use objects::symbol_files::{self, Symbols};
use report_writer::{ReportParts, ReportWriter, show};

/// Properties of the terminal, if the output is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Escape control characters.
    pub escapes_controls: bool,
    /// Show colours.
    pub has_color: bool,
    /// Width in columns, for a terminal.
    pub columns: Option<usize>,
    /// Abbreviate sizes for people.
    pub abbreviates_sizes: bool,
}

impl Terminal {
    /// Width of a report on a terminal; `None` otherwise.
    fn screen(&self, plan: &Plan) -> Option<usize> {
        self.columns.filter(|_| plan.renderer().fits_terminals)
    }

    /// Returns whether the report is laid out for people on a terminal. Formats for
    /// comparisons look the same everywhere.
    fn is_for_people(&self, plan: &Plan) -> bool {
        self.screen(plan).is_some() && !plan.choice.is_stable
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
#[derive(Debug, Default)]
pub struct Outcome {
    /// Warnings about the profiles.
    pub warnings: Vec<Warning>,
    /// One line for each reason to refuse the new side of a comparison.
    pub refusals: Vec<String>,
    /// A comparison needs more runs.
    pub needs_runs: bool,
    /// The symbols used, so that a process that exits need not free each name.
    pub programs: Vec<Program>,
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
    let reported = report(plan, terminal, out, alert);
    reported.map_err(|error| not_found::with_advice(error, plan))
}

fn report(
    plan: &Plan,
    terminal: Terminal,
    out: &mut dyn Sink,
    alert: &mut dyn FnMut(Alert<'_>),
) -> Result<Outcome> {
    check_output(plan, plan.files.iter().map(|path| &**path))?;
    if let Some(asked) = &plan.by_file {
        let given = by_file::files(plan).map_err(|error| not_found::with_nearest(error, plan))?;
        if let Some(given) = given {
            let warnings = by_file::report(given, asked, plan, terminal, out, alert);
            return Ok(Outcome::of(warnings?));
        }
    }
    let opened = inputs::open_all(&plan.files, plan);
    let files = opened.map_err(|error| not_found::with_nearest(error, plan))?;
    if let Some(at) = recorded::position(&files) {
        let mut report = recorded::read(files, at)?;
        let mut warnings = recorded::select(&mut report, plan)?;
        let urgent = warnings.iter().filter(|warning| warning.is_urgent());
        urgent.map(Alert::Warning).for_each(&mut *alert);
        let zero_cost = choosing::choose_rows(&mut report, plan, terminal, None)?;
        recorded::add_new(&mut warnings, zero_cost);
        report.diagnostics = warnings.iter().map(Warning::diagnostic).collect();
        if terminal.screen(plan).is_some() {
            choosing::leave_out_index(&mut report, plan);
            choosing::introduce(&mut report);
        }
        show(&mut report, &mut warnings, plan, terminal, out)?;
        return Ok(Outcome::of(warnings));
    }
    let given = inputs::sort_out(files, plan)?;
    let profiles = given.profiles.iter().map(|file| file.given_path());
    let programs = given.executables.iter().map(Executable::path);
    check_output(plan, profiles.chain(programs.clone()))?;
    check_sum(plan, programs)?;
    let Symbols { programs, external } = symbol_files::read(&given.executables, plan)?;
    let executables: Vec<_> = given.executables.iter().zip(&programs).collect();
    let Read { objects, mut warnings, notes, files, inputs } =
        read_profiles(given.profiles, plan, &executables, given.is_usual)?;
    warnings.extend(given.warnings);
    // What is to fail leaves no sum behind.
    let sum = plan.sum.as_deref();
    let sum = sum.filter(|_| !plan.deny.covers_any(&warnings));
    let sum = sum.map(|path| sum::begin(path, &objects, plan)).transpose()?.flatten();
    let mut report_writer = ReportWriter {
        inputs,
        files,
        notes: [given.notes, notes].concat(),
        ..ReportWriter::new(plan, terminal, out, alert)
    };
    let printed = if plan.styles.need_no_symbols() {
        warnings.extend(unavailable::of_files(plan));
        report_writer.print(ReportParts::of_files(), &mut warnings)
    } else {
        plan.progress.begin(Stage::Adding, None);
        report::report(objects, external.as_ref(), &mut report_writer, &mut warnings)
    };
    // The sources are known by now, which a sum does not replace.
    sum.map(UnfinishedSum::finish).transpose()?;
    printed?;
    Ok(Outcome { programs, ..Outcome::of(warnings) })
}
