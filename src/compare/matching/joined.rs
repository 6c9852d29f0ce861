//! What tells a function from others, and the functions of both sides, each once.

use std::sync::Arc;

use super::{JoinRule, WhichSide};

/// A function, or a line of one, as its profile or its executable names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionName {
    pub name: Arc<[u8]>,
    pub file: Option<Arc<[u8]>>,
    /// The line: the one it is about, where it is about a line, or else that in which
    /// the function starts. Functions are the same wherever they start.
    pub line: Option<u32>,
    /// It stands for one line.
    pub is_line: bool,
    /// Of a line, how far it is below the first one of its function that has code: that is
    /// the same wherever the function starts. `None` where lines are the same by number.
    pub offset: Option<u32>,
    /// The program or library, where a profile is of several.
    pub object: Option<Arc<[u8]>>,
    /// It is known that no other function of the program has this name.
    pub is_global: bool,
}

/// The functions of both sides, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Joined {
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
    pub fn shown(&self) -> impl Iterator<Item = FunctionName> {
        self.rows.iter().map(|row| row.shown.clone())
    }

    /// The rows of functions of a side by the numbers that the matcher gave them.
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
