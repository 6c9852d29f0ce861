//! The input of sections on differences.

use super::compared::{Compared, DifferenceOrder};
use super::gate::Failure;
use super::looks::Look;
use super::moved::Moved;
use crate::compare::matching::Joined;
use crate::report::NameTable;

/// The input of sections on differences.
#[derive(Clone, Copy)]
pub struct DifferenceMaterial<'a> {
    pub compared: &'a Compared,
    pub joined: &'a Joined,
    /// The order of rows, and the shown numbers.
    pub order: DifferenceOrder,
    pub failures: &'a [Failure],
    /// Functions that are inlined on one side only.
    pub moved: &'a [Moved],
    /// The comparison is one of several, with more runs each time.
    pub look: Option<Look>,
    /// Rows are tests: functions with a share of the program, changed or not, and refusals.
    pub rows_are_tests: bool,
    /// The name of the program, if it is one of several.
    pub program: Option<&'a str>,
    /// Demangled names.
    pub names: &'a dyn NameTable,
}

impl DifferenceMaterial<'_> {
    pub(super) fn are_lines(&self) -> bool {
        let mut rows = self.joined.rows.iter();
        rows.any(|row| row.shown.is_line)
    }
}
