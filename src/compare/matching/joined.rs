//! The matched functions of both sides.

use std::sync::Arc;

use super::{FunctionName, JoinRule, WhichSide};

/// The functions of both sides, by name.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    pub rows: Box<[JoinedFunction]>,
    /// For each side the row of each number, or [`NO_ROW`].
    pub(super) rows_of: [Box<[u32]>; 2],
}

/// The row of a number that a side does not have.
pub(super) const NO_ROW: u32 = u32::MAX;

/// A matched function with all its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedFunction {
    /// Its plainest name on the new side, or else on the old one.
    pub shown: FunctionName,
    /// Names on the old side, sorted; empty if new.
    pub old: Box<[FunctionName]>,
    /// Names on the new side, sorted; empty if gone.
    pub new: Box<[FunctionName]>,
    /// Why the names match: the least certain rule needed. `None` for equal names, or a function
    /// on only one side.
    pub rule: Option<JoinRule>,
}

impl Joined {
    pub fn shown(&self) -> impl Iterator<Item = FunctionName> {
        self.rows.iter().map(|row| row.shown.clone())
    }

    /// The rows of a side's functions, by number.
    pub fn rows_of(&self, numbers: &[u32], side: WhichSide) -> Arc<[u32]> {
        let rows = &self.rows_of[side as usize];
        numbers.iter().map(|&number| rows[number as usize]).collect()
    }

    /// The row of a function; `None` if this side does not have it.
    #[cfg(test)]
    pub(super) fn row_of(&self, number: usize, side: WhichSide) -> Option<usize> {
        let row = *self.rows_of[side as usize].get(number)?;
        (row != NO_ROW).then_some(row as usize)
    }
}
