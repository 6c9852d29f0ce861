//! Parses, runs, says what is odd, and chooses the exit status.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use profan::cli::{self, CliError, ColorWhen, Command, Face, Plan, Usage};
use profan::diagnose::{Warning, advise};
use profan::output::Output;
use profan::report::gnu::escape_controls;
use profan::run::{Surface, run, run_mlprof, run_mprof, run_mptrace};

fn main() -> ExitCode {
    let command = match cli::parse(env::args_os()) {
        Ok(command) => command,
        Err(error) => return refuse(&error),
    };
    let face = match &command {
        Command::Show(_) => Face::Profan,
        Command::Report(plan) => plan.face,
        Command::Mprof(_) => Face::Mprof,
        Command::Mptrace(_) => Face::Mptrace,
        Command::Mlprof(_) => Face::Mlprof,
    };
    let outcome = match &command {
        Command::Show(text) => to_stdout(|out, _| Ok(out.write_all(text.as_bytes())?)),
        Command::Report(plan) => report(plan),
        Command::Mprof(plan) => to_stdout(|out, notes| run_mprof(plan, out, notes)),
        Command::Mptrace(plan) => to_stdout(|out, notes| run_mptrace(plan, out, notes)),
        Command::Mlprof(plan) => to_stdout(|out, notes| run_mlprof(plan, out, notes)),
    };
    match outcome {
        Ok(warnings) => {
            for warning in warnings {
                say_warning(&warning, face);
            }
            ExitCode::SUCCESS
        }
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say_error(&error, face);
            trouble(face)
        }
    }
}

/// Says what is wrong with a command line.
fn refuse(error: &CliError) -> ExitCode {
    let name = error.face.name();
    let hint = match error.usage {
        Usage::InHelp => "; see --help",
        Usage::InMessage | Usage::OnStdout(_) | Usage::OnStderr(_) => "",
    };
    if !error.message.is_empty() {
        let message = format!("{name}: {error}{hint}");
        message.lines().for_each(say);
    }
    match error.usage {
        Usage::InHelp | Usage::InMessage => {}
        Usage::OnStderr(usage) => usage.lines().for_each(say),
        // There is nowhere to say that this failed.
        Usage::OnStdout(usage) => {
            let _ = to_stdout(|out, _| Ok(out.write_all(usage.as_bytes())?));
        }
    }
    trouble(error.face)
}

/// Prints, and what was printed before an error stays printed.
fn to_stdout(
    print: impl FnOnce(&mut dyn Write, &mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<Warning>> {
    let mut out = Output::open(None)?;
    let printed = print(&mut out, &mut io::stderr());
    out.finish()?;
    printed.map(|()| Vec::new())
}

fn report(plan: &Plan) -> anyhow::Result<Vec<Warning>> {
    let path = plan.output.as_deref();
    let cannot = || {
        format!(
            "cannot write `{}`",
            path.unwrap_or(Path::new("-")).display()
        )
    };
    let mut out = Output::open(path).with_context(cannot)?;
    let is_terminal = plan.output.is_none() && io::stdout().is_terminal();
    let surface = Surface {
        escapes_controls: is_terminal && plan.face == Face::Profan,
        has_color: has_color(plan, is_terminal),
    };
    let warnings = run(plan, surface, &mut out)?;
    out.finish()?;
    Ok(warnings)
}

/// The flag decides; then `NO_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`, as their
/// conventions say; then whether there is a terminal that can show colour.
fn has_color(plan: &Plan, is_terminal: bool) -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_zero = |name| env::var_os(name).is_some_and(|value| value == "0");
    match plan.color {
        _ if plan.face != Face::Profan => false,
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto if is_set("NO_COLOR") => false,
        ColorWhen::Auto if is_set("CLICOLOR_FORCE") && !is_zero("CLICOLOR_FORCE") => true,
        ColorWhen::Auto if is_zero("CLICOLOR") => false,
        ColorWhen::Auto => is_terminal && env::var_os("TERM").is_none_or(|term| term != "dumb"),
    }
}

fn say_warning(warning: &Warning, face: Face) {
    let name = face.name();
    if face != Face::Profan {
        say(&format!("{name}: {}", warning.cause()));
        return;
    }
    let code = warning.code();
    say(&format!("{name}: warning[{code}]: {}", warning.cause()));
    say(&format!("  try: {}", warning.advice()));
}

fn say_error(error: &anyhow::Error, face: Face) {
    let name = face.name();
    match advise(error).filter(|_| face == Face::Profan) {
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

fn trouble(face: Face) -> ExitCode {
    match face {
        Face::Profan => ExitCode::from(2),
        _ => ExitCode::from(1),
    }
}
