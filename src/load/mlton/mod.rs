//! The two text files of programs built by MLton for profiling: the table of
//! functions that a program prints about itself, and the profile that a run of it
//! leaves behind.
//!
//! Both are lines of numbers and names. What is odd about real files (line ends of
//! Windows, blank lines at the end, words behind numbers) is passed over; the
//! original, `mlprof`, passes over other things and stumbles over some of these, so
//! its reading is a [`Care`] of its own.

mod lines;
mod mlmon;
mod table;
#[cfg(test)]
mod tests;

pub(super) use mlmon::Mlmon;
pub(super) use table::Table;

use super::error::ReadError;
use crate::model::{Charges, Tallies};

/// What is wrong with a text of MLton's.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MltonFault {
    /// The text ends too early.
    #[error("the text ends where {what} should follow")]
    End {
        /// What should follow.
        what: &'static str,
    },
    /// A line does not start with a hexadecimal number of 32 bits.
    #[error("this is no build number: eight hexadecimal digits behind 0x")]
    NoBuild,
    /// A number is missing, or too large for what it is.
    #[error("{what} should stand here: a number from 0 to {limit}")]
    Number {
        /// What the number means.
        what: &'static str,
        /// The largest that it may be.
        limit: u64,
    },
    /// A line has too many or too few numbers.
    #[error("{what} should be {expected} numbers, but {found} words are here")]
    Words {
        /// What the numbers mean.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A line of the head is none of those that it may be.
    #[error("{what} should stand here: {choice}")]
    Choice {
        /// What the line means.
        what: &'static str,
        /// What it may be.
        choice: &'static str,
    },
    /// A name is missing, or has more than one position.
    #[error("a name, a tab and a position should stand here")]
    Name,
    /// The program has no profiling.
    #[error("the program has no names: it was not compiled for profiling (mlton -profile time)")]
    NotProfiled,
    /// There is more text than was announced.
    #[error("{n_lines} more lines follow where the text should end")]
    Rest {
        /// How many.
        n_lines: u64,
    },
}

/// How texts are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    /// What is meant counts.
    Meaning,
    /// Exactly what `mlprof` takes is taken.
    Mlprof,
}

/// Reads a table as `mlprof` does.
///
/// # Errors
/// When `mlprof` would not take it.
pub fn read_table_as_mlprof(text: &[u8]) -> Result<Charges, ReadError> {
    table::read(text, Care::Mlprof).map(|(charges, _)| charges)
}

/// Reads a profile as `mlprof` does: numbers may be negative, and of any size.
///
/// # Errors
/// When `mlprof` would not take it.
pub fn read_tallies_as_mlprof(text: &[u8]) -> Result<Tallies, ReadError> {
    mlmon::read(text, Care::Mlprof)
}
