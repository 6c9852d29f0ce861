//! What sections of differences are made from.

use super::compared::{Compared, DifferenceOrder};
use super::gate::Failure;
use crate::compare::matching::Joined;
use crate::report::NameTable;

/// What a section of differences is made from.
#[derive(Clone, Copy)]
pub struct DifferenceMaterial<'a> {
    pub compared: &'a Compared,
    pub joined: &'a Joined,
    /// How rows are in order, and which numbers are shown.
    pub order: DifferenceOrder,
    pub failures: &'a [Failure],
    /// Their names, as people read them.
    pub names: &'a dyn NameTable,
}

impl DifferenceMaterial<'_> {
    pub(super) fn are_lines(&self) -> bool {
        let mut rows = self.joined.rows.iter();
        rows.any(|row| row.shown.is_line)
    }
}
