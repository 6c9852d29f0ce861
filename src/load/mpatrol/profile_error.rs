//! What can be wrong with an allocation profile.

use super::super::error::FormatFault;

/// What an allocation profile says that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ProfileError {
    #[error(
        "version {version} is none that a library of 1.3 or newer writes; \
         files of mpatrol 1.2 and older cannot be read"
    )]
    TooOld { version: u64 },
    #[error("version {version} of the library is not known; the newest is 10501")]
    TooNew { version: u64 },
    #[error("{what} has number {number}, but there are only {count}")]
    Number {
        what: &'static str,
        number: u64,
        count: usize,
    },
    #[error("a second {what} has number {number}")]
    Repeated { what: &'static str, number: u64 },
    #[error("call sites call each other in a ring")]
    Ring,
    #[error("symbol {symbol} has another name than at an earlier call site")]
    TwoNames { symbol: u64 },
    #[error("a name starts at byte {offset} of the string table, whose names end at byte {size}")]
    Name { offset: u64, size: usize },
    #[error("names overlap, and are longer together than the string table can make them")]
    OverlappingNames,
    #[error("no `MPTL` at the end")]
    NoEnd,
}

impl FormatFault for ProfileError {
    fn advice(&self) -> Option<&'static str> {
        matches!(self, Self::TooOld { .. })
            .then_some("link the program with a later mpatrol, and let it run again")
    }
}
