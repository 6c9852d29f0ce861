//! Lines on standard error, and colour.

use std::env;
use std::io::{self, IsTerminal, Write};

use crate::report::escape_controls;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorWhen {
    /// On a terminal, unless the environment says otherwise.
    #[default]
    Auto,
    /// In files and pipes too.
    Always,
    /// Not on a terminal either.
    Never,
}

impl ColorWhen {
    /// The flag decides; then `NO_COLOR`, `CLICOLOR_FORCE` and `CLICOLOR`, as their
    /// conventions say; then whether there is a terminal that can show colour.
    pub fn has_color(self, is_terminal: bool) -> bool {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_zero = |name| env::var_os(name).is_some_and(|value| value == "0");
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if is_set("NO_COLOR") => false,
            Self::Auto if is_set("CLICOLOR_FORCE") && !is_zero("CLICOLOR_FORCE") => true,
            Self::Auto if is_zero("CLICOLOR") => false,
            Self::Auto => is_terminal && env::var_os("TERM").is_none_or(|term| term != "dumb"),
        }
    }
}

/// What a message is about, which has a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

const PLAIN: &str = "\x1b[0m";

/// Prints a message of the program `name`, `code` being what it can be looked up by.
pub fn print_message(
    name: &str,
    severity: Severity,
    code: Option<&str>,
    text: &str,
    color: ColorWhen,
) {
    let (label, order) = match severity {
        Severity::Error => ("error", "\x1b[1;31m"),
        Severity::Warning => ("warning", "\x1b[33m"),
        Severity::Note => ("note", "\x1b[36m"),
    };
    let mut label = label.to_owned();
    if let Some(code) = code {
        label = format!("{label}[{code}]");
    }
    // Files and pipes get none, whatever is asked for.
    if io::stderr().is_terminal() && color.has_color(true) {
        label = format!("{order}{label}{PLAIN}");
    }
    print_bytes(
        &[
            format!("{name}: {label}: ").as_bytes(),
            &*escape_controls(text.as_bytes()),
        ]
        .concat(),
    );
}

/// Writes a line to standard error. Names in it can neither drive a terminal nor begin
/// another line, which a CI system could take for a command.
pub fn print_line(line: &str) {
    print_bytes(&escape_controls(line.as_bytes()));
}

/// Nobody can be told that it failed.
fn print_bytes(line: &[u8]) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(line).and_then(|()| writeln!(stderr));
}
