//! Shell completions: options and values from the clap definition, commands, and files. `diff` has
//! its own options.
//!
//! For zsh and fish, clap writes the options. Its script for bash takes the word after any
//! option for its value, and does not offer files first, so bash has its own.

mod bash;
mod fish;
mod zsh;

use clap::builder::Resettable;
use clap::{Arg, Command};
use clap_complete::{Shell, generate};

use super::{BROWSE, DIFF, DOCTOR, help, originals};
use crate::diagnose::catalogue::entries;

/// The completions for a shell, of the whole command line and of `diff`.
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

/// clap's output for a command line.
fn generated(shell: Shell, mut command: Command, name: &str) -> String {
    let mut script = Vec::new();
    generate(shell, &mut command, name, &mut script);
    String::from_utf8(script).expect("the help is UTF-8")
}

/// A command with files and these options, without hidden ones. Commands are completed
/// separately, since they may follow nothing.
fn options_of(command: &Command, is_meant: impl Fn(&Arg) -> bool) -> Command {
    let is_shown = |arg: &&Arg| arg.is_positional() || !arg.is_hide_set();
    let args = command.get_arguments().filter(is_shown);
    let args = args.filter(|arg| is_meant(arg)).cloned();
    // An option may conflict with one that is left out, or override it.
    let args =
        args.map(|arg| arg.conflicts_with(Resettable::Reset).overrides_with(Resettable::Reset));
    Command::new("profan")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(args)
}

/// Returns whether an option takes values separated by commas.
fn is_list(arg: &Arg) -> bool {
    arg.get_value_delimiter() == Some(',') && !arg.get_possible_values().is_empty()
}

/// The values of an option, separated by blanks.
fn values_of(arg: &Arg) -> String {
    let values = arg.get_possible_values();
    let values: Vec<_> = values.iter().map(|value| value.get_name()).collect();
    values.join(" ")
}

/// The commands, and the words that may follow them.
fn first_words() -> Vec<(&'static str, Follows)> {
    let shells = ["bash", "elvish", "fish", "powershell", "zsh"];
    let mut words = vec![
        (DIFF, Follows::Sides),
        (BROWSE, Follows::Files),
        (DOCTOR, Follows::Files),
        ("help", Follows::Words(help::topics().collect())),
        ("explain", Follows::Words(entries().map(|entry| entry.code).collect())),
        ("man", Follows::Words(Vec::new())),
        ("formats", Follows::Words(Vec::new())),
        ("schema", Follows::Words(Vec::new())),
        ("completions", Follows::Words(shells.into())),
    ];
    words.extend(originals().map(|name| (name, Follows::Files)));
    words
}

/// The words that may follow a command.
enum Follows {
    /// Some words, or nothing.
    Words(Vec<&'static str>),
    /// Any file.
    Files,
    /// The sides of a comparison, and its options.
    Sides,
}

fn names_of(words: &[(&str, Follows)]) -> String {
    let names: Vec<_> = words.iter().map(|(name, _)| *name).collect();
    names.join(" ")
}
