//! The two text files of programs built by MLton for profiling: the table of
//! functions that a program prints about itself, and the profile that a run of it
//! leaves behind.
//!
//! Both are lines of numbers and names. What is odd about real files (line ends of
//! Windows, blank lines at the end, words behind numbers) is passed over, as far as a
//! [`MltonPolicy`] says.

mod lines;
mod mlmon;
mod table;
#[cfg(test)]
mod tests;

pub(super) use mlmon::Mlmon;
pub use mlmon::read as read_mlmon;
pub(super) use table::Table;
pub use table::read as read_mlton_table;

use super::error::FormatFault;
use crate::model::FileKind;

const KIND: FileKind = FileKind {
    is_standard_ml: true,
    ..FileKind::named("a table or profile of MLton's")
};

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum MltonFault {
    #[error("the text ends where {what} should follow")]
    End { what: &'static str },
    #[error("this is no build number: eight hexadecimal digits behind 0x")]
    NoBuild,
    #[error("{what} should stand here: a number from 0 to {limit}")]
    Number { what: &'static str, limit: u64 },
    #[error("{what} should be {expected} numbers, but {found} words are here")]
    Words {
        what: &'static str,
        expected: usize,
        found: usize,
    },
    #[error("{what} should stand here: {choice}")]
    Choice {
        what: &'static str,
        choice: &'static str,
    },
    #[error("a name, a tab and a position should stand here")]
    Name,
    #[error("the program has no names: it was not compiled for profiling (mlton -profile time)")]
    NotProfiled,
    #[error("{n_lines} more lines follow where the text should end")]
    Rest { n_lines: u64 },
}

impl FormatFault for MltonFault {
    fn advice(&self) -> Option<&'static str> {
        (*self == Self::NotProfiled).then_some(
            "compile the program with mlton -profile time, alloc or count, and let it run",
        )
    }
}

/// What counts in a text, and what is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MltonPolicy {
    /// Texts of the release of 2003-03 are read, too, which have other tables.
    pub knows_first_release: bool,
    /// A carriage return before the end of a line is a part of the end, and blank lines
    /// behind a table are none.
    pub ignores_blank_ends: bool,
    /// Tabs part words, however many they are, and a third word behind name and position
    /// is an error. Otherwise the position is all that stands behind the first tab.
    pub joins_tabs: bool,
    /// A position that reads `<unknown>` is one. Otherwise there is none.
    pub keeps_unknown_positions: bool,
    /// A value may be negative, and beyond 64 bits.
    pub takes_any_value: bool,
}

impl MltonPolicy {
    /// What is meant counts.
    pub const CAREFUL: Self = Self {
        knows_first_release: true,
        ignores_blank_ends: true,
        joins_tabs: false,
        keeps_unknown_positions: false,
        takes_any_value: false,
    };
}
