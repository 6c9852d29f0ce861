//! Errors of both files, and their effect on mpatrol's own tools.

use super::super::error::{FormatFault, OfFormat};

/// The errors that mpatrol's tools check for. They do not notice others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MpatrolFault {
    TooOld,
    TooNew,
    /// Wrong letters at an end, or an unknown event.
    Invalid,
    /// The file ends early.
    Unreadable,
}

impl MpatrolFault {
    pub fn of(fault: &OfFormat) -> Option<Self> {
        if let Some(fault) = fault.downcast() {
            return Self::of_profile(fault);
        }
        fault.downcast().and_then(Self::of_trace)
    }

    fn of_profile(fault: &ProfileError) -> Option<Self> {
        match fault {
            ProfileError::TooOld { .. } => Some(Self::TooOld),
            ProfileError::TooNew { .. } => Some(Self::TooNew),
            ProfileError::NoEnd => Some(Self::Invalid),
            _ => None,
        }
    }

    fn of_trace(fault: &TraceError) -> Option<Self> {
        match fault {
            TraceError::Marker | TraceError::Version(_) => Some(Self::TooNew),
            TraceError::Magic(_) | TraceError::Event(_) | TraceError::CutNumber(_) => {
                Some(Self::Invalid)
            }
            TraceError::CutOff(_) | TraceError::Unreadable(_) => Some(Self::Unreadable),
            TraceError::WideNumber(_) | TraceError::LongName { .. } => None,
        }
    }
}

/// Errors of an allocation profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ProfileError {
    #[error(
        "version {version} is not from mpatrol 1.3 or newer; \
         profan cannot read older files"
    )]
    TooOld { version: u64 },
    #[error("unknown library version {version}; the newest known is 10501")]
    TooNew { version: u64 },
    #[error("{what} has number {number}, but the last is {count}")]
    Number { what: &'static str, number: u64, count: usize },
    /// Its name is at the call site.
    #[error("symbol of a call site has number {number}, but the last is {count}")]
    Symbol { number: u64, count: usize },
    #[error("a second {what} has number {number}")]
    Repeated { what: &'static str, number: u64 },
    #[error("call sites form a cycle")]
    Ring,
    /// At a call site without values.
    #[error("{0}; the call site has no allocations")]
    Unused(Box<Self>),
    #[error("symbol {symbol} has different names at two call sites")]
    TwoNames { symbol: u64 },
    #[error("a name starts at byte {offset} of a string table of {size} bytes")]
    Name { offset: u64, size: usize },
    #[error("overlapping names are longer together than the string table allows")]
    OverlappingNames,
    #[error("no `MPTL` at the end")]
    NoEnd,
}

impl FormatFault for ProfileError {
    fn advice(&self) -> Option<&'static str> {
        matches!(self, Self::TooOld { .. })
            .then_some("link the program with a newer mpatrol, and run it again")
    }

    fn keeps_values(&self) -> bool {
        matches!(self, Self::Unused(_) | Self::TwoNames { .. } | Self::Symbol { .. })
    }
}

/// Errors of a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TraceError {
    #[error("expected `MTRC` at the {0} of the trace")]
    Magic(&'static str),
    #[error("the word after `MTRC` is not 1, so the byte order is unknown")]
    Marker,
    #[error("unknown layout version {0}; the newest known is 10599")]
    Version(u64),
    #[error("the file ends inside {0}")]
    CutOff(&'static str),
    /// Its first bytes are there, and the original takes zeros for the others.
    #[error("the file ends inside {0}")]
    CutNumber(&'static str),
    #[error("unknown event type {0:#04x}")]
    Event(u8),
    #[error("{0} has more than 64 bits")]
    WideNumber(&'static str),
    #[error("{what} is longer than {limit} bytes")]
    LongName { what: &'static str, limit: usize },
    #[error("reading failed: {0}")]
    Unreadable(String),
}

impl FormatFault for TraceError {
    fn is_cut_off(&self) -> bool {
        matches!(self, Self::CutOff(_) | Self::CutNumber(_))
    }
}
