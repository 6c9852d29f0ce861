//! The completions for bash, with a function for the options of `diff`.

use clap::builder::ValueHint;
use clap::{Arg, Command};

use super::super::getopt_habits::{Takes, takes};
use super::{Follows, first_words, is_list, names_of, values_of};

pub(super) fn script(command: &Command, diff: &Command) -> String {
    let words = first_words();
    let after_words: String = words
        .iter()
        .map(|(name, follows)| match follows {
            Follows::Words(words) => {
                format!("        {name}) _profan_words '{}'; return;;\n", words.join(" "))
            }
            Follows::Files => format!("        {name}) _profan_paths -f; return;;\n"),
            Follows::Sides => format!("        {name}) _profan_diff; return;;\n"),
        })
        .collect();
    include_str!("../help/completions.bash")
        .replace("@AFTER_WORDS@\n", &after_words)
        .replace("@VALUES@\n", &arms(command))
        .replace("@OPTIONS@", &options(command))
        .replace("@DIFF_VALUES@\n", &arms(diff))
        .replace("@DIFF_OPTIONS@", &options(diff))
        .replace("@WORDS@", &names_of(&words))
}

/// The completion of values, by option.
fn arms(command: &Command) -> String {
    command.get_arguments().filter_map(arm).collect()
}

/// All names of options, separated by blanks.
fn options(command: &Command) -> String {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let options: Vec<_> = shown.flat_map(names).collect();
    options.join(" ")
}

fn names(arg: &Arg) -> Vec<String> {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    short.into_iter().chain(long).collect()
}

/// The completion of an option's value. An optional one is attached.
fn arm(arg: &Arg) -> Option<String> {
    let takes = takes(arg);
    if arg.is_positional() || takes == Takes::Nothing {
        return None;
    }
    let values = values_of(arg);
    let completed = match arg.get_value_hint() {
        _ if is_list(arg) => format!("_profan_list '{values}'"),
        _ if !values.is_empty() => format!("_profan_words '{values}'"),
        ValueHint::AnyPath | ValueHint::FilePath => "_profan_paths -f".to_owned(),
        ValueHint::DirPath => "_profan_paths -d".to_owned(),
        _ => ":".to_owned(),
    };
    let mut patterns = names(arg);
    if takes == Takes::Optional {
        patterns = arg.get_long().map(|long| format!("--{long}=")).into_iter().collect();
    } else {
        patterns.extend(arg.get_long().map(|long| format!("--{long}=")));
    }
    Some(format!("        {}) {completed}; return;;\n", patterns.join("|")))
}
