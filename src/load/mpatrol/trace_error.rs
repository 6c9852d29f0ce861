//! What can be wrong with an allocation trace.

use super::super::error::FormatFault;

/// Why a trace cannot be read on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TraceError {
    /// The four letters are missing, at the start or at the end.
    #[error("`MTRC` should stand here, at the {0} of a trace")]
    Magic(&'static str),
    /// The word behind them is not 1.
    #[error("the word behind `MTRC` is not 1, so nothing tells the order of bytes")]
    Marker,
    /// A library wrote it that came after the last one.
    #[error("version {0} of this layout is not known; 10599 is the highest")]
    Version(u64),
    /// It ends too early.
    #[error("the file ends inside {0}")]
    CutOff(&'static str),
    /// An event starts with a byte that stands for none.
    #[error("an event starts with byte {0:#04x}, which stands for none")]
    Event(u8),
    /// A number has more than 64 bits.
    #[error("{0} has more than 64 bits")]
    WideNumber(&'static str),
    /// A name never ends.
    #[error("{what} is longer than {limit} bytes")]
    LongName {
        /// The name of what.
        what: &'static str,
        /// The most that is read.
        limit: usize,
    },
    /// The system cannot read on.
    #[error("cannot be read on: {0}")]
    Unreadable(String),
}

impl FormatFault for TraceError {
    fn is_cut_off(&self) -> bool {
        matches!(self, Self::CutOff(_))
    }
}
