//! Strings of debugging information that are copied.
//!
//! A folder stands once in the file, and in the name of each of its files: `addr2line`
//! makes these when it reads the lines of a unit.

use std::cell::Cell;

use gimli::{Error, Result, SectionId};

use super::DebugSections;

/// Bytes that may be copied whatever the sections are.
const BASE: usize = 32 << 20;

/// How many bytes may be copied for each byte of line tables. A file takes five there, and
/// more in older versions.
const COPIES: usize = 32;

/// Bytes of strings that may still be copied.
#[derive(Debug)]
pub(super) struct Copies(Cell<usize>);

impl Copies {
    pub(super) fn new(sections: &DebugSections<'_>) -> Self {
        let tables = [SectionId::DebugLine, SectionId::DebugLineStr];
        let n_bytes: usize = tables.iter().map(|&id| sections.bytes(id).len()).sum();
        Self(Cell::new(
            n_bytes.saturating_mul(COPIES).saturating_add(BASE),
        ))
    }

    /// Counts a copy, as long as it may be made.
    pub(super) fn spend(&self, n_bytes: usize) -> Result<()> {
        let rest = self.0.get().checked_sub(n_bytes);
        self.0.set(rest.unwrap_or(0));
        // As with meters: `gimli` has no error for this.
        rest.map(|_| ()).ok_or(Error::Io)
    }
}
