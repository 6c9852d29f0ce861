//! Functions of both sides, each once.

use std::sync::Arc;

use super::{FunctionName, JoinRule, WhichSide};

/// The functions of both sides, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    /// A row for each function.
    pub rows: Box<[JoinedFunction]>,
    /// For each side the row of each number, or [`NO_ROW`].
    pub(super) rows_of: [Box<[u32]>; 2],
}

/// In place of the row of a number that a side does not have.
pub(super) const NO_ROW: u32 = u32::MAX;

/// A function, with all that is known under its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedFunction {
    /// What it is called: by the plainest of its names on the new side, or else on the old.
    pub shown: FunctionName,
    /// Its names on the old side, in order; none if it is new.
    pub old: Box<[FunctionName]>,
    /// Its names on the new side, in order; none if it is gone.
    pub new: Box<[FunctionName]>,
    /// Why they are one: the least sure of the reasons that it takes. `None` where one
    /// side alone has it, or both have it under the same name.
    pub rule: Option<JoinRule>,
}

impl Joined {
    /// What the rows are called.
    pub fn shown(&self) -> impl Iterator<Item = FunctionName> {
        self.rows.iter().map(|row| row.shown.clone())
    }

    /// The rows of functions of a side by the numbers that the matcher gave them.
    #[must_use]
    pub fn rows_of(&self, numbers: &[u32], side: WhichSide) -> Arc<[u32]> {
        let rows = &self.rows_of[side as usize];
        numbers
            .iter()
            .map(|&number| rows[number as usize])
            .collect()
    }

    /// The row of a function by its number; `None` where this side does not have it.
    #[cfg(test)]
    pub(super) fn row_of(&self, number: usize, side: WhichSide) -> Option<usize> {
        let row = *self.rows_of[side as usize].get(number)?;
        (row != NO_ROW).then_some(row as usize)
    }
}
