//! The two text files of programs that MLton built for profiling: the table of functions that
//! a program prints, and the profile of a run.
//!
//! Both consist of lines of numbers and names. Irregularities of real files (Windows line
//! ends, trailing blank lines, words after numbers) are ignored, as a [`MltonPolicy`] allows.

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

/// The highest number of a name or row: the original has 32-bit integers.
const LAST_NUMBER: u64 = i32::MAX as u64;

const KIND: FileKind =
    FileKind { is_standard_ml: true, ..FileKind::named("a table or profile of MLton's") };

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MltonFault {
    #[error("the file ends before {what}")]
    End { what: &'static str },
    #[error("expected a build number: 0x and eight hexadecimal digits")]
    NoBuild,
    #[error("expected {what}: a number from 0 to {limit}")]
    Number { what: &'static str, limit: u64 },
    #[error("expected {what}: {expected} numbers, but found {found} words")]
    Words { what: &'static str, expected: usize, found: usize },
    #[error("expected {what}: {choice}")]
    Choice { what: &'static str, choice: &'static str },
    #[error("expected a name, a tab and a position")]
    Name,
    #[error("the program has no names: it was not compiled for profiling (mlton -profile time)")]
    NotProfiled,
    #[error("lines after the end of the data: {n_lines}")]
    Rest { n_lines: u64 },
}

impl FormatFault for MltonFault {
    fn advice(&self) -> Option<&'static str> {
        (*self == Self::NotProfiled)
            .then_some("compile the program with `mlton -profile time`, alloc or count, and run it")
    }
}

/// Which parts of a text are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MltonPolicy {
    /// Accept the tables of the release of 2003-03.
    pub knows_first_release: bool,
    /// Ignore carriage returns at line ends, and trailing blank lines.
    pub ignores_blank_ends: bool,
    /// Treat several tabs as one, and refuse a third word after name and position. Otherwise
    /// the position is everything after the first tab.
    pub joins_tabs: bool,
    /// Accept `<unknown>` as a position, not as the absence of one.
    pub keeps_unknown_positions: bool,
    /// Accept negative values and values above 64 bits.
    pub takes_any_value: bool,
}

impl MltonPolicy {
    /// The native mode's policy.
    pub const CAREFUL: Self = Self {
        knows_first_release: true,
        ignores_blank_ends: true,
        joins_tabs: false,
        keeps_unknown_positions: false,
        takes_any_value: false,
    };
}
