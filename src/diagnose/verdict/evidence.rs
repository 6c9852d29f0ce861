//! The evidence that a program matches a profile or does not, in words.

use std::fmt;

pub use super::callees::CalleePosition;
pub use super::range::RangeFit;
pub use super::stacks::FittingShare;
use crate::model::Address;

/// Something that was found out from the files, and how much of it there is.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// No address of the profile lies in the code.
    NothingInCode {
        profile: (Address, Address),
        code: (Address, Address),
    },
    /// Where functions were when they told that they were called.
    Callees {
        /// Those that are where they should be.
        n_fits: usize,
        /// Those that cannot be of this program.
        n_misfits: usize,
        /// All in the program's code.
        n_all: usize,
        place: CalleePosition,
    },
    /// Where calls came from.
    Sites {
        /// Arcs from a call to their callee.
        n_direct: usize,
        /// Arcs that no call can have made.
        n_contradicting: usize,
        n_all: usize,
    },
    /// Where the histogram ends.
    HistogramEnd(RangeFit),
    /// Ticks where nothing runs.
    PaddingTicks { n_ticks: u64, n_all: u64 },
    /// Recorded functions, and those that start where one of the program does.
    Starts(FittingShare),
    /// Recorded functions of names that the program has, and those that start there.
    Names(FittingShare),
    /// Recorded return addresses, and those behind a call.
    Returns(FittingShare),
    /// The program was written after the profile.
    NewerFile,
}

/// For whom evidence speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceSide {
    /// It fits the program.
    For,
    /// It does not.
    Against,
    /// It says little.
    Neither,
}

impl Evidence {
    /// For whom it speaks.
    pub fn side(&self) -> EvidenceSide {
        let of = |n_against: usize, n_for: usize| match (n_against, n_for) {
            (0, 0) => EvidenceSide::Neither,
            (0, _) => EvidenceSide::For,
            _ => EvidenceSide::Against,
        };
        match self {
            Self::NothingInCode { .. } | Self::PaddingTicks { .. } => EvidenceSide::Against,
            Self::Callees {
                n_fits, n_misfits, ..
            } => of(*n_misfits, *n_fits),
            Self::Sites {
                n_direct,
                n_contradicting,
                ..
            } => of(*n_contradicting, *n_direct),
            Self::Starts(share) | Self::Names(share) | Self::Returns(share) => {
                of(share.n_misfits(), share.n_fits)
            }
            Self::HistogramEnd(range) => of(usize::from(!range.fits), 1),
            Self::NewerFile => EvidenceSide::Neither,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n_fits, n_all, what) = match self {
            Self::NothingInCode {
                profile: (low, high),
                code: (start, end),
            } => {
                return write!(
                    f,
                    "no sample or call is in the code ({start} to {end}): the profile covers \
                     {low} to {high}"
                );
            }
            Self::HistogramEnd(RangeFit {
                recorded,
                linked,
                fits,
            }) => {
                write!(f, "the histogram ends at {recorded}, ")?;
                return if *fits {
                    f.write_str("where the code ends")
                } else {
                    write!(f, "but the code ends at {linked}")
                };
            }
            Self::PaddingTicks { n_ticks, n_all } => {
                return write!(
                    f,
                    "{n_ticks} of {n_all} samples are in the padding between functions"
                );
            }
            Self::NewerFile => return f.write_str("the executable is newer than the profile"),
            Self::Callees {
                n_fits,
                n_all,
                place,
                ..
            } => return write!(f, "{n_fits} of {n_all} callees {place}"),
            Self::Sites {
                n_contradicting: 0,
                n_all,
                n_direct,
            } if n_direct < n_all => (
                n_direct,
                n_all,
                "call sites contain a call to their callee, and the others may",
            ),
            Self::Sites {
                n_contradicting: 0,
                n_all,
                n_direct,
            } => (n_direct, n_all, "call sites contain a call to their callee"),
            Self::Sites {
                n_contradicting,
                n_all,
                ..
            } => {
                let what = "call sites contain no call to their callee";
                (n_contradicting, n_all, what)
            }
            Self::Starts(FittingShare { n_fits, n_all }) => (
                n_fits,
                n_all,
                "functions start where a function of the program starts",
            ),
            Self::Names(FittingShare { n_fits, n_all }) => (
                n_fits,
                n_all,
                "functions start where the program has a function of that name",
            ),
            Self::Returns(FittingShare { n_fits, n_all }) => {
                (n_fits, n_all, "return addresses follow a call")
            }
        };
        write!(f, "{n_fits} of {n_all} {what}")
    }
}

impl fmt::Display for CalleePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BehindHook(Some(name)) => {
                write!(f, "are at their function's call to {name}")
            }
            Self::BehindHook(None) => f.write_str("are at a call to one common function"),
            Self::AtStart => f.write_str("are the start of a function"),
            Self::Prologue => f.write_str("are just after the start of a function"),
        }
    }
}
