//! Readers of debug information with a limit.
//!
//! DWARF is full of references: many units may refer to one abbreviation table, line program
//! or range list, and each gets a copy. In real files little is shared, so the work is
//! proportional to the size. A hostile file can make every unit read a whole section; the
//! budget stops that after a fixed multiple of the size of the section.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use gimli::{Error, Reader, ReaderOffsetId, Result, RunTimeEndian, SectionId};

use super::sections::DebugBytes;
use crate::memory::{Budget, ThreadBudget};

/// Maximum number of times that each byte of a section is read. Entries are read up to three
/// times, and names once for each function; line programs, which become rows of 24 bytes,
/// once or twice.
const READINGS: u64 = 16;
/// Strings are shared by design, found quickly and rarely copied.
const READINGS_OF_STRINGS: u64 = 256;
/// Steps allowed for any section.
const BASE_STEPS: u64 = 1 << 16;
/// Bytes per step in the search for the end of a string.
const BYTES_SEARCHED_PER_STEP: usize = 16;

/// Bytes of strings that may always be copied. A directory is stored once, but `addr2line`
/// copies it into the name of each of its files when it reads the lines of a unit.
const BASE_COPIED_BYTES: u64 = 32 << 20;

/// Copied bytes allowed for each byte of line tables. A file takes five bytes there, and more
/// in older versions.
const COPIED_PER_BYTE: u64 = 32;

/// Steps between two checks of the memory in use. The result of a step takes some hundred
/// bytes at most.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 12;

/// Remaining steps of a section.
#[derive(Debug)]
pub(super) struct SectionBudget {
    /// Steps until the next check of memory.
    left: Cell<u64>,
    /// Steps after that check.
    later: Cell<u64>,
    thread_budget: ThreadBudget,
    is_too_large: Cell<bool>,
}

impl SectionBudget {
    fn new(n_bytes: usize, readings: u64, thread_budget: ThreadBudget) -> Self {
        let n_bytes = u64::try_from(n_bytes).unwrap_or(u64::MAX);
        let steps = n_bytes.saturating_mul(readings);
        Self {
            left: Cell::new(0),
            later: Cell::new(steps.saturating_add(BASE_STEPS)),
            thread_budget,
            is_too_large: Cell::new(false),
        }
    }

    #[inline]
    fn spend(&self, n_steps: usize) -> Result<()> {
        let n_steps = n_steps as u64;
        match self.left.get().checked_sub(n_steps) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => self.look(n_steps),
        }
    }

    /// Checks the memory in use, and allows more of the remaining steps.
    #[cold]
    fn look(&self, n_steps: u64) -> Result<()> {
        let all = self.left.get().saturating_add(self.later.get());
        self.is_too_large.set(self.is_too_large.get() || !self.thread_budget.has_room(0));
        let rest = all.checked_sub(n_steps);
        let rest = rest.filter(|_| !self.is_too_large.get());
        let left = rest.unwrap_or(0);
        let now = left.min(STEPS_BETWEEN_LOOKS);
        self.left.set(now);
        self.later.set(left - now);
        // `gimli` has no error for this. Bytes in memory give no other of this kind.
        rest.map(|_| ()).ok_or(Error::Io)
    }
}

/// Groups of sections, with the number of times that each byte may be read.
const GROUPS: [(&[SectionId], u64); 5] = [
    (&[SectionId::DebugInfo], READINGS),
    (&[SectionId::DebugAbbrev], READINGS),
    (&[SectionId::DebugLine], READINGS),
    (&[SectionId::DebugRanges, SectionId::DebugRngLists, SectionId::DebugAddr], READINGS),
    (
        &[SectionId::DebugStr, SectionId::DebugLineStr, SectionId::DebugStrOffsets],
        READINGS_OF_STRINGS,
    ),
];

/// One budget for each group of sections.
#[derive(Debug)]
pub(in crate::symbols) struct SectionBudgets {
    groups: [SectionBudget; GROUPS.len()],
    copies: Budget,
    thread_budget: ThreadBudget,
}

impl SectionBudgets {
    /// Those of one of several readers of the same sections.
    pub(super) fn shared(sections: &super::DebugSections<'_>, n_readers: u32) -> Self {
        let thread_budget = sections.budget_of_all_code(n_readers);
        let size = |ids: &[SectionId]| ids.iter().map(|&id| sections.bytes(id).len()).sum();
        let lines = size(&[SectionId::DebugLine, SectionId::DebugLineStr]);
        Self {
            groups: GROUPS
                .map(|(ids, readings)| (size(ids), readings / u64::from(n_readers)))
                .map(|(size, readings)| SectionBudget::new(size, readings, thread_budget)),
            copies: Budget::of(BASE_COPIED_BYTES, lines, COPIED_PER_BYTE / u64::from(n_readers)),
            thread_budget,
        }
    }

    /// Returns whether something was skipped because it would exceed the memory limit.
    pub(super) fn is_too_large(&self) -> bool {
        self.groups.iter().any(|budget| budget.is_too_large.get())
    }

    /// Returns whether tables may still grow. Once false, it remains false.
    pub(super) fn has_room(&self) -> bool {
        let is_too_large = &self.groups[0].is_too_large;
        is_too_large.set(is_too_large.get() || !self.thread_budget.has_room(0));
        !is_too_large.get()
    }

    fn of(&self, id: SectionId) -> &SectionBudget {
        let group = GROUPS.iter().position(|(ids, _)| ids.contains(&id));
        &self.groups[group.unwrap_or(GROUPS.len() - 1)]
    }
}

/// Bytes of a section, with its budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct BudgetedBytes<'s> {
    bytes: DebugBytes<'s>,
    budget: &'s SectionBudget,
    copies: &'s Budget,
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
    pub(super) fn new(
        bytes: DebugBytes<'s>,
        id: SectionId,
        budgets: &'s SectionBudgets,
        zero: Zero<'s>,
    ) -> Self {
        Self { bytes, budget: budgets.of(id), copies: &budgets.copies, zero }
    }

    /// Counts a copied string.
    fn copy(&self) -> Result<()> {
        self.budget.spend(self.bytes.len())?;
        let may_copy = self.copies.spend(self.bytes.len() as u64);
        may_copy.then_some(()).ok_or(Error::Io)
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
        self.copy()?;
        Reader::to_string(&self.bytes)
    }

    fn to_string_lossy(&self) -> Result<Cow<'_, str>> {
        self.copy()?;
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
