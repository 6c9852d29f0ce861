//! What was wrong with a part of the debugging information that is left out.

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
    /// Tables of it would take far more memory than their size suggests.
    #[error("it takes more memory than its size can justify")]
    TooLarge,
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
}
