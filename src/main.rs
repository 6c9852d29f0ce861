//! Parses, runs, says what is odd, and chooses the exit status.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;

use profan::cli::{self, CliError, ColorWhen, Command, Plan};
use profan::compat::{Personality, Usage, UsageError};
use profan::diagnose::{Message, RunError, Warning, advise, messages, out_of_memory, over_memory};
use profan::memory::{self, Counted, LastWord};
use profan::output::{
    Cleared, Guarded, Output, Paged, PagerWhen, ProgressBar, ScreenSize, Sink, pager_command,
};
use profan::report::escape_controls;
use profan::run::{Outcome, Terminal, compare, examine, files_to_complete, run};
use profan::signals::speak_as;
use profan::threads;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

fn main() -> ExitCode {
    let mut command = match cli::parse(env::args_os()) {
        Ok(command) => command,
        Err(error) => return refuse(&error),
    };
    let bar = match &mut command {
        Command::Report(plan) | Command::Examine(plan) | Command::Compare(plan, _) => watch(plan),
        Command::Show(_) | Command::CompleteFiles(_) | Command::Original(..) => {
            ProgressBar::hidden()
        }
    };
    let color = match &command {
        Command::Report(plan) | Command::Examine(plan) | Command::Compare(plan, _) => plan.color,
        Command::Show(_) | Command::CompleteFiles(_) | Command::Original(..) => ColorWhen::Auto,
    };
    bound_memory(&command);
    if let Err(wrong) = choose_threads(&command) {
        return refuse(&wrong);
    }
    let (original, outcome) = match &command {
        Command::Show(text) => {
            let print = |out: &mut dyn Write| {
                out.write_all(text.as_bytes())?;
                Ok(Outcome::default())
            };
            (None, to_stdout(print))
        }
        Command::CompleteFiles(start) => {
            let print = |out: &mut dyn Write| {
                for name in files_to_complete(start) {
                    out.write_all(name.as_encoded_bytes())?;
                    out.write_all(b"\n")?;
                }
                Ok(Outcome::default())
            };
            (None, to_stdout(print))
        }
        Command::Report(plan) => {
            let mut alert = alert(plan, &bar);
            let make = |terminal, out: &mut dyn Sink| {
                let warnings = run(plan, terminal, out, &mut alert)?;
                Ok(Outcome::of(warnings))
            };
            (None, report(plan, &bar, make))
        }
        Command::Compare(plan, comparison) => {
            let mut alert = alert(plan, &bar);
            let make =
                |terminal, out: &mut dyn Sink| compare(plan, comparison, terminal, out, &mut alert);
            (None, report(plan, &bar, make))
        }
        Command::Examine(plan) => {
            let make =
                |terminal, out: &mut dyn Sink| Ok(Outcome::of(examine(plan, terminal, out)?));
            (None, report(plan, &bar, make))
        }
        Command::Original(original, command) => {
            speak_as(original.name(), TROUBLE_OF_ORIGINALS);
            let mut notes = Guarded::new(io::stderr());
            let run = |out: &mut dyn Write| Ok(Outcome::of(command.run(out, &mut notes)?));
            (Some(*original), to_stdout(run))
        }
    };
    match outcome {
        Ok(outcome) => say_outcome(&outcome, &command),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say_error(&error, original, color);
            trouble(original)
        }
    }
}

/// Limits what a command may use, and prepares what is said where it needs more: nothing
/// can be worded then.
fn bound_memory(command: &Command) {
    let limit = match command {
        Command::Report(plan) | Command::Examine(plan) | Command::Compare(plan, _) => {
            plan.memory_limit
        }
        Command::Show(_) | Command::CompleteFiles(_) | Command::Original(..) => {
            memory::DEFAULT_LIMIT
        }
    };
    let original = match command {
        Command::Original(original, _) => Some(*original),
        _ => None,
    };
    let name = name_of(original);
    let worded = |(code, cause, advice): (&str, String, &str)| match original {
        None => format!("{name}: error[{code}]: {cause}\n  try: {advice}\n"),
        Some(_) => format!("{name}: {cause}\n"),
    };
    memory::when_over(LastWord {
        over_limit: worded(over_memory(limit)),
        out_of_memory: worded(out_of_memory()),
        status: if original.is_some() { 1 } else { 2 },
    });
    memory::set_limit(limit);
}

/// The flag decides, then `PROFAN_THREADS`, which the originals' faces have too.
fn choose_threads(command: &Command) -> Result<(), CliError> {
    let (flag, personality) = match command {
        Command::Report(plan) | Command::Examine(plan) | Command::Compare(plan, _) => {
            (plan.threads, None)
        }
        Command::Original(original, _) => (None, Some(*original)),
        Command::Show(_) | Command::CompleteFiles(_) => return Ok(()),
    };
    let number = match flag {
        None => threads::of_environment().map_err(|message| CliError {
            personality,
            error: UsageError {
                message,
                usage: Usage::InMessage,
            },
        })?,
        flag => flag,
    };
    number.into_iter().for_each(threads::set);
    Ok(())
}

/// Has it shown how far the work on a plan is, unless that stood where the input is typed.
fn watch(plan: &mut Plan) -> ProgressBar {
    let is_stdin = |path: &PathBuf| path == Path::new("-");
    if io::stdin().is_terminal() && plan.files.iter().any(is_stdin) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::on_stderr();
    plan.tell(bar.progress());
    bar
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
        let message = format!("{message}{hint}");
        let mut lines = message.lines();
        let first = lines.next().unwrap_or_default();
        match first.strip_prefix("error: ") {
            Some(what) => say_labelled(name, "error", colored(RED, ColorWhen::Auto), what),
            None => say(&format!("{name}: {first}")),
        }
        lines.for_each(say);
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
fn report<M>(plan: &Plan, bar: &ProgressBar, make: M) -> anyhow::Result<Outcome>
where
    M: FnOnce(Terminal, &mut dyn Sink) -> anyhow::Result<Outcome>,
{
    let path = plan.output.as_deref();
    let cannot = |source| RunError::Unwritable {
        path: path.unwrap_or(Path::new("-")).display().to_string(),
        source,
    };
    let is_screen = plan.output.is_none() && io::stdout().is_terminal();
    let size = is_screen.then(ScreenSize::of_stdout);
    let mut out = match size.zip(pager(plan)) {
        Some((size, command)) => Output::screen(Paged::new(plan.pager, command, size)),
        None => Output::open(path).map_err(cannot)?,
    };
    let terminal = Terminal {
        // A file of -o may be one, too.
        escapes_controls: out.is_terminal(),
        has_color: has_color(plan.color, is_screen),
        columns: size.map(|size| size.columns),
        spells_sizes: is_screen,
    };
    if terminal.has_color && plan.renderer().fits_terminals() {
        out.allow_color();
    }
    let made = make(terminal, &mut Cleared::new(&mut out, bar));
    bar.finish();
    match made {
        Ok(outcome) => {
            let no_pager = out.missing_pager();
            // A file is there where all went well; what was printed stays printed.
            if plan.output.is_none() || !plan.deny.covers_any(&outcome.warnings) {
                out.finish()?;
            }
            if let Some(why) = no_pager {
                say(&format!("profan: {why}"));
            }
            Ok(outcome)
        }
        Err(error) => {
            out.abandon();
            Err(error)
        }
    }
}

/// The command line of the pager, where one is wanted.
fn pager(plan: &Plan) -> Option<Vec<String>> {
    match plan.pager {
        PagerWhen::Never => None,
        PagerWhen::Auto | PagerWhen::Always => pager_command(),
    }
}

/// The flag decides; then `NO_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`, as their
/// conventions say; then whether there is a terminal that can show colour.
fn has_color(when: ColorWhen, is_terminal: bool) -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_zero = |name| env::var_os(name).is_some_and(|value| value == "0");
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto if is_set("NO_COLOR") => false,
        ColorWhen::Auto if is_set("CLICOLOR_FORCE") && !is_zero("CLICOLOR_FORCE") => true,
        ColorWhen::Auto if is_zero("CLICOLOR") => false,
        ColorWhen::Auto => is_terminal && env::var_os("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// Says what is to be known before a report when it is found.
fn alert<'a>(plan: &'a Plan, bar: &'a ProgressBar) -> impl FnMut(&Warning) + 'a {
    |warning| bar.step_aside(|| say_messages(slice::from_ref(warning), plan))
}

/// Says what is odd, each kind once, and what is refused, and whether that is success.
fn say_outcome(outcome: &Outcome, command: &Command) -> ExitCode {
    let Outcome { warnings, refusals } = outcome;
    match command {
        Command::Report(plan) | Command::Compare(plan, _) => {
            // What is urgent was said before the report.
            let is_left = |warning: &&Warning| !warning.is_urgent();
            let left: Vec<_> = warnings.iter().filter(is_left).cloned().collect();
            say_messages(&left, plan);
            refusals
                .iter()
                .for_each(|refusal| say(&format!("profan: {refusal}")));
            match plan.deny.covers_any(warnings) {
                true => trouble(None),
                false if !refusals.is_empty() => ExitCode::from(REFUSED),
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

/// The status of a comparison that is refused.
const REFUSED: u8 = 1;

/// Says what is odd about a profile, and which of it is an error.
fn say_messages(warnings: &[Warning], plan: &Plan) {
    for message in messages(warnings, plan.is_verbose) {
        let Message {
            code,
            cause,
            advice,
        } = &message;
        let (kind, color) = match plan.deny.covers(code) {
            true => ("error", RED),
            false => ("warning", YELLOW),
        };
        let label = format!("{kind}[{code}]");
        say_labelled("profan", &label, colored(color, plan.color), cause);
        say(&format!("  try: {advice}"));
    }
}

fn say_error(error: &anyhow::Error, original: Option<Personality>, color: ColorWhen) {
    let name = name_of(original);
    match advise(error).filter(|_| original.is_none()) {
        None => say(&format!("{name}: {}", whole_message(error))),
        Some((code, advice)) => {
            let label = format!("error[{code}]");
            say_labelled(name, &label, colored(RED, color), &error.to_string());
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

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[33m";
const PLAIN: &str = "\x1b[0m";

/// The order for a colour, where standard error shows it.
fn colored(order: &'static str, when: ColorWhen) -> Option<&'static str> {
    let is_terminal = io::stderr().is_terminal();
    (is_terminal && has_color(when, is_terminal)).then_some(order)
}

/// Says something of a kind, which stands out.
fn say_labelled(name: &str, label: &str, color: Option<&str>, message: &str) {
    let label = match color {
        Some(color) => format!("{color}{label}{PLAIN}"),
        None => label.to_owned(),
    };
    let message = shown(message, io::stderr().is_terminal());
    say_bytes(&[format!("{name}: {label}: ").as_bytes(), &*message].concat());
}

/// Writes a line to standard error.
fn say(line: &str) {
    say_bytes(&shown(line, io::stderr().is_terminal()));
}

fn shown(text: &str, is_terminal: bool) -> Cow<'_, [u8]> {
    if is_terminal {
        escape_controls(text.as_bytes())
    } else {
        Cow::Borrowed(text.as_bytes())
    }
}

/// There is nowhere to say that it failed.
fn say_bytes(line: &[u8]) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(line).and_then(|()| writeln!(stderr));
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// The status of the originals where something fails.
const TROUBLE_OF_ORIGINALS: u8 = 1;

fn trouble(original: Option<Personality>) -> ExitCode {
    match original {
        None => ExitCode::from(2),
        Some(_) => ExitCode::from(TROUBLE_OF_ORIGINALS),
    }
}
