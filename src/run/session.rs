//! Runs a command line: memory, threads, the terminal, and standard error.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::Outcome;
use super::destination::unwritable;
use super::printing::{print_report, print_warnings};
use crate::cli::{CliError, Command, Mode, Plan, Task, original_line};
use crate::diagnose::{Warning, advise, out_of_memory, over_memory};
use crate::memory::{self, OutOfMemoryMessage};
use crate::output::{
    ColorWhen, Guarded, Output, ProgressBar, Severity, check_stdout, print_advice, print_line,
    print_message, print_sentence, unless_closed,
};
use crate::signals::set_program_name;
use crate::threads;

/// Exit status of a refused comparison.
const REFUSED: u8 = 1;

/// Exit status of a comparison that needs more runs.
const NEEDS_RUNS: u8 = 3;

/// Exit status of a command, and values that are slow to free.
pub struct Ended {
    pub status: u8,
    pub outcome: Outcome,
}

impl Ended {
    fn with(status: u8) -> Self {
        let outcome = Outcome::default();
        Self { status, outcome }
    }
}

/// Runs a command.
pub fn carry_out(command: &mut Command) -> Ended {
    let bar = command.plan_mut().map_or_else(ProgressBar::hidden, watch);
    let mode = command.mode();
    let limit = command.plan().and_then(|plan| plan.reading.limit_memory);
    limit_memory(limit, mode);
    if let Err(error) = choose_threads(command) {
        return refuse(&error);
    }
    match outcome_of(command, &bar) {
        Ok(outcome) => Ended { status: print_outcome(&outcome, command), outcome },
        Err(error) => {
            let color = command.plan().map_or(ColorWhen::Auto, |plan| plan.look.color);
            print_error(&error, mode, color);
            Ended::with(mode.failure)
        }
    }
}

/// Reports an error of a command line.
pub fn refuse(error: &CliError) -> Ended {
    let mode = error.mode();
    let message = error.message();
    let [first_line, on_stderr, on_stdout] = error.usage();
    first_line.lines().for_each(print_line);
    let mut lines = message.lines();
    if let Some(first) = lines.next() {
        match first.strip_prefix("error: ") {
            Some(what) => print_message(mode.name, Severity::Error, None, what, ColorWhen::Auto),
            None => print_line(&format!("{}: {first}", mode.name)),
        }
        // The usage texts of the originals are printed unchanged.
        lines.for_each(if mode.is_original { print_line } else { print_tip });
    }
    on_stderr.lines().for_each(print_line);
    // A failure cannot be reported.
    let _ = text_to_stdout(on_stdout.as_bytes());
    Ended::with(mode.failure)
}

/// Prints a line below a message, at its indent.
fn print_tip(line: &str) {
    let (blanks, text) = line.split_at(line.len() - line.trim_start().len());
    print_sentence(blanks, text);
}

fn outcome_of(command: &Command, bar: &ProgressBar) -> Result<Outcome> {
    if is_for_stdout(command) {
        check_stdout().map_err(|source| unwritable(None, source))?;
    }
    match command {
        Command::Show(text) => text_to_stdout(text.as_bytes()),
        Command::Report(plan) => print_report(plan, bar),
        #[cfg(unix)]
        Command::Browse(plan, words) => {
            // The commands that the user requested.
            let commands = super::browse::browse(plan, words, bar)?;
            text_to_stdout(commands.as_bytes())
        }
        #[cfg(not(unix))]
        Command::Browse(..) => {
            use crate::diagnose::RunError;
            use crate::diagnose::browsing::UNKNOWN_SYSTEM;
            Err(RunError::NoScreen { reason: UNKNOWN_SYSTEM.to_owned() }.into())
        }
        Command::Original(_, original) => {
            let mode = command.mode();
            set_program_name(mode.name, mode.failure);
            let mut notes = Guarded::new(io::stderr());
            to_stdout(|out| Ok(Outcome::of(original.run(out, &mut notes)?)))
        }
    }
}

/// Returns whether a command has no result but what it prints. Others end as if it was read.
fn is_for_stdout(command: &Command) -> bool {
    match command {
        Command::Show(_) => true,
        Command::Report(plan) => {
            let is_judged = match &plan.task {
                Task::Comparison(one) => one.judges() || one.update,
                Task::Profiles | Task::Program => false,
            };
            plan.look.output.is_none() && plan.sum.is_none() && !is_judged
        }
        _ => false,
    }
}

/// Limits the memory for parsing a command line, which may include files of arguments.
pub fn limit_parsing(words: &[std::ffi::OsString]) {
    use crate::cli::{memory_limit_of, mode_of};
    limit_memory(memory_limit_of(words), mode_of(words));
}

/// Sets the memory limit, and prepares the message for it: nothing can be formatted then.
fn limit_memory(limit: Option<u64>, mode: Mode) {
    let limit = limit.unwrap_or(memory::DEFAULT_LIMIT);
    let Mode { name, failure, is_original } = mode;
    memory::when_over(OutOfMemoryMessage {
        over_limit: over_memory(limit, name, is_original),
        out_of_memory: out_of_memory(name, is_original),
        status: failure.into(),
    });
    memory::set_limit(limit);
}

/// The option decides, then `PROFAN_THREADS`, which the compatibility modes read too.
fn choose_threads(command: &Command) -> Result<(), CliError> {
    if let Command::Show(_) = command {
        return Ok(());
    }
    let number = match command.plan().and_then(|plan| plan.reading.threads) {
        None => threads::of_environment().map_err(|message| command.error(message))?,
        flag => flag,
    };
    number.into_iter().for_each(threads::set);
    Ok(())
}

/// Shows a progress bar, unless the input is typed on the terminal.
fn watch(plan: &mut Plan) -> ProgressBar {
    let is_stdin = |path: &PathBuf| path == Path::new("-");
    if io::stdin().is_terminal() && plan.files.iter().any(is_stdin) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::on_stderr();
    plan.set_progress(bar.progress());
    bar
}

/// Prints a text.
fn text_to_stdout(text: &[u8]) -> Result<Outcome> {
    to_stdout(|out| {
        out.write_all(text)?;
        Ok(Outcome::default())
    })
    .map_err(|error| match error.downcast::<io::Error>() {
        Ok(source) => unwritable(None, source).into(),
        Err(error) => error,
    })
}

/// Runs `print`. Output before an error remains. Reports the first error, except for a closed
/// pipe.
fn to_stdout(print: impl FnOnce(&mut dyn Write) -> Result<Outcome>) -> Result<Outcome> {
    let mut out = Output::open(None)?;
    let printed = print(&mut out);
    let finished = out.finish().or_else(unless_closed);
    let outcome = match printed {
        Err(error) if is_closed_pipe(&error) => Outcome::default(),
        printed => printed?,
    };
    finished?;
    Ok(outcome)
}

/// Prints warnings, once for each kind, and refusals. Returns the exit status.
fn print_outcome(outcome: &Outcome, command: &Command) -> u8 {
    let Outcome { warnings, refusals, needs_runs, .. } = outcome;
    match command {
        Command::Report(plan) => {
            // Urgent warnings were printed before the report.
            let is_left = |warning: &&Warning| !warning.is_urgent();
            let left: Vec<_> = warnings.iter().filter(is_left).cloned().collect();
            print_warnings(&left, &plan.reading, plan.look.color);
            for refusal in refusals {
                print_sentence("profan: ", refusal);
            }
            match refusals.is_empty() {
                _ if plan.reading.denies_any(warnings) => command.mode().failure,
                false => REFUSED,
                true if *needs_runs => NEEDS_RUNS,
                true => 0,
            }
        }
        Command::Original(..) => {
            let name = command.mode().name;
            for warning in warnings {
                print_line(&format!("{name}: {}", warning.cause()));
            }
            0
        }
        Command::Show(_) | Command::Browse(..) => 0,
    }
}

fn print_error(error: &anyhow::Error, mode: Mode, color: ColorWhen) {
    let start = format!("{}: ", mode.name);
    match advise(error) {
        _ if mode.is_original => {
            original_line(error).into_iter().for_each(print_line);
            print_line(&(start + &whole_message(error)));
        }
        None => print_sentence(&start, &whole_message(error)),
        Some((code, advice)) => {
            let cause = error.to_string();
            print_message(mode.name, Severity::Error, Some(code), &cause, color);
            print_advice(&advice);
        }
    }
}

/// The error with its causes. Some messages already contain their cause.
fn whole_message(error: &anyhow::Error) -> String {
    let mut whole = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if whole.is_empty() {
            whole = cause;
        } else if !whole.ends_with(&cause) {
            whole = format!("{whole}: {cause}");
        }
    }
    whole
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let error = cause.downcast_ref::<io::Error>();
        error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
