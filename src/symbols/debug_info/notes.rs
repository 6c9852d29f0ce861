//! Notes on unusable parts of debug information.

use std::fmt;

/// Why a part was skipped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DebugDamage {
    #[error(transparent)]
    Dwarf(gimli::Error),
    /// Parts refer to each other so often that reading them all would take far more steps
    /// than their size; compilers do not write that.
    #[error("it needs too much time for its size")]
    TooMuchWork,
    /// Inlining is deeper than any compiler does it.
    #[error("inlining is more than {limit} levels deep")]
    TooDeep { limit: usize },
    /// Long names overlap so much that they would take far more than their stored size; their
    /// ends were cut.
    #[error("nested long names are truncated")]
    LongNames,
    #[error("{0}")]
    Section(object::Error),
    /// It, or its tables, would exceed the memory limit.
    #[error("it needs too much memory for its size")]
    TooLarge,
    /// A zstd section does not decompress to its stated size.
    #[error("Invalid zstd compressed data")]
    Zstd,
}

impl From<gimli::Error> for DebugDamage {
    fn from(error: gimli::Error) -> Self {
        match error {
            // Only an exhausted budget gives this error here.
            gimli::Error::Io => Self::TooMuchWork,
            error => Self::Dwarf(error),
        }
    }
}

/// The skipped part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DebugPart {
    /// A section, by name.
    Section(&'static str),
    /// All units from this offset of `.debug_info` on.
    UnitsFrom(usize),
    /// The unit at this offset of `.debug_info`.
    Unit(usize),
    /// The line table at this offset of `.debug_line`.
    LineTable(usize),
    /// Lines and functions at an address, and possibly of more code.
    CodeAt(u64),
    /// The files, lines and inlined functions of a share of the addresses.
    Addresses { percent: u64 },
    /// The same of a share of the samples.
    Samples { percent: u64 },
    /// Everything.
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
                write!(f, "debug information of the code at {address:#x}")
            }
            DebugPart::Addresses { percent } => {
                write!(f, "debug information of {percent} % of the addresses")
            }
            DebugPart::Samples { percent } => {
                write!(f, "debug information of {percent} % of the samples")
            }
            DebugPart::Whole => write!(f, "debugging information"),
        }
    }
}

/// A skipped part, and the reason.
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

/// Maximum number of notes for a file.
const N_NOTES: usize = 16;

/// The first notes on a file.
#[derive(Debug, Clone)]
pub(crate) struct Notes<D>(Vec<Note<D>>);

impl<D> Default for Notes<D> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<D: PartialEq> Notes<D> {
    pub(crate) fn add(&mut self, part: DebugPart, damage: D) {
        if self.0.len() < N_NOTES {
            self.0.push(Note { part, damage });
        }
    }

    /// Adds a note unless one has the same damage, which may occur at many addresses.
    pub(crate) fn add_once(&mut self, part: DebugPart, damage: D) {
        if self.0.iter().all(|note| note.damage != damage) {
            self.add(part, damage);
        }
    }

    /// The value, or a note on its error.
    pub(crate) fn value<T>(&mut self, part: DebugPart, read: Result<T, D>) -> Option<T> {
        read.map_err(|damage| self.add(part, damage)).ok()
    }

    pub(crate) fn as_slice(&self) -> &[Note<D>] {
        &self.0
    }
}
