//! What `profan browse` prints beside a report.

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

// Messages about the last key.
pub const NO_PART: &str = "the report has no such part";
pub const FIRST_VIEW: &str = "this is the first view; q leaves";
pub const NOTHING_TO_UNDO: &str = "nothing to undo";
pub const NO_CALLS: &str = "no callers and callees were recorded for this row";
pub const ONE_TABLE: &str = "the report has one table";
pub const NO_TREE_OF_DIFFERENCE: &str = "a difference has no call tree";
pub const NO_SOURCE_OF_DIFFERENCE: &str = "a difference has no annotated source";
pub const ONE_SIDE: &str = "one side: pass two with profan browse OLD... -- NEW...";
pub const NO_FUNCTION: &str = "select a function first";
pub const ONE_ORDER: &str = "these rows have one order";
pub const NO_PATTERN: &str = "search with / first";
pub const ONE_VALUE: &str = "the profile has one value";
pub const NO_FILE: &str = "no file";

/// The message of a new report.
pub fn warnings(n_warnings: usize) -> String {
    match n_warnings {
        0 => String::new(),
        1 => "1 warning: press w".to_owned(),
        n_warnings => format!("{n_warnings} warnings: press w"),
    }
}

/// Rows have this order.
pub fn order(column: &str, is_reversed: bool) -> String {
    format!("order: {column}{}", if is_reversed { ", reversed" } else { "" })
}

/// The question for a file, with the path as it is typed.
pub fn file(path: &str) -> String {
    format!("file (.txt, .json, .csv, .md ...): {path}")
}

/// The question for a label, as it is typed.
pub fn label(key: &str) -> String {
    format!("label (KEY for rows by value, KEY=VALUE for its samples): {key}")
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
