//! Completions for shells: options and their values from the definition, the words that
//! may come first, and of files those that can be given, which profan itself tells by
//! what is in them (`profan complete-files START`). Behind `diff` the options are its own.
//!
//! For zsh and fish the options are clap's. Its script for bash takes the word behind any
//! option for its value, and knows no files in the first place, so that one is made here.

mod bash;
mod fish;
mod zsh;

use clap::{Arg, Command};
use clap_complete::{Shell, generate};

use super::{DIFF, DOCTOR, help, originals};
use crate::diagnose::catalogue::entries;

/// The completions for a shell, of the whole command line and of that behind `diff`.
pub(super) fn script(shell: Shell, command: Command, diff: Command) -> String {
    match shell {
        Shell::Bash => bash::script(&command, &diff),
        Shell::Zsh => zsh::script(&command, &diff),
        Shell::Fish => fish::script(&command, &diff),
        _ => {
            let command = command.mut_subcommand(DIFF, |_| diff.name(DIFF));
            generated(shell, command, "profan")
        }
    }
}

/// What clap writes for a command line.
fn generated(shell: Shell, mut command: Command, name: &str) -> String {
    let mut script = Vec::new();
    generate(shell, &mut command, name, &mut script);
    String::from_utf8(script).expect("the help is UTF-8")
}

/// A command line of files and these options, but for hidden ones. Words that come first
/// are completed apart, since they may follow nothing.
fn options_of(command: &Command, is_meant: impl Fn(&Arg) -> bool) -> Command {
    let is_shown = |arg: &&Arg| arg.is_positional() || !arg.is_hide_set();
    let args = command.get_arguments().filter(is_shown);
    let args = args.filter(|arg| is_meant(arg)).cloned();
    Command::new("profan")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(args)
}

/// Whether an option takes several values with commas between them.
fn is_list(arg: &Arg) -> bool {
    arg.get_value_delimiter() == Some(',') && !arg.get_possible_values().is_empty()
}

/// The values that an option can have, with blanks between them.
fn values_of(arg: &Arg) -> String {
    let values = arg.get_possible_values();
    let values: Vec<_> = values.iter().map(|value| value.get_name()).collect();
    values.join(" ")
}

/// The words that may come first, and what may follow them.
fn first_words() -> Vec<(&'static str, Follows)> {
    let shells = ["bash", "elvish", "fish", "powershell", "zsh"];
    let mut words = vec![
        (DIFF, Follows::Sides),
        (DOCTOR, Follows::Given),
        ("help", Follows::Words(help::topics().collect())),
        (
            "explain",
            Follows::Words(entries().map(|entry| entry.code).collect()),
        ),
        ("man", Follows::Words(Vec::new())),
        ("schema", Follows::Words(Vec::new())),
        ("completions", Follows::Words(shells.into())),
    ];
    words.extend(originals().map(|name| (name, Follows::Files)));
    words
}

/// What may follow a word.
enum Follows {
    /// Some words, or nothing.
    Words(Vec<&'static str>),
    /// Any file.
    Files,
    /// A program or profile.
    Given,
    /// What is compared, and the options of that.
    Sides,
}

fn names_of(words: &[(&str, Follows)]) -> String {
    let names: Vec<_> = words.iter().map(|(name, _)| *name).collect();
    names.join(" ")
}
