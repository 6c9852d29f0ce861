//! What was wrong with a part of the debugging information that is left out.

use std::fmt;

/// Why a part was left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Damage {
    /// The DWARF reader refused it.
    #[error(transparent)]
    Dwarf(#[from] gimli::Error),
    /// Parts refer to each other so often that reading them all would take far
    /// longer than their size suggests; no compiler writes that.
    #[error("it asks for more work than its size can justify")]
    TooMuchWork,
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
    /// A section cannot be read or unpacked.
    #[error("{0}")]
    Section(object::Error),
    /// A compressed section claims a size that real ones never reach.
    #[error("it claims {claimed} bytes, packed into {packed}")]
    Inflated {
        /// Size after unpacking, as claimed.
        claimed: u64,
        /// Size in the file.
        packed: usize,
    },
}

/// The part that was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A section, by its customary name.
    Section(&'static str),
    /// The unit at this offset of `.debug_info` and all after it.
    UnitsFrom(usize),
    /// The unit at this offset of `.debug_info`.
    Unit(usize),
    /// The line table at this offset of `.debug_line`.
    LineTable(usize),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Section(name) => write!(f, "`{name}`"),
            Part::UnitsFrom(offset) => {
                write!(f, "all units from {offset:#x} of `.debug_info`")
            }
            Part::Unit(offset) => write!(f, "unit at {offset:#x} of `.debug_info`"),
            Part::LineTable(offset) => write!(f, "line table at {offset:#x} of `.debug_line`"),
        }
    }
}

/// One part that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// What was left out.
    pub part: Part,
    /// What was wrong with it.
    pub damage: Damage,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ignored: {}", self.part, self.damage)
    }
}

/// A file with a thousand broken units needs no thousand notes.
const MAX_NOTES: usize = 16;

/// The first few notes on a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes(Vec<Note>);

impl Notes {
    pub(super) fn add(&mut self, part: Part, damage: Damage) {
        if self.0.len() < MAX_NOTES {
            self.0.push(Note { part, damage });
        }
    }

    /// What was read, or a note on why it was not.
    pub(super) fn value<T>(&mut self, part: Part, read: Result<T, Damage>) -> Option<T> {
        read.map_err(|damage| self.add(part, damage)).ok()
    }

    pub(super) fn as_slice(&self) -> &[Note] {
        &self.0
    }
}
