//! Limits the work for one file.
//!
//! DWARF is full of references: many units may refer to one abbreviation table, line program
//! or range list. In real files little is shared, so the work is proportional to the size. A
//! hostile file can make every unit read a whole section; the budget stops that after a fixed
//! multiple of the size of the file.

use crate::memory::{Limits, ThreadBudget};

/// Finding the end of a string is fast, but thousands of files may share a long one.
const BYTES_SEARCHED_PER_STEP: usize = 64;

/// Remaining steps, and memory for their results.
#[derive(Debug)]
pub(super) struct LineBudget {
    left: u64,
    thread_budget: ThreadBudget,
}

impl LineBudget {
    /// Attributes may be empty, but entries do not consist of empty ones only.
    pub(super) const ATTRIBUTE: u64 = 4;
    /// Decoded abbreviations take about thirty times their size, so they use up the steps of
    /// their own bytes.
    pub(super) const ABBREVIATION_BYTE: u64 = 32;
    /// A byte of a line table may become a row of sixteen bytes.
    pub(super) const LINE_TABLE_BYTE: u64 = 8;
    /// A range takes at least three bytes in the file, and about ninety in memory.
    pub(super) const RANGE: u64 = 64;

    /// Memory of a file name in the header of a line table, before it is read.
    pub(super) const FILE_NAME: usize = 256;

    pub(super) fn for_bytes(n_bytes: usize, thread_budget: ThreadBudget) -> LineBudget {
        LineBudget { left: Limits::of(n_bytes as u64).steps, thread_budget }
    }

    /// Charges the search for the end of a string.
    pub(super) fn spend_on_string(&mut self, text: &[u8]) -> Result<(), LineDamage> {
        self.spend(text.len() / BYTES_SEARCHED_PER_STEP, 1)
    }

    /// Charges `count` times `steps`.
    pub(super) fn spend(&mut self, count: usize, steps: u64) -> Result<(), LineDamage> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let cost = count.saturating_mul(steps);
        self.left = self.left.checked_sub(cost).ok_or(LineDamage::TooMuchWork)?;
        self.check_room(0)
    }

    /// Checks that `n_bytes` more fit into memory.
    pub(super) fn check_room(&self, n_bytes: usize) -> Result<(), LineDamage> {
        let has_room = self.thread_budget.has_room(n_bytes);
        has_room.then_some(()).ok_or(LineDamage::TooLarge)
    }
}

/// Why a part was skipped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LineDamage {
    /// An error of the DWARF reader.
    #[error(transparent)]
    Dwarf(#[from] gimli::Error),
    /// Parts refer to each other so often that reading them all would take far more steps
    /// than their size; compilers do not write that.
    #[error("it asks for more work than its size can justify")]
    TooMuchWork,
    /// Tables would take far more memory than their size.
    #[error("it takes more memory than its size can justify")]
    TooLarge,
    /// A 32-bit table belongs to a 64-bit unit, or the reverse; gprof cannot read that.
    #[error("its offsets are not of the same size as those of its unit")]
    MixedFormats,
    /// A range list refers to `.debug_addr`; gprof cannot read that.
    #[error("it has a range list with indexed addresses")]
    IndexedRange,
    /// A line program has an instruction unknown to gprof.
    #[error("its line program has the unknown extended opcode {0}")]
    UnknownOpcode(u8),
}
