//! What was wrong with a part of the debugging information that is left out.

use std::fmt;

/// Why a part was left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DebugDamage {
    #[error(transparent)]
    Dwarf(gimli::Error),
    /// Parts refer to each other so often that reading them all would take far
    /// longer than their size suggests; no compiler writes that.
    #[error("it asks for more work than its size can justify")]
    TooMuchWork,
    /// Inlined functions lie in each other deeper than any compiler puts them.
    #[error("functions are inlined into each other more than {limit} deep")]
    TooDeep { limit: usize },
    /// Long names are parts of each other so often that they would take far more than is
    /// stored of them; what was left out is their ends.
    #[error("long names are parts of each other too often, and are cut")]
    LongNames,
    #[error("{0}")]
    Section(object::Error),
    /// It unpacks to more than may be held, or tables of it would take more.
    #[error("it takes more memory than its size can justify")]
    TooLarge,
    /// What was packed with zstd cannot be unpacked to the size that it claims.
    #[error("Invalid zstd compressed data")]
    Zstd,
    /// A compressed section claims a size that real ones never reach.
    #[error("it claims {claimed} bytes, packed into {compressed}")]
    Inflated { claimed: u64, compressed: usize },
}

impl From<gimli::Error> for DebugDamage {
    fn from(error: gimli::Error) -> Self {
        match error {
            // This is what a meter says that has run out; nothing else does here.
            gimli::Error::Io => Self::TooMuchWork,
            error => Self::Dwarf(error),
        }
    }
}

/// The part that was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DebugPart {
    /// A section, by its customary name.
    Section(&'static str),
    /// The unit at this offset of `.debug_info` and all after it.
    UnitsFrom(usize),
    /// The unit at this offset of `.debug_info`.
    Unit(usize),
    /// The line table at this offset of `.debug_line`.
    LineTable(usize),
    /// Lines and functions of the code at an address, and perhaps of more.
    CodeAt(u64),
    /// All of it.
    Whole,
}

impl fmt::Display for DebugPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DebugPart::Section(name) => write!(f, "`{name}`"),
            DebugPart::UnitsFrom(offset) => {
                write!(f, "all units from {offset:#x} of `.debug_info`")
            }
            DebugPart::Unit(offset) => write!(f, "unit at {offset:#x} of `.debug_info`"),
            DebugPart::LineTable(offset) => write!(f, "line table at {offset:#x} of `.debug_line`"),
            DebugPart::CodeAt(address) => {
                write!(f, "debugging information of the code at {address:#x}")
            }
            DebugPart::Whole => write!(f, "debugging information"),
        }
    }
}

/// One part that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note<D> {
    pub(crate) part: DebugPart,
    pub(crate) damage: D,
}

impl<D: fmt::Display> fmt::Display for Note<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ignored: {}", self.part, self.damage)
    }
}

/// A file with a thousand broken units needs no thousand notes.
const MAX_NOTES: usize = 16;

/// The first few notes on a file.
#[derive(Debug, Clone)]
pub(crate) struct Notes<D>(Vec<Note<D>>);

impl<D> Default for Notes<D> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<D: PartialEq> Notes<D> {
    pub(crate) fn add(&mut self, part: DebugPart, damage: D) {
        if self.0.len() < MAX_NOTES {
            self.0.push(Note { part, damage });
        }
    }

    /// Adds a note unless there is one on the same damage: what lies behind many
    /// addresses is met at each of them.
    pub(crate) fn add_once(&mut self, part: DebugPart, damage: D) {
        if self.0.iter().all(|note| note.damage != damage) {
            self.add(part, damage);
        }
    }

    /// What was read, or a note on why it was not.
    pub(crate) fn value<T>(&mut self, part: DebugPart, read: Result<T, D>) -> Option<T> {
        read.map_err(|damage| self.add(part, damage)).ok()
    }

    pub(crate) fn as_slice(&self) -> &[Note<D>] {
        &self.0
    }
}
