//! The completions for zsh: clap's, with a function for the options of `diff`.

use clap::Command;
use clap_complete::Shell;

use super::{Follows, first_words, generated, is_list, names_of, options_of, values_of};

pub(super) fn script(command: &Command, diff: &Command) -> String {
    let words = first_words();
    let mut after_words = String::new();
    for (name, follows) in &words {
        let completed = match follows {
            Follows::Words(words) => format!("compadd -- {}", words.join(" ")),
            Follows::Files => "_files".to_owned(),
            Follows::Sides => "_profan_diff".to_owned(),
        };
        after_words.push_str(&format!("            {name}) {completed}; return;;\n"));
    }
    let start = format!(
        "_profan() {{\n    (( CURRENT == 2 )) && compadd -- {}\n    \
         if (( CURRENT > 2 )); then\n        case $words[2] in\n{after_words}        esac\n    fi\n",
        names_of(&words)
    );
    let script = arguments_of(command, "profan");
    script.replacen("_profan() {\n", &(function_of_diff(diff) + &start), 1)
}

/// The function for arguments of `diff`. Options may follow `--`, too.
fn function_of_diff(diff: &Command) -> String {
    let script = arguments_of(diff, "profan_diff");
    let script = script.replace("(-s -S -C)", "(-s -C)");
    let start = script.find("_profan_diff() {").unwrap_or_default();
    let end = script[start..].find("\n}\n").map_or(start, |end| start + end + 3);
    script[start..end].to_owned() + "\n"
}

/// clap's output, completing any number of files, and lists.
fn arguments_of(command: &Command, name: &str) -> String {
    let script = generated(Shell::Zsh, options_of(command, |_| true), name);
    let positional = ["'*::files:_files'", "'::files:_files'"];
    let script =
        positional.into_iter().fold(script, |script, old| script.replace(old, "'*:file:_files'"));
    let lists = command.get_arguments().filter(|arg| is_list(arg));
    lists.map(values_of).fold(script, |script, values| {
        let one = format!(":({values})'");
        script.replace(&one, &format!(":_sequence compadd - {values}'"))
    })
}
