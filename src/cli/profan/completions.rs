//! Completions for shells: options and their values from the definition, the words that
//! may come first, and of files those that can be given, which profan itself tells by
//! what is in them (`profan complete-files START`).
//!
//! For zsh and fish the options are clap's. Its script for bash takes the word behind any
//! option for its value, and knows no files in the first place, so that one is made here.

use clap::builder::ValueHint;
use clap::{Arg, Command};
use clap_complete::{Shell, generate};

use super::spelling::{Takes, takes};
use super::{help, originals};
use crate::diagnose::catalogue::ENTRIES;

/// The completions for a shell.
pub(super) fn script(shell: Shell, command: Command) -> String {
    // Words that come first are completed apart: they may follow nothing.
    let options = Command::new("profan")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(command.get_arguments().cloned());
    match shell {
        Shell::Bash => bash(&options),
        Shell::Zsh => zsh(options),
        Shell::Fish => fish(options),
        _ => generated(shell, command),
    }
}

fn generated(shell: Shell, mut command: Command) -> String {
    let mut script = Vec::new();
    generate(shell, &mut command, "profan", &mut script);
    String::from_utf8(script).expect("the help is UTF-8")
}

/// The words that may come first, and what may follow them.
fn first_words() -> Vec<(&'static str, Follows)> {
    let shells = ["bash", "elvish", "fish", "powershell", "zsh"];
    let mut words = vec![
        ("doctor", Follows::Given),
        ("help", Follows::Words(help::topics().collect())),
        (
            "explain",
            Follows::Words(ENTRIES.iter().map(|entry| entry.code).collect()),
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
}

fn names_of(words: &[(&str, Follows)]) -> String {
    let names: Vec<_> = words.iter().map(|(name, _)| *name).collect();
    names.join(" ")
}

fn bash(command: &Command) -> String {
    let words = first_words();
    let after_words: String = words
        .iter()
        .map(|(name, follows)| match follows {
            Follows::Words(words) => {
                format!(
                    "        {name}) _profan_words '{}'; return;;\n",
                    words.join(" ")
                )
            }
            Follows::Files => format!("        {name}) _profan_paths -f; return;;\n"),
            Follows::Given => format!("        {name}) _profan_files; return;;\n"),
        })
        .collect();
    let values: String = command.get_arguments().filter_map(arm_of_bash).collect();
    let options: Vec<_> = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set())
        .flat_map(spellings)
        .collect();
    include_str!("help/completions.bash")
        .replace("@AFTER_WORDS@\n", &after_words)
        .replace("@VALUES@\n", &values)
        .replace("@OPTIONS@", &options.join(" "))
        .replace("@WORDS@", &names_of(&words))
}

fn spellings(arg: &Arg) -> Vec<String> {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    short.into_iter().chain(long).collect()
}

/// What completes the value of an option. One that may be left out is attached.
fn arm_of_bash(arg: &Arg) -> Option<String> {
    let takes = takes(arg);
    if arg.is_positional() || takes == Takes::Nothing {
        return None;
    }
    let values = arg.get_possible_values();
    let values: Vec<_> = values.iter().map(|value| value.get_name()).collect();
    let completed = match arg.get_value_hint() {
        _ if !values.is_empty() => format!("_profan_words '{}'", values.join(" ")),
        ValueHint::AnyPath | ValueHint::FilePath => "_profan_paths -f".to_owned(),
        ValueHint::DirPath => "_profan_paths -d".to_owned(),
        _ => ":".to_owned(),
    };
    let mut patterns = spellings(arg);
    if takes == Takes::Optional {
        patterns = arg
            .get_long()
            .map(|long| format!("--{long}="))
            .into_iter()
            .collect();
    } else {
        patterns.extend(arg.get_long().map(|long| format!("--{long}=")));
    }
    Some(format!(
        "        {}) {completed}; return;;\n",
        patterns.join("|")
    ))
}

fn zsh(command: Command) -> String {
    let words = first_words();
    let mut after_words = String::new();
    for (name, follows) in &words {
        let completed = match follows {
            Follows::Words(words) => format!("compadd -- {}", words.join(" ")),
            Follows::Files => "_files".to_owned(),
            Follows::Given => "_profan_files".to_owned(),
        };
        after_words.push_str(&format!("            {name}) {completed}; return;;\n"));
    }
    let files = format!(
        "_profan_files() {{\n    (( CURRENT == 2 )) && compadd -- {}\n    \
         compadd -f -- ${{(f)\"$(_call_program files ${{(q)words[1]}} complete-files \
         ${{(q)PREFIX}} 2>/dev/null)\"}}\n}}\n\n_profan() {{\n    \
         if (( CURRENT > 2 )); then\n        case $words[2] in\n{after_words}        esac\n    fi\n",
        names_of(&words)
    );
    let script = generated(Shell::Zsh, command);
    let script = script.replacen("_profan() {\n", &files, 1);
    // However many files there are, each is completed.
    let positional = ["'*::files:_files'", "'::files:_files'"];
    positional.into_iter().fold(script, |script, old| {
        script.replace(old, "'*:file:_profan_files'")
    })
}

fn fish(command: Command) -> String {
    let words = first_words();
    let mut script = generated(Shell::Fish, command);
    let names = names_of(&words);
    script.push_str(&format!(
        "complete -c profan -f\n\
         complete -c profan -n '__fish_is_first_token' -a '{names}'\n\
         complete -c profan -n 'not __fish_seen_subcommand_from {names}' \
         -a '(profan complete-files (commandline -ct))'\n"
    ));
    for (name, follows) in &words {
        let completed = match follows {
            Follows::Words(words) => format!("-a '{}'", words.join(" ")),
            Follows::Files => "-F".to_owned(),
            Follows::Given => "-a '(profan complete-files (commandline -ct))'".to_owned(),
        };
        script.push_str(&format!(
            "complete -c profan -n '__fish_seen_subcommand_from {name}' {completed}\n"
        ));
    }
    script
}
