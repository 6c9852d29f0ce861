//! A view of a report.

use crate::report::Cell;

/// The view of a report.
#[derive(Clone, Debug)]
pub(super) enum View {
    /// A section of the report, by position.
    Section(usize),
    /// A function between its callers and callees.
    Function(Cell),
    /// Lines with a title.
    Text(&'static str, Vec<String>),
}
