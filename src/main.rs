//! Parses, runs, says what is odd, and chooses the exit status.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::slice;

use anyhow::Context;

use profan::cli::{self, CliError, ColorWhen, Command, Plan};
use profan::compat::{Personality, Usage, UsageError};
use profan::diagnose::{Message, Warning, advise, messages};
use profan::output::Output;
use profan::report::escape_controls;
use profan::run::{Terminal, examine, files_to_complete, run};

fn main() -> ExitCode {
    let command = match cli::parse(env::args_os()) {
        Ok(command) => command,
        Err(error) => return refuse(&error),
    };
    let (original, outcome) = match &command {
        Command::Show(text) => {
            let print = |out: &mut dyn Write| {
                out.write_all(text.as_bytes())?;
                Ok(Vec::new())
            };
            (None, to_stdout(print))
        }
        Command::CompleteFiles(start) => {
            let print = |out: &mut dyn Write| {
                for name in files_to_complete(start) {
                    out.write_all(name.as_encoded_bytes())?;
                    out.write_all(b"\n")?;
                }
                Ok(Vec::new())
            };
            (None, to_stdout(print))
        }
        Command::Report(plan) => {
            let mut alert = |warning: &Warning| say_messages(slice::from_ref(warning), plan);
            let make = |terminal, out: &mut dyn Write| run(plan, terminal, out, &mut alert);
            (None, report(plan, make))
        }
        Command::Examine(plan) => (
            None,
            report(plan, |terminal, out| examine(plan, terminal, out)),
        ),
        Command::Original(original, command) => {
            let run = |out: &mut dyn Write| command.run(out, &mut io::stderr());
            (Some(*original), to_stdout(run))
        }
    };
    match outcome {
        Ok(warnings) => say_warnings(&warnings, &command),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say_error(&error, original);
            trouble(original)
        }
    }
}

/// Says what is wrong with a command line.
fn refuse(error: &CliError) -> ExitCode {
    let name = name_of(error.personality);
    let UsageError { message, usage } = &error.error;
    let hint = match usage {
        Usage::InHelp => "; see --help",
        Usage::InMessage | Usage::OnStdout(_) | Usage::OnStderr(_) => "",
    };
    if !message.is_empty() {
        let message = format!("{name}: {message}{hint}");
        message.lines().for_each(say);
    }
    match usage {
        Usage::InHelp | Usage::InMessage => {}
        Usage::OnStderr(usage) => usage.lines().for_each(say),
        // There is nowhere to say that this failed.
        Usage::OnStdout(usage) => {
            let _ = to_stdout(|out| Ok(out.write_all(usage.as_bytes())?));
        }
    }
    trouble(error.personality)
}

/// The name by which the program speaks of itself.
fn name_of(original: Option<Personality>) -> &'static str {
    original.map_or("profan", Personality::name)
}

/// Prints, and what was printed before an error stays printed.
fn to_stdout<T>(print: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let mut out = Output::open(None)?;
    let printed = print(&mut out);
    out.finish()?;
    printed
}

/// Makes what a plan asks for, and puts it where it goes.
fn report<M>(plan: &Plan, make: M) -> anyhow::Result<Vec<Warning>>
where
    M: FnOnce(Terminal, &mut dyn Write) -> anyhow::Result<Vec<Warning>>,
{
    let path = plan.output.as_deref();
    let cannot = || {
        format!(
            "cannot write `{}`",
            path.unwrap_or(Path::new("-")).display()
        )
    };
    let mut out = Output::open(path).with_context(cannot)?;
    let is_terminal = plan.output.is_none() && io::stdout().is_terminal();
    let terminal = Terminal {
        escapes_controls: is_terminal,
        has_color: has_color(plan, is_terminal),
        spells_sizes: is_terminal,
    };
    let warnings = make(terminal, &mut out)?;
    // A file is there where all went well; what was printed stays printed.
    if plan.output.is_none() || !plan.deny.covers_any(&warnings) {
        out.finish()?;
    }
    Ok(warnings)
}

/// The flag decides; then `NO_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`, as their
/// conventions say; then whether there is a terminal that can show colour.
fn has_color(plan: &Plan, is_terminal: bool) -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_zero = |name| env::var_os(name).is_some_and(|value| value == "0");
    match plan.color {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto if is_set("NO_COLOR") => false,
        ColorWhen::Auto if is_set("CLICOLOR_FORCE") && !is_zero("CLICOLOR_FORCE") => true,
        ColorWhen::Auto if is_zero("CLICOLOR") => false,
        ColorWhen::Auto => is_terminal && env::var_os("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// Says what is odd, each kind once, and whether that is success.
fn say_warnings(warnings: &[Warning], command: &Command) -> ExitCode {
    match command {
        Command::Report(plan) => {
            // What is urgent was said before the report.
            let is_left = |warning: &&Warning| !warning.is_urgent();
            let left: Vec<_> = warnings.iter().filter(is_left).cloned().collect();
            say_messages(&left, plan);
            match plan.deny.covers_any(warnings) {
                true => trouble(None),
                false => ExitCode::SUCCESS,
            }
        }
        Command::Original(original, _) => {
            for warning in warnings {
                say(&format!("{}: {}", original.name(), warning.cause()));
            }
            ExitCode::SUCCESS
        }
        Command::Show(_) | Command::CompleteFiles(_) | Command::Examine(_) => ExitCode::SUCCESS,
    }
}

/// Says what is odd about a profile, and which of it is an error.
fn say_messages(warnings: &[Warning], plan: &Plan) {
    for message in messages(warnings, plan.is_verbose) {
        let Message {
            code,
            cause,
            advice,
        } = &message;
        let kind = match plan.deny.covers(code) {
            true => "error",
            false => "warning",
        };
        say(&format!("profan: {kind}[{code}]: {cause}"));
        say(&format!("  try: {advice}"));
    }
}

fn say_error(error: &anyhow::Error, original: Option<Personality>) {
    let name = name_of(original);
    match advise(error).filter(|_| original.is_none()) {
        None => say(&format!("{name}: {}", whole_message(error))),
        Some((code, advice)) => {
            say(&format!("{name}: error[{code}]: {error}"));
            say(&format!("  try: {advice}"));
        }
    }
}

/// What was tried and why it failed. A message may have its cause in it already.
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

/// Writes a line to standard error. There is nowhere to say that it failed.
fn say(line: &str) {
    let mut stderr = io::stderr().lock();
    let line = if stderr.is_terminal() {
        escape_controls(line.as_bytes())
    } else {
        Cow::Borrowed(line.as_bytes())
    };
    let _ = stderr.write_all(&line).and_then(|()| writeln!(stderr));
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

fn trouble(original: Option<Personality>) -> ExitCode {
    match original {
        None => ExitCode::from(2),
        Some(_) => ExitCode::from(1),
    }
}
