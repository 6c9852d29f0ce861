//! The pipeline of profan's own face. The only file, with those below it, that knows
//! every room.

mod by_file;
mod checks;
mod choosing;
mod compare;
mod doctor;
mod inputs;
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

/// What the terminal, if there is one, makes of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Control characters in names must not reach it.
    pub escapes_controls: bool,
    /// It shows colour.
    pub has_color: bool,
    /// Its columns, if there is one.
    pub columns: Option<usize>,
    /// People read it, who would rather not count the digits of sizes.
    pub abbreviates_sizes: bool,
}

impl Terminal {
    /// The columns that a report is laid out for, if it is for a terminal.
    fn screen(&self, plan: &Plan) -> Option<usize> {
        self.columns.filter(|_| plan.renderer().fits_terminals)
    }

    /// Whether a report has what people look at on a terminal, in the place of what files
    /// have. What is made for comparing texts is the same everywhere.
    fn is_for_people(&self, plan: &Plan) -> bool {
        self.screen(plan).is_some() && !plan.choice.is_stable
    }
}

/// What is told while a report is made.
#[derive(Clone, Copy, Debug)]
pub enum Alert<'a> {
    /// A problem that makes all of the report doubtful.
    Warning(&'a Warning),
    /// A fact about the numbers, which is no problem.
    Note(&'a str),
}

/// What came of a command.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Problems of the profiles.
    pub warnings: Vec<Warning>,
    /// Why the new side of a comparison is refused, if it is, one reason each.
    pub refusals: Vec<String>,
    /// The symbols that reports were made with. Who ends the process need not free a
    /// hundred thousand names one by one before.
    pub programs: Vec<Program>,
}

impl Outcome {
    /// The outcome of a report of one side, which refuses nothing.
    pub fn of(warnings: Vec<Warning>) -> Self {
        Self {
            warnings,
            ..Self::default()
        }
    }
}

/// Makes the report of a plan, and returns what is odd about the profile. Anything that is to
/// be known before the report is passed to `alert` when it is found.
///
/// # Errors
/// When an input cannot be used, or the report cannot be written.
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
    let Read {
        objects,
        mut warnings,
        notes,
        files,
        inputs,
    } = read_profiles(given.profiles, plan, &executables, given.is_usual)?;
    // What is to fail leaves no sum behind.
    let sum = plan.sum.as_deref();
    let sum = sum.filter(|_| !plan.deny.covers_any(&warnings));
    let sum = sum
        .map(|path| sum::begin(path, &objects, plan))
        .transpose()?
        .flatten();
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
        report::report(
            objects,
            external.as_ref(),
            &mut report_writer,
            &mut warnings,
        )
    };
    // The sources are known by now, which a sum does not replace.
    sum.map(UnfinishedSum::finish).transpose()?;
    printed?;
    Ok(Outcome {
        programs,
        ..Outcome::of(warnings)
    })
}
