//! The native command line.
//!
//! One definition, in `options`, serves parsing, help, completions and the manual. It is
//! clap's, with two conventions of gprof in front: `@FILE`, and optional arguments that must
//! be attached (`-pmain`).

pub(super) mod by_file;
mod command_line;
pub(super) mod comparison;
mod completions;
mod diff;
mod getopt_habits;
mod habits;
mod help;
pub(super) mod options;
pub(super) mod plan;
mod selections;
#[cfg(test)]
mod tests;
mod values;

use std::ffi::OsString;
use std::iter;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};

use super::{Command, manual};
use crate::at_files;
use crate::compat::Original;
use crate::filter::Nearest;
use crate::render;
use command_line::{FirstWord, Options};
use diff::Diff;
use plan::{Plan, Task};

/// Parses a command line.
///
/// # Errors
/// With the message in lines: the error, then suggestions.
pub(super) fn parse(words: Vec<OsString>) -> Result<Command, String> {
    let mut words = at_files::expand_with_stdin(words);
    // A file with the name of a command is `./diff`.
    let is_command = |word: &OsString| [DOCTOR, DIFF, BROWSE].iter().any(|one| word == one);
    if words.iter().skip(1).any(is_command)
        && let Some(place @ 1..) = getopt_habits::first_operand(&words, &[documented(), compared()])
        && is_command(&words[place])
    {
        words[..=place].rotate_right(1);
    }
    if asks_about_word(&words) {
        return Ok(Command::Show(help::of(None)));
    }
    match words.split_first() {
        Some((first, rest)) if first == DIFF => return parse_diff(rest),
        Some((first, rest)) if first == BROWSE => return parse_browse(rest),
        _ => {}
    }
    let command = selections::with_silent(documented());
    habits::refuse(&words, &command).map_or(Ok(()), Err)?;
    let loose = getopt_habits::loose(&words, &command);
    let is_doctor = words.first().is_some_and(|first| first == DOCTOR);
    let given = words.clone();
    match options_of(words, command) {
        Ok(options) if options.plan.look.summary => Ok(Command::Show(help::SHORT.to_owned())),
        Ok(options) => Ok(match options.word {
            None => Command::Report(Box::new(with_command(
                Plan { loose, ..options.into_plan() },
                &[],
                &given,
            ))),
            Some(FirstWord::Doctor(examination)) => {
                Command::Report(Box::new(examination.into_plan()))
            }
            // Parsed before it comes here.
            Some(FirstWord::Diff { words }) => return parse_diff(&words),
            Some(FirstWord::Browse { words }) => return parse_browse(&words),
            Some(FirstWord::Help { topic }) => Command::Show(help::of(topic.as_deref())),
            Some(FirstWord::Explain { codes }) => Command::Show(help::explain(&codes)),
            Some(FirstWord::Formats) => Command::Show(help::of(Some("formats"))),
            Some(FirstWord::Schema) => Command::Show(render::schema().to_owned()),
            Some(FirstWord::Man) => Command::Show(manual::page(documented(), &help::sections())),
            Some(FirstWord::Completions { shell }) => {
                Command::Show(completions::script(shell, completed(), compared()))
            }
        }),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp => Ok(Command::Show(error.to_string())),
            ErrorKind::DisplayVersion => Ok(Command::Show(super::version())),
            _ if is_doctor => Err(message_of(&error, "profan doctor --help")),
            _ => Err(message_of(&error, "profan --help")),
        },
    }
}

/// The memory limit in the words of a command line, without those of `@FILE`s: it applies
/// while these are read.
pub fn memory_limit_of(words: &[OsString]) -> Option<u64> {
    let mut words = words.iter().filter_map(|word| word.to_str());
    let rest = words.find_map(|word| word.strip_prefix("--limit-memory"))?;
    let size = match rest {
        "" => words.next(),
        rest => rest.strip_prefix('='),
    };
    values::memory(size?).ok()
}

/// A file for `-o`.
///
/// # Errors
/// If its suffix asks for a picture, which profan does not draw.
pub fn output_path(path: &str) -> Result<PathBuf, String> {
    values::output_path(path.into())
}

/// A command with its own options and files.
const DOCTOR: &str = "doctor";

/// The command for comparisons.
const DIFF: &str = "diff";

/// The command for reports on a full screen.
const BROWSE: &str = "browse";

/// Parses the words after `browse`: those of a report, or of `diff` if they separate two sides.
fn parse_browse(words: &[OsString]) -> Result<Command, String> {
    let is_diff = words.iter().any(|word| word == "--");
    let command = if is_diff { parse_diff(words)? } else { parse(words.to_vec())? };
    match command {
        Command::Report(plan) if !matches!(plan.task, Task::Program) => {
            if plan.look.output.is_some() || plan.look.format.is_some() {
                return Err("error: -o and --format cannot be used with browse\n  \
                            help: press o in the report"
                    .to_owned());
            }
            Ok(Command::Browse(plan, words.to_vec()))
        }
        // Help, and the like.
        Command::Show(text) => Ok(Command::Show(text)),
        _ => {
            Err("error: browse takes profiles and options of reports\n  help: profan --help"
                .to_owned())
        }
    }
}

/// Parses the words after `diff`.
fn parse_diff(words: &[OsString]) -> Result<Command, String> {
    let given = words;
    let mut command = selections::with_silent(compared());
    habits::refuse(words, &command).map_or(Ok(()), Err)?;
    let loose = getopt_habits::loose(words, &command);
    let words = getopt_habits::with_equals_signs(diff::with_options_anywhere(words), &command);
    let program = iter::once("profan diff".into());
    let failed = |error: clap::Error| match error.kind() {
        ErrorKind::DisplayHelp => Ok(Command::Show(error.to_string())),
        ErrorKind::DisplayVersion => Ok(Command::Show(super::version())),
        _ => Err(message_of(&error, DIFF_HELP)),
    };
    let mut matches = match command.try_get_matches_from_mut(program.chain(words)) {
        Ok(matches) => matches,
        Err(error) => return failed(with_candidates(error, &command)),
    };
    if let Some(option) = diff::unused_option(&matches, &command) {
        return Err(format!(
            "error: the argument '{option}' cannot be used with diff\n  help: {DIFF_HELP}"
        ));
    }
    let options = match Diff::from_arg_matches_mut(&mut matches) {
        Ok(options) => options,
        Err(error) => return failed(error),
    };
    if options.plan.look.summary {
        return Ok(Command::Show(help::DIFF.to_owned()));
    }
    let plan = with_command(Plan { loose, ..options.into_plan() }, &[DIFF], given);
    Ok(Command::Report(Box::new(plan)))
}

/// A plan with the words that made it, if its output shows them. Of the options for the output,
/// the last ones count.
fn with_command(mut plan: Plan, first: &[&str], words: &[OsString]) -> Plan {
    if !plan.renderer().is_page {
        return plan;
    }
    let mut command: Vec<String> = first.iter().map(|word| (*word).to_owned()).collect();
    let mut words = words.iter().map(|word| word.to_string_lossy());
    let mut is_elsewhere = true;
    while let Some(word) = words.next() {
        match &*word {
            "-o" | "--output" | "--format" => drop(words.next()),
            _ if word.starts_with("--output=") || word.starts_with("--format=") => {}
            _ => {
                // Such as `-po page.html` and `--out=page.html`.
                let is_short = word.starts_with('-') && !word.starts_with("--");
                let may_be_output = is_short && word.contains('o')
                    || ["--o", "--fo"].iter().any(|start| word.starts_with(start));
                is_elsewhere &= !may_be_output;
                command.push(word.into_owned());
            }
        }
    }
    if !is_elsewhere {
        let text = ["-o", "-", "--format", "text"];
        command.splice(first.len()..first.len(), text.map(str::to_owned));
    }
    plan.command = command;
    plan
}

const DIFF_HELP: &str = "profan diff --help";

/// The commands.
pub fn first_words() -> impl Iterator<Item = &'static str> {
    let words =
        [DOCTOR, DIFF, BROWSE, "help", "explain", "man", "formats", "schema", "completions"];
    words.into_iter().chain(originals())
}

/// Returns whether help is requested for a command without options.
fn asks_about_word(words: &[OsString]) -> bool {
    let [first, rest @ ..] = words else {
        return false;
    };
    let is_help = |word: &OsString| word == "-h" || word == "--help";
    let mut words = first_words().filter(|word| ![DOCTOR, DIFF, BROWSE].contains(word));
    words.any(|word| first == word) && rest.iter().any(is_help)
}

/// The names of the originals.
fn originals() -> impl Iterator<Item = &'static str> {
    Original::ALL.into_iter().map(Original::name)
}

/// The options of the original with this name, if any.
fn help_of_original(name: &str) -> Option<String> {
    Original::named(name.as_ref()).map(Original::help)
}

fn options_of(words: Vec<OsString>, command: clap::Command) -> Result<Options, clap::Error> {
    // Parsed once a process; freeing its options would be a twentieth of a small report.
    let mut command = ManuallyDrop::new(command);
    let words = getopt_habits::with_equals_signs(words, &command);
    let program = iter::once("profan".into());
    match command.try_get_matches_from_mut(program.chain(words)).map(ManuallyDrop::new) {
        Ok(mut matches) => Options::from_arg_matches_mut(&mut matches),
        Err(error) => Err(with_candidates(error, &command)),
    }
}

/// Adds the options that an ambiguous word may abbreviate, or else similar ones: clap's
/// similarity ignores short names.
fn with_candidates(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let options = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let options = options.filter_map(|arg| Some(format!("--{}", arg.get_long()?)));
    let options: Vec<_> = options.collect();
    let is_longer = |option: &&String| option.starts_with(word);
    let mut candidates: Vec<_> = options.iter().filter(is_longer).cloned().collect();
    if candidates.len() < 2 {
        let mut near = Nearest::new(word.trim_start_matches('-').as_bytes());
        for option in &options {
            near.look_at(&option.as_bytes()[2..], || option.clone());
        }
        candidates = near.into_near_names();
    }
    if error.kind() == ErrorKind::UnknownArgument && !candidates.is_empty() {
        error.insert(ContextKind::SuggestedArg, ContextValue::Strings(candidates));
    }
    error
}

/// The command line without gprof's obsolete options.
fn documented() -> clap::Command {
    Options::command().mut_args(getopt_habits::as_getopt)
}

/// The command line of `profan diff`.
fn compared() -> clap::Command {
    diff::command().mut_args(getopt_habits::as_getopt)
}

/// The command line including compatibility modes, which are selected earlier.
fn completed() -> clap::Command {
    let word = |one: Original| {
        let about = format!("Print the same as {}", one.name());
        clap::Command::new(one.name()).about(about)
    };
    documented().subcommands(Original::ALL.map(word))
}

/// clap's message with its tips, and where to read more.
fn message_of(error: &clap::Error, help: &str) -> String {
    let text = error.to_string();
    let is_more = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more");
    let lines = text.lines().take_while(|line| !is_more(line));
    let lines = lines.filter(|line| !line.is_empty());
    let mut lines: Vec<_> = lines.map(str::to_owned).collect();
    lines.extend(swallowed(error));
    lines.push(format!("  help: {help}"));
    lines.join("\n")
}

/// A tip if an option took the file after it as its value.
fn swallowed(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
        return None;
    };
    let is_swallowed = !value.is_empty() && Path::new(value).exists();
    is_swallowed
        .then(|| format!("  tip: '{value}' is a file; put the value of the option before it"))
}
