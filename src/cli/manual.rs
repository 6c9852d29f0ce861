//! The manual page and the completions for shells, both made from the definition of
//! the command line.

use clap::Command;
use clap_complete::{Shell, generate};

/// What the manual says beyond the help: what errors of times are, and where from.
const SURENESS: &[u8] = include_bytes!("sureness.roff");

/// The manual page, for `man -l -` or a folder of manuals.
pub(super) fn page(command: Command) -> String {
    let manual = clap_mangen::Man::new(command).section("1");
    let mut page = Vec::new();
    manual.render(&mut page).expect("a vector takes everything");
    page.extend_from_slice(SURENESS);
    String::from_utf8(page).expect("the help is UTF-8")
}

/// The completions for a shell.
pub(super) fn completions(shell: Shell, mut command: Command) -> String {
    let mut script = Vec::new();
    generate(shell, &mut command, "profan", &mut script);
    String::from_utf8(script).expect("the help is UTF-8")
}
