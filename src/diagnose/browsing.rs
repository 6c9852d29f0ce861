//! What `profan browse` prints beside a report.

use std::fmt;

use crate::report::Report;

/// The last line, without another message.
pub const HINTS: &str =
    "Enter calls  / search  s sort  t tree  v value  a source  w warnings  ? keys";

/// The keys, one line each.
pub const KEYS: [&str; 27] = [
    "Up Down j k        next or previous line",
    "PageUp PageDown    next or previous screen; also Space",
    "Home End g G       first or last line",
    "Enter              callers and callees of the function",
    "Backspace          back",
    "Tab                next table of the report",
    "/                  search while typing; Enter keeps the place, Escape leaves it",
    "n N                next or previous match",
    "s r                next order of rows; reverse it",
    "t b                call tree from callers or callees; Right opens, Left closes",
    "a                  annotated source of the function",
    "d                  difference, if two sides are given: browse OLD... -- NEW...",
    "v                  next value: samples or time, bytes or blocks",
    "m                  rows by library, or by function again",
    "L                  rows by the values of a label, or only samples with one",
    "mouse              the wheel moves, a click selects, a second one opens",
    "f i                only what runs through the function; without what does",
    "u                  undo the last choice: t, b, v, m, L, f or i",
    "e                  uncertainty: limits and marks",
    "w                  warnings, and about the numbers",
    "y                  the command of this view, printed again at the end",
    "o                  write this view to a file; its ending is the format",
    "?                  this list",
    "q                  leave",
    "",
    "Red rows have a fifth of the greatest share or more, bold ones half of it, or are",
    "slower; faint rows have less than half a percent, or no significant change.",
];

/// The title of the warnings.
pub const WARNINGS: &str = "Warnings and notes";

/// Why no report is shown: this system has no terminals that profan knows.
pub const UNKNOWN_SYSTEM: &str = "this system has none that profan knows";

/// The same: output goes elsewhere.
pub const NO_TERMINAL: &str = "standard output is not a terminal";

/// A message about the last key.
#[derive(Clone, Copy, Debug)]
pub enum BrowseMessage<'a> {
    Warnings(usize),
    NoPart,
    FirstView,
    NothingToUndo,
    NoCalls,
    OneTable,
    NoTreeOfDifference,
    NoSourceOfDifference,
    OneSide,
    NoFunction,
    OneOrder,
    /// Rows have this order.
    Order {
        column: &'a str,
        is_reversed: bool,
    },
    /// The pattern as it is typed.
    Typed {
        pattern: &'a str,
        n_found: usize,
        n_lines: usize,
    },
    NoPattern,
    NoMatch(&'a str),
    /// The path as it is typed.
    File(&'a str),
    /// A label as it is typed.
    Label(&'a str),
    OneValue,
    NoFile,
    Written(&'a str),
}

impl fmt::Display for BrowseMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warnings(0) => "",
            Self::Warnings(1) => "1 warning: press w",
            Self::Warnings(n_warnings) => return write!(f, "{n_warnings} warnings: press w"),
            Self::NoPart => "the report has no such part",
            Self::FirstView => "this is the first view; q leaves",
            Self::NothingToUndo => "nothing to undo",
            Self::NoCalls => "no callers and callees were recorded for this row",
            Self::OneTable => "the report has one table",
            Self::NoTreeOfDifference => "a difference has no call tree",
            Self::NoSourceOfDifference => "a difference has no annotated source",
            Self::OneSide => "one side: pass two with profan browse OLD... -- NEW...",
            Self::NoFunction => "select a function first",
            Self::OneOrder => "these rows have one order",
            Self::Order { column, is_reversed } => {
                let reversed = if *is_reversed { ", reversed" } else { "" };
                return write!(f, "order: {column}{reversed}");
            }
            Self::Typed { pattern, n_found, n_lines } => {
                return write!(f, "/{pattern}   ({n_found} of {n_lines})");
            }
            Self::NoPattern => "search with / first",
            Self::NoMatch(pattern) => return write!(f, "no match of `{pattern}`"),
            Self::File(path) => return write!(f, "file (.txt, .json, .csv, .md ...): {path}"),
            Self::Label(key) => {
                return write!(
                    f,
                    "label (KEY for rows by value, KEY=VALUE for its samples): {key}"
                );
            }
            Self::OneValue => "the profile has one value",
            Self::NoFile => "no file",
            Self::Written(path) => return write!(f, "written to {path}"),
        })
    }
}

/// The title of a function between its callers and callees.
pub fn calls_of(function: &str) -> String {
    format!("Callers and callees of {function}")
}

/// The diagnostics of a report, and the sentences about its numbers.
pub fn warnings_and_notes(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for diagnostic in &report.diagnostics {
        lines.push(format!("{}: {}", diagnostic.code, diagnostic.message));
        lines.push(format!("  help: {}", diagnostic.advice));
    }
    for section in &report.sections {
        let notes = section.summary.iter().chain(&section.notes);
        let notes = notes.chain(&section.uncertainty.summary);
        lines.extend(notes.flat_map(|note| note.lines().map(str::to_owned)));
    }
    if lines.is_empty() {
        lines.push("no warnings".to_owned());
    }
    lines
}
