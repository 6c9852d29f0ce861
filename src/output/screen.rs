//! The size of the terminal that standard output is.

use std::env;
use std::io::{self, IsTerminal};

use terminal_size::{Height, Width, terminal_size_of};

use crate::report::width::bounded;

/// Columns and lines of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenSize {
    /// Characters beside each other.
    pub columns: usize,
    /// Lines below each other.
    pub lines: usize,
}

/// The size of terminals that do not say theirs.
const USUAL: ScreenSize = ScreenSize {
    columns: 80,
    lines: 24,
};

impl ScreenSize {
    /// The size of standard output. `COLUMNS` and `LINES` decide where they are set.
    pub fn of_stdout() -> Self {
        let (columns, lines) = match terminal_size_of(io::stdout()) {
            // A serial line has a size of nothing.
            Some((Width(columns), Height(lines))) => (size(columns), size(lines)),
            None => (None, None),
        };
        Self {
            columns: from_env("COLUMNS").or(columns).unwrap_or(USUAL.columns),
            lines: from_env("LINES").or(lines).unwrap_or(USUAL.lines),
        }
    }
}

/// The columns of the terminal that standard error is; `None` for pipes and files. `COLUMNS`
/// decides where it is set.
pub(super) fn columns_of_stderr() -> Option<usize> {
    if !io::stderr().is_terminal() {
        return None;
    }
    let columns = || terminal_size_of(io::stderr()).and_then(|(Width(columns), _)| size(columns));
    Some(
        from_env("COLUMNS")
            .or_else(columns)
            .unwrap_or(USUAL.columns),
    )
}

/// Whether a terminal cannot move its cursor, or does not say what it is.
pub(super) fn is_dumb() -> bool {
    env::var_os("TERM").is_none_or(|term| term == "dumb")
}

/// Whether the terminal that standard error is listens to this program: in the background
/// it would write into what is being typed.
#[cfg(unix)]
pub(super) fn is_in_foreground() -> bool {
    let group = rustix::termios::tcgetpgrp(io::stderr());
    group.is_ok_and(|group| group == rustix::process::getpgrp())
}

#[cfg(not(unix))]
pub(super) fn is_in_foreground() -> bool {
    true
}

fn size(number: u16) -> Option<usize> {
    (number > 0).then_some(number.into())
}

fn from_env(name: &str) -> Option<usize> {
    let number = env::var(name).ok()?.trim().parse().ok()?;
    (number > 0).then_some(bounded(number))
}
