//! Symbols and their numbers.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use super::files::FileId;
use crate::model::Address;

/// The number of a symbol in its table, by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

impl SymbolId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of code that a symbol of a table denotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Granularity {
    /// A function.
    #[default]
    Functions,
    /// Code of one source line. Functions also have symbols, whose time ends at their next
    /// line.
    Lines,
    /// Code of one function, inlined or not, see `Inlines`.
    Inlines,
}

/// A line of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceLine {
    pub file: FileId,
    pub line: NonZeroU32,
}

/// A named piece of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The addresses found by a look-up. Empty for a symbol that no look-up finds; by gprof's
    /// rules it may end before it starts.
    pub range: Range<Address>,
    /// End of the addresses whose ticks it gets; the range has the start.
    pub ticks_end: Address,
    /// The name in the executable. All lines of a function share it.
    pub name: Arc<[u8]>,
    /// Has the type of a function.
    pub is_function: bool,
    /// Local to its file.
    pub is_static: bool,
    /// Its start in the source, if known.
    pub source: Option<SourceLine>,
}

impl Symbol {
    /// A function of these addresses.
    pub(super) fn function(range: Range<Address>, name: Arc<[u8]>) -> Self {
        Self {
            ticks_end: range.end,
            range,
            name,
            is_function: true,
            is_static: false,
            source: None,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a symbol takes more than a byte, and tables of 4 GiB are not mapped"
)]
pub(super) fn id_of(index: usize) -> SymbolId {
    SymbolId(index as u32)
}
