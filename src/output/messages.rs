//! Messages on standard error, and colour.

use std::env;
use std::io::{self, IsTerminal, Write};

use super::screen::columns_of_stderr;
use crate::report::prose::{push_advice, push_message};
use crate::report::{Text, escape_controls};

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorWhen {
    /// On a terminal, unless the environment forbids it.
    #[default]
    Auto,
    /// In files and pipes too.
    Always,
    /// Without colour, even on a terminal.
    Never,
}

impl ColorWhen {
    /// The option decides; then `NO_COLOR` (no-color.org), `CLICOLOR_FORCE` and `CLICOLOR`
    /// (bixense.com/clicolors); then whether the terminal can show colours.
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

/// The kind of a message, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

const PLAIN: &str = "\x1b[0m";

/// Prints a message of the program `name`; `explain` describes its code.
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
    // Files and pipes never get terminal escapes.
    if io::stderr().is_terminal() && color.has_color(true) {
        label = format!("{order}{label}{PLAIN}");
    }
    print_bytes(&message(&format!("{name}: {label}: "), text));
}

/// Prints the advice of a message below it.
pub fn print_advice(advice: &str) {
    let mut text = Text::default();
    let advice = escape_controls(advice.as_bytes());
    push_advice(&mut text, &advice, columns_of_stderr());
    print_bytes(text.as_bytes());
}

/// Prints a message, such as a tip, that needs no colour.
pub fn print_sentence(label: &str, text: &str) {
    print_bytes(&message(label, text));
}

/// Prints a line as it is, however wide. Names in it can neither drive a terminal nor begin
/// another line, which a CI system could take for a command.
pub fn print_line(line: &str) {
    print_bytes(&[&*escape_controls(line.as_bytes()), b"\n"].concat());
}

/// A message in lines that fit the terminal; in pipes and files it is one line.
fn message(label: &str, text: &str) -> Vec<u8> {
    let mut lines = Text::default();
    let text = escape_controls(text.as_bytes());
    let indent = label.len() - label.trim_start().len() + 2;
    push_message(&mut lines, label.as_bytes(), &text, columns_of_stderr(), indent);
    lines.as_bytes().to_vec()
}

/// Ignores failures, since they cannot be reported.
fn print_bytes(lines: &[u8]) {
    let _ = io::stderr().lock().write_all(lines);
}
