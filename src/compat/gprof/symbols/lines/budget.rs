//! A limit on the work that one file may cause.
//!
//! DWARF is full of references: many units may name one abbreviation table, one
//! line program, one range list. Honest files share little, so the work grows
//! with the bytes. A hostile file can make every unit read the whole of a
//! section; the budget ends that after a fixed multiple of the file's size.

use crate::memory::ThreadBudget;

/// Steps granted for each byte of debugging information.
const STEPS_PER_BYTE: u64 = 32;
/// Steps granted to any file, so that tiny ones need no care.
const BASE_STEPS: u64 = 1 << 20;

/// The end of a string is found quickly, but thousands of files may share a long one.
const BYTES_SEARCHED_PER_STEP: usize = 64;

/// What a piece of work that is done ahead may take for each byte that it reads.
const PREFETCHED_PER_BYTE: usize = 16;

/// Steps that are left, and what their results may take in memory.
#[derive(Debug)]
pub(super) struct LineBudget {
    left: u64,
    thread_budget: ThreadBudget,
    /// Bytes of results that other threads have allocated.
    n_bytes_elsewhere: usize,
}

/// What was read by a thread of its own, and what it took.
pub(super) struct Prefetched<T> {
    result: T,
    n_steps: u64,
    n_bytes: usize,
}

impl LineBudget {
    /// Attributes may be empty, but entries are not made of empty ones only.
    pub(super) const ATTRIBUTE: u64 = 4;
    /// Abbreviations take some thirty times their bytes when unpacked, so they
    /// use up all that their own bytes bring in.
    pub(super) const ABBREVIATION_BYTE: u64 = 32;
    /// A byte of a line table may become a row of sixteen bytes.
    pub(super) const LINE_TABLE_BYTE: u64 = 8;
    /// A range takes at least three bytes in the file, and some ninety here.
    pub(super) const RANGE: u64 = 64;

    /// What the name of a file in the header of a line table takes until it is read.
    pub(super) const FILE_NAME: usize = 256;

    pub(super) fn for_bytes(n_bytes: usize, thread_budget: ThreadBudget) -> LineBudget {
        let n_bytes = u64::try_from(n_bytes).unwrap_or(u64::MAX);
        let left = n_bytes.saturating_mul(STEPS_PER_BYTE);
        LineBudget {
            left: left.saturating_add(BASE_STEPS),
            thread_budget,
            n_bytes_elsewhere: 0,
        }
    }

    /// Reads a part of so many bytes that is wanted later. The part has a budget of its
    /// own, so that it takes no more than its bytes bring in; `None` where that is not
    /// enough, or something is wrong with it.
    pub(super) fn prefetched<T>(
        n_bytes: usize,
        read: impl FnOnce(&mut LineBudget) -> Result<T, LineDamage>,
    ) -> Option<Prefetched<T>> {
        let room = n_bytes.saturating_mul(PREFETCHED_PER_BYTE);
        let thread_budget = ThreadBudget::of(u64::try_from(room).unwrap_or(u64::MAX));
        let steps = u64::try_from(n_bytes).unwrap_or(u64::MAX);
        let steps = steps.saturating_mul(STEPS_PER_BYTE);
        let mut budget = LineBudget {
            left: steps,
            thread_budget,
            n_bytes_elsewhere: 0,
        };
        let result = read(&mut budget).ok()?;
        Some(Prefetched {
            result,
            n_steps: steps - budget.left,
            n_bytes: room.saturating_sub(thread_budget.left()),
        })
    }

    /// Takes over what was read ahead, as if it had been read now; `None` where it could
    /// not have been.
    pub(super) fn take_over<T>(&mut self, prefetched: Prefetched<T>) -> Option<T> {
        let left = self.left.checked_sub(prefetched.n_steps)?;
        self.check_room(prefetched.n_bytes).ok()?;
        self.left = left;
        self.n_bytes_elsewhere += prefetched.n_bytes;
        Some(prefetched.result)
    }

    /// Takes away what it took to find the end of a string.
    pub(super) fn spend_on_string(&mut self, text: &[u8]) -> Result<(), LineDamage> {
        self.spend(text.len() / BYTES_SEARCHED_PER_STEP, 1)
    }

    /// Takes `count` times `steps` away.
    pub(super) fn spend(&mut self, count: usize, steps: u64) -> Result<(), LineDamage> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let cost = count.saturating_mul(steps);
        self.left = self.left.checked_sub(cost).ok_or(LineDamage::TooMuchWork)?;
        self.check_room(0)
    }

    /// Makes sure that there is room for so many bytes more.
    pub(super) fn check_room(&self, n_bytes: usize) -> Result<(), LineDamage> {
        let n_bytes = n_bytes.saturating_add(self.n_bytes_elsewhere);
        let has_room = self.thread_budget.has_room(n_bytes);
        has_room.then_some(()).ok_or(LineDamage::TooLarge)
    }
}

/// Why a part was left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LineDamage {
    /// The DWARF reader refused it.
    #[error(transparent)]
    Dwarf(#[from] gimli::Error),
    /// Parts refer to each other so often that reading them all would take far
    /// longer than their size suggests; no compiler writes that.
    #[error("it asks for more work than its size can justify")]
    TooMuchWork,
    /// Tables of it would take far more memory than their size suggests.
    #[error("it takes more memory than its size can justify")]
    TooLarge,
    /// A table of 32-bit DWARF belongs to a unit of 64-bit DWARF, or the reverse;
    /// gprof cannot read that.
    #[error("its offsets are not of the same size as those of its unit")]
    MixedFormats,
    /// A range list takes addresses from `.debug_addr`; gprof cannot read that.
    #[error("it has a range list with indexed addresses")]
    IndexedRange,
    /// A line program has an instruction that gprof does not know.
    #[error("its line program has the unknown extended opcode {0}")]
    UnknownOpcode(u8),
}
