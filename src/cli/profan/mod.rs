//! profan's own command line.
//!
//! One definition, in `options`, is what is parsed, helped with, completed and
//! printed as a manual. It is clap's, with two habits of gprof's users put in front:
//! `@FILE`, and arguments that may be left out and are attached otherwise (`-pmain`).

mod completions;
mod help;
mod options;
mod selections;
mod spelling;
#[cfg(test)]
mod tests;
mod values;

use std::ffi::OsString;
use std::iter;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};

use super::{Command, manual};
use crate::at_files;
use crate::compat::Personality;
use crate::render;
use options::{Options, Word};

/// What to do about a command line.
///
/// # Errors
/// With what is wrong with it, in lines: the first says what, and the others what
/// would be right.
pub(super) fn parse(words: Vec<OsString>) -> Result<Command, String> {
    match options_of(words) {
        Ok(options) if options.layout.summary => Ok(Command::Show(help::SHORT.to_owned())),
        Ok(options) => Ok(match options.word {
            None => Command::Report(Box::new(options.into_plan())),
            Some(Word::Help { topic }) => Command::Show(help::of(topic.as_deref())),
            Some(Word::Explain { codes }) => Command::Show(help::explain(&codes)),
            Some(Word::CompleteFiles { start }) => Command::CompleteFiles(start),
            Some(Word::Schema) => Command::Show(render::schema().to_owned()),
            Some(Word::Man) => Command::Show(manual::page(documented(), &help::sections())),
            Some(Word::Completions { shell }) => {
                Command::Show(completions::script(shell, completed()))
            }
        }),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp => Ok(Command::Show(error.to_string())),
            ErrorKind::DisplayVersion => Ok(Command::Show(super::version("profan"))),
            _ => Err(message_of(&error)),
        },
    }
}

fn options_of(words: Vec<OsString>) -> Result<Options, clap::Error> {
    let mut command = selections::with_silent(documented());
    let words = spelling::spell(at_files::expand(words), &command);
    let program = iter::once("profan".into());
    match command.try_get_matches_from_mut(program.chain(words)) {
        Ok(matches) => Options::from_arg_matches(&matches),
        Err(error) => Err(with_candidates(error, &command)),
    }
}

/// The error, naming the options that a word can be short for if there are several.
fn with_candidates(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let options = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let options = options.filter_map(|arg| Some(format!("--{}", arg.get_long()?)));
    let candidates: Vec<_> = options.filter(|option| option.starts_with(word)).collect();
    if error.kind() == ErrorKind::UnknownArgument && candidates.len() > 1 {
        error.insert(ContextKind::SuggestedArg, ContextValue::Strings(candidates));
    }
    error
}

/// The command line without what gprof has and nobody need learn.
fn documented() -> clap::Command {
    Options::command().mut_args(spelling::as_getopt)
}

/// The command line with the words that choose another face, which never come here.
fn completed() -> clap::Command {
    let word = |one: Personality| {
        let about = format!("Print what {} prints", one.name());
        clap::Command::new(one.name()).about(about)
    };
    documented().subcommands(Personality::ALL.map(word))
}

/// What clap says is wrong, with its tips, and where to read more.
fn message_of(error: &clap::Error) -> String {
    let text = error.to_string();
    let is_more = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more");
    let lines = text.lines().take_while(|line| !is_more(line));
    let lines = lines.filter(|line| !line.is_empty());
    let lines: Vec<_> = lines.chain(["  try: profan --help"]).collect();
    lines.join("\n")
}
