//! Size of the terminal on standard output.

use std::env;
use std::io::{self, IsTerminal};

use terminal_size::{Height, Width, terminal_size_of};

use crate::report::width::bounded;

/// Size of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenSize {
    /// Width in characters.
    pub columns: usize,
    /// Height in lines.
    pub lines: usize,
}

/// For terminals that do not report their size.
const USUAL: ScreenSize = ScreenSize { columns: 80, lines: 24 };

impl ScreenSize {
    /// Size of standard output. `COLUMNS` and `LINES` have priority.
    pub fn of_stdout() -> Self {
        let (columns, lines) = match terminal_size_of(io::stdout()) {
            // A serial line has size zero.
            Some((Width(columns), Height(lines))) => (size(columns), size(lines)),
            None => (None, None),
        };
        Self {
            columns: from_env("COLUMNS").or(columns).unwrap_or(USUAL.columns),
            lines: from_env("LINES").or(lines).unwrap_or(USUAL.lines),
        }
    }
}

/// The columns of the terminal at standard error; `None` for pipes and files. `COLUMNS` takes
/// precedence.
pub(super) fn columns_of_stderr() -> Option<usize> {
    if !io::stderr().is_terminal() {
        return None;
    }
    let columns = || terminal_size_of(io::stderr()).and_then(|(Width(columns), _)| size(columns));
    Some(from_env("COLUMNS").or_else(columns).unwrap_or(USUAL.columns))
}

/// Whether a terminal cannot move its cursor, or its type is unknown.
pub(super) fn is_dumb() -> bool {
    env::var_os("TERM").is_none_or(|term| term == "dumb")
}

/// Returns whether this process is in the foreground of the terminal. A background process
/// would write into the user's input.
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
