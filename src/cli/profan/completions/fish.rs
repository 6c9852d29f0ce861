//! The completions for fish: clap's, separate for `diff`.

use clap::{Arg, Command};
use clap_complete::Shell;

use super::{Follows, first_words, generated, is_list, names_of, options_of, values_of};

pub(super) fn script(command: &Command, diff: &Command) -> String {
    let words = first_words();
    let mut script = IS_DIFF.to_owned();
    script.push_str(&options(command, "not __profan_is_diff"));
    script.push_str(&options(diff, "__profan_is_diff"));
    let names = names_of(&words);
    script.push_str(&format!(
        "complete -c profan -f\n\
         complete -c profan -n '__fish_is_first_token' -a '{names}'\n\
         complete -c profan -n 'not __fish_seen_subcommand_from {names}' -F\n"
    ));
    for (name, follows) in &words {
        let completed = match follows {
            Follows::Words(words) => format!("-a '{}'", words.join(" ")),
            Follows::Files | Follows::Sides => "-F".to_owned(),
        };
        script.push_str(&format!(
            "complete -c profan -n '__fish_seen_subcommand_from {name}' {completed}\n"
        ));
    }
    script
}

/// A condition: within `diff`.
const IS_DIFF: &str = "\
function __profan_is_diff
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = diff
end
";

/// clap's output for options, with a condition, and lists.
fn options(command: &Command, condition: &str) -> String {
    let start = "complete -c profan ";
    let conditional = format!("{start}-n '{condition}' ");
    let script = generated(Shell::Fish, options_of(command, |arg| !is_list(arg)), "profan");
    let lines = script.lines().map(|line| match line.strip_prefix(start) {
        Some(rest) => format!("{conditional}{rest}\n"),
        None => format!("{line}\n"),
    });
    let lists = command.get_arguments().filter(|arg| is_list(arg));
    lines.chain(lists.map(|arg| conditional.clone() + &list(arg))).collect()
}

/// The rest of a line about an option with a list of values.
fn list(arg: &Arg) -> String {
    let long = arg.get_long().unwrap_or_default();
    let help = arg.get_help().map(|help| help.to_string().replace('\'', "\\'"));
    let help = help.unwrap_or_default();
    let values = values_of(arg);
    format!("-l {long} -d '{help}' -x -a '(__fish_append , {values})'\n")
}
