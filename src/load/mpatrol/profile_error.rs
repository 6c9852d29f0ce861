//! What can be wrong with an allocation profile.

use super::super::error::FormatFault;

/// What an allocation profile says that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ProfileError {
    /// The library was older than the layout.
    #[error(
        "version {version} is none that a library of 1.3 or newer writes; \
         files of mpatrol 1.2 and older cannot be read"
    )]
    TooOld {
        /// The word where the version stands.
        version: u64,
    },
    /// The library is newer than any known one.
    #[error("version {version} of the library is not known; the newest is 10501")]
    TooNew {
        /// The version.
        version: u64,
    },
    /// A number that counts from 1 is out of range.
    #[error("{what} has number {number}, but there are only {count}")]
    Number {
        /// What has it.
        what: &'static str,
        /// The number.
        number: u64,
        /// The highest that there can be.
        count: usize,
    },
    /// Two of a table have one number.
    #[error("a second {what} has number {number}")]
    Repeated {
        /// What has it.
        what: &'static str,
        /// The number.
        number: u64,
    },
    /// A call site is its own caller.
    #[error("call sites call each other in a ring")]
    Ring,
    /// One symbol has two names.
    #[error("symbol {symbol} has another name than at an earlier call site")]
    TwoNames {
        /// Its number, from 1.
        symbol: u64,
    },
    /// A name is not whole in the string table.
    #[error("a name starts at byte {offset} of the string table, whose names end at byte {size}")]
    Name {
        /// Where the name starts.
        offset: u64,
        /// Where the last whole name ends.
        size: usize,
    },
    /// Names are parts of each other, and would be larger than the file.
    #[error("names overlap, and are longer together than the string table can make them")]
    OverlappingNames,
    /// The file does not end as it must.
    #[error("no `MPTL` at the end")]
    NoEnd,
}

impl FormatFault for ProfileError {
    fn advice(&self) -> Option<&'static str> {
        matches!(self, Self::TooOld { .. })
            .then_some("link the program with a later mpatrol, and let it run again")
    }
}
