//! The debugging information of an image, and how to take it.

use super::sections::Bytes;

/// How to read what gprof reads differently from what compilers mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// With the slips of GNU gprof 2.40: line programs of DWARF 5 start with
    /// file zero, 32-bit line tables of 64-bit units cannot be read, range lists
    /// named by index are overlooked and those of indexed addresses are an
    /// error, type units have lines, and one broken unit hides those behind it.
    AsGprof,
    /// As the DWARF standard has it; broken parts are left out.
    AsWritten,
}

/// DWARF sections and the way to read them.
pub(super) struct Source<'s> {
    pub(super) dwarf: gimli::Dwarf<Bytes<'s>>,
    pub(super) reading: Reading,
}

impl Source<'_> {
    pub(super) fn is_as_gprof(&self) -> bool {
        self.reading == Reading::AsGprof
    }
}
