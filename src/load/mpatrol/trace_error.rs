//! What can be wrong with an allocation trace.

use super::super::error::FormatFault;

/// Why a trace cannot be read on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TraceError {
    #[error("`MTRC` should stand here, at the {0} of a trace")]
    Magic(&'static str),
    #[error("the word behind `MTRC` is not 1, so nothing tells the order of bytes")]
    Marker,
    #[error("version {0} of this layout is not known; 10599 is the highest")]
    Version(u64),
    #[error("the file ends inside {0}")]
    CutOff(&'static str),
    #[error("an event starts with byte {0:#04x}, which stands for none")]
    Event(u8),
    #[error("{0} has more than 64 bits")]
    WideNumber(&'static str),
    #[error("{what} is longer than {limit} bytes")]
    LongName { what: &'static str, limit: usize },
    #[error("cannot be read on: {0}")]
    Unreadable(String),
}

impl FormatFault for TraceError {
    fn is_cut_off(&self) -> bool {
        matches!(self, Self::CutOff(_))
    }
}
