//! Readers of debug information with a limit.
//!
//! DWARF is full of references: many units may refer to one abbreviation table, line program
//! or range list, and each gets a copy. In real files little is shared, so the work is
//! proportional to the size. A hostile file can make every unit read a whole section; the
//! budget stops that after a fixed multiple of the size of all sections.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use gimli::{Error, Reader, ReaderOffsetId, Result, RunTimeEndian, SectionId};

use super::sections::{DebugBytes, DebugSections};
use crate::memory::{Budget, Limits, ThreadBudget};

/// Bytes per step in the search for the end of a string.
const BYTES_SEARCHED_PER_STEP: usize = 16;

/// Steps between two checks of the memory in use. The result of a step takes some hundred
/// bytes at most.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 12;

/// Remaining steps of reading all sections, and the memory for what is read. Entries are read up
/// to three times, and names once for each function; line programs once or twice.
#[derive(Debug)]
pub(in crate::symbols) struct SectionBudget {
    /// Steps until the next check of memory.
    left: Cell<u64>,
    /// Steps after that check.
    later: Budget,
    /// Bytes of strings to copy. A directory is stored once, but `addr2line` copies it into the
    /// name of each of its files when it reads the lines of a unit.
    copies: Budget,
    thread_budget: ThreadBudget,
    is_too_large: Cell<bool>,
}

impl SectionBudget {
    /// That of one of several readers of the same sections.
    pub(super) fn shared(sections: &DebugSections<'_>, n_readers: u32) -> Self {
        let part = |limit: u64| Budget::of(limit / u64::from(n_readers));
        let n_names = sections.bytes(SectionId::DebugLine).len()
            + sections.bytes(SectionId::DebugLineStr).len();
        // Text that grows takes up to twice its size.
        let most_copied = Limits::of(n_names as u64).bytes / 2;
        Self {
            left: Cell::new(0),
            copies: part(most_copied),
            later: part(Limits::of(sections.n_bytes() as u64).steps),
            thread_budget: sections.budget_of_all_code(n_readers),
            is_too_large: Cell::new(false),
        }
    }

    #[inline]
    fn spend(&self, n_steps: usize) -> Result<()> {
        match self.left.get().checked_sub(n_steps as u64) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => self.look(n_steps as u64),
        }
    }

    fn spend_on_copy(&self, n_bytes: usize) -> Result<()> {
        self.spend(n_bytes)?;
        self.copies.spend(n_bytes as u64).then_some(()).ok_or(Error::Io)
    }

    /// Checks the memory in use, and allows more of the remaining steps.
    #[cold]
    fn look(&self, n_steps: u64) -> Result<()> {
        let goes_on = self.has_room() && self.later.spend(n_steps + STEPS_BETWEEN_LOOKS);
        self.left.set(if goes_on { STEPS_BETWEEN_LOOKS } else { 0 });
        // `gimli` has no error for this. Bytes in memory give no other of this kind.
        goes_on.then_some(()).ok_or(Error::Io)
    }

    /// Returns whether something was skipped because it would exceed the memory limit.
    pub(super) fn is_too_large(&self) -> bool {
        self.is_too_large.get()
    }

    /// Returns whether tables may still grow. Once false, it remains false.
    pub(super) fn has_room(&self) -> bool {
        self.is_too_large.set(self.is_too_large.get() || !self.thread_budget.has_room(0));
        !self.is_too_large.get()
    }
}

/// Bytes of a section, with its budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct BudgetedBytes<'s> {
    bytes: DebugBytes<'s>,
    budget: &'s SectionBudget,
    zero: Zero<'s>,
}

/// The meaning of address 0. Linkers assign it to discarded functions; in a
/// position-independent program these would hide others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Zero<'s> {
    /// An address, possibly with code.
    Address,
    /// No address. It reads as the highest one, which DWARF 6 and newer linkers use for
    /// discarded code.
    Nowhere,
    /// No address, except as the base address of a unit.
    NowhereButIn(&'s Roots),
}

/// The first entries of units.
#[derive(Debug)]
pub(super) struct Roots {
    /// The start of `.debug_info`.
    start: ReaderOffsetId,
    /// Their ranges within it, ascending.
    places: Vec<Range<usize>>,
}

impl Roots {
    pub(super) fn new(section: DebugBytes<'_>, places: Vec<Range<usize>>) -> Self {
        Self { start: section.offset_id(), places }
    }

    fn contain(&self, id: ReaderOffsetId) -> bool {
        let offset = id.0.checked_sub(self.start.0);
        let Some(offset) = offset.and_then(|offset| usize::try_from(offset).ok()) else {
            return false;
        };
        let n_before = self.places.partition_point(|place| place.start <= offset);
        let place = n_before.checked_sub(1).map(|index| &self.places[index]);
        place.is_some_and(|place| place.contains(&offset))
    }
}

impl<'s> BudgetedBytes<'s> {
    /// Bytes of a section, in which address 0 has the meaning `zero`.
    pub(super) fn new(bytes: DebugBytes<'s>, budget: &'s SectionBudget, zero: Zero<'s>) -> Self {
        Self { bytes, budget, zero }
    }

    pub(super) fn slice(&self) -> &'s [u8] {
        self.bytes.slice()
    }
}

impl Reader for BudgetedBytes<'_> {
    type Endian = RunTimeEndian;
    type Offset = usize;

    #[inline]
    fn endian(&self) -> RunTimeEndian {
        self.bytes.endian()
    }

    #[inline]
    fn len(&self) -> usize {
        self.bytes.len()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    #[inline]
    fn empty(&mut self) {
        self.bytes.empty();
    }

    #[inline]
    fn truncate(&mut self, len: usize) -> Result<()> {
        self.bytes.truncate(len)
    }

    #[inline]
    fn offset_from(&self, base: &Self) -> usize {
        self.bytes.offset_from(base.bytes)
    }

    #[inline]
    fn offset_id(&self) -> ReaderOffsetId {
        self.bytes.offset_id()
    }

    #[inline]
    fn lookup_offset_id(&self, id: ReaderOffsetId) -> Option<usize> {
        self.bytes.lookup_offset_id(id)
    }

    #[inline]
    fn find(&self, byte: u8) -> Result<usize> {
        let found = Reader::find(&self.bytes, byte);
        let n_searched = found.unwrap_or(self.bytes.len());
        self.budget.spend(1 + n_searched / BYTES_SEARCHED_PER_STEP)?;
        found
    }

    #[inline]
    fn skip(&mut self, len: usize) -> Result<()> {
        self.budget.spend(1)?;
        self.bytes.skip(len)
    }

    #[inline]
    fn split(&mut self, len: usize) -> Result<Self> {
        self.budget.spend(1)?;
        let bytes = self.bytes.split(len)?;
        Ok(Self { bytes, ..*self })
    }

    fn to_slice(&self) -> Result<Cow<'_, [u8]>> {
        self.bytes.to_slice()
    }

    fn to_string(&self) -> Result<Cow<'_, str>> {
        self.budget.spend_on_copy(self.bytes.len())?;
        Reader::to_string(&self.bytes)
    }

    fn to_string_lossy(&self) -> Result<Cow<'_, str>> {
        self.budget.spend_on_copy(self.bytes.len())?;
        Reader::to_string_lossy(&self.bytes)
    }

    fn read_address(&mut self, address_size: u8) -> Result<u64> {
        self.budget.spend(usize::from(address_size))?;
        let id = self.bytes.offset_id();
        let address = self.bytes.read_address(address_size)?;
        let is_nowhere = address == 0
            && match self.zero {
                Zero::Address => false,
                Zero::Nowhere => true,
                Zero::NowhereButIn(roots) => !roots.contain(id),
            };
        let highest = u64::MAX >> (64 - u32::from(address_size.clamp(1, 8)) * 8);
        Ok(if is_nowhere { highest } else { address })
    }

    #[inline]
    fn read_slice(&mut self, buffer: &mut [u8]) -> Result<()> {
        self.budget.spend(buffer.len())?;
        self.bytes.read_slice(buffer)
    }

    #[inline]
    fn read_u8(&mut self) -> Result<u8> {
        self.budget.spend(1)?;
        self.bytes.read_u8()
    }
}
