//! The manual page and the completions for shells, both made from the table of
//! options.

use clap_complete::{Shell, generate};

/// The manual page, for `man -l -` or a folder of manuals.
pub(super) fn page() -> String {
    let manual = clap_mangen::Man::new(super::profan::command()).section("1");
    let mut page = Vec::new();
    manual.render(&mut page).expect("a vector takes everything");
    String::from_utf8(page).expect("the help is UTF-8")
}

/// The completions for a shell; `None` when no such shell is known.
pub(super) fn completions(shell: &str) -> Option<String> {
    let shell: Shell = shell.parse().ok()?;
    let mut script = Vec::new();
    generate(shell, &mut super::profan::command(), "profan", &mut script);
    Some(String::from_utf8(script).expect("the help is UTF-8"))
}
