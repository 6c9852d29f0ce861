//! Evidence that a program matches a profile or not.

use std::fmt;

use crate::model::Address;

/// A fact from the files, with numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// No address of the profile is in the code.
    NothingInCode { profile: (Address, Address), code: (Address, Address) },
    /// Recorded callees.
    Callees {
        /// Correct ones.
        n_fits: usize,
        /// Impossible ones.
        n_misfits: usize,
        /// All in the program's code.
        n_all: usize,
        place: CalleePosition,
    },
    /// Recorded call sites.
    Sites {
        /// Arcs from a call to their callee.
        n_direct: usize,
        /// Arcs that no call can have made.
        n_contradicting: usize,
        n_all: usize,
        /// Bytes of code for each recorded call site, if these are more than usual.
        step: Option<u64>,
    },
    /// End of the histogram.
    HistogramEnd(RangeFit),
    /// Ticks where no instruction starts.
    MisplacedTicks { n_ticks: u64, n_all: u64 },
    /// Everything recorded fits if the code is moved by `distance`, but the program cannot be
    /// loaded elsewhere.
    Moved { distance: i64 },
    /// Recorded functions; a fitting one starts at a function of the program.
    Starts(FittingShare),
    /// Recorded functions whose name the program has; a fitting one starts at the same
    /// address.
    Names(FittingShare),
    /// Recorded return addresses; a fitting one follows a call.
    Returns(FittingShare),
    /// The program was written after the profile.
    NewerFile,
}

/// The positions of correct callees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CalleePosition {
    /// After the call of mcount, possibly with a name.
    AfterMcount(Option<String>),
    /// At the start of a function, as recorded by `LD_PROFILE`.
    AtStart,
    /// Near the start of a function; calls of the machine are not recognised.
    Prologue,
}

/// The end of the histogram and the end of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeFit {
    /// The recorded end.
    pub recorded: Address,
    /// The nearest end of the program, unrounded.
    pub linked: Address,
    /// Where the histogram ends.
    pub end: HistogramEnd,
}

impl RangeFit {
    /// Returns whether the program explains the end.
    pub fn fits(&self) -> bool {
        self.end != HistogramEnd::Elsewhere
    }
}

/// Where a histogram ends, after rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistogramEnd {
    /// Where the code ends.
    Code,
    /// At a symbol that the program defines for it.
    Label,
    Elsewhere,
}

/// A number of items, and how many of them fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FittingShare {
    /// The number of fitting items.
    pub n_fits: usize,
    /// The number of items that the program contains.
    pub n_all: usize,
}

impl FittingShare {
    pub(super) fn of(fits: impl Iterator<Item = bool>) -> Self {
        fits.fold(Self::default(), |share, fits| Self {
            n_fits: share.n_fits + usize::from(fits),
            n_all: share.n_all + 1,
        })
    }

    /// The number of items that do not fit.
    pub fn n_misfits(self) -> usize {
        self.n_all - self.n_fits
    }
}

/// The conclusion that evidence supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceSide {
    /// The program matches.
    For,
    /// It does not.
    Against,
    /// Neither.
    Neither,
}

impl Evidence {
    /// The conclusion that the evidence supports.
    pub fn side(&self) -> EvidenceSide {
        let of = |n_against: usize, n_for: usize| match (n_against, n_for) {
            (0, 0) => EvidenceSide::Neither,
            (0, _) => EvidenceSide::For,
            _ => EvidenceSide::Against,
        };
        match self {
            Self::NothingInCode { .. } | Self::MisplacedTicks { .. } | Self::Moved { .. } => {
                EvidenceSide::Against
            }
            Self::Callees { n_fits, n_misfits, .. } => of(*n_misfits, *n_fits),
            Self::Sites { n_direct, n_contradicting, .. } => of(*n_contradicting, *n_direct),
            Self::Starts(share) | Self::Names(share) | Self::Returns(share) => {
                of(share.n_misfits(), share.n_fits)
            }
            Self::HistogramEnd(range) => of(usize::from(!range.fits()), 1),
            Self::NewerFile => EvidenceSide::Neither,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n_fits, n_all, what) = match self {
            Self::NothingInCode { profile: (low, high), code: (start, end) } => {
                return write!(
                    f,
                    "no sample or call is in the code ({start} to {end}): the profile covers \
                     {low} to {high}"
                );
            }
            Self::HistogramEnd(RangeFit { recorded, linked, end }) => {
                write!(f, "the histogram ends at {recorded}, ")?;
                return match end {
                    HistogramEnd::Code => f.write_str("where the code ends"),
                    HistogramEnd::Label => f.write_str("at a symbol of the linker script"),
                    HistogramEnd::Elsewhere => write!(f, "but the code ends at {linked}"),
                };
            }
            Self::MisplacedTicks { n_ticks, n_all } => {
                let place = "are where no instruction starts";
                return write!(f, "{n_ticks} of {n_all} samples {place}");
            }
            Self::Moved { distance } => {
                let sign = if *distance < 0 { "-" } else { "" };
                let distance = distance.unsigned_abs();
                return write!(
                    f,
                    "all addresses match code moved by {sign}{distance:#x}: another build with \
                     the same code"
                );
            }
            Self::NewerFile => return f.write_str("the executable is newer than the profile"),
            Self::Callees { n_fits, n_all, place, .. } => {
                return write!(f, "{n_fits} of {n_all} callees {place}");
            }
            Self::Sites { n_direct, n_contradicting, n_all, step } => {
                let sites = match step {
                    Some(step) => format!("call sites of {step} bytes each"),
                    None => "call sites".to_owned(),
                };
                return match n_contradicting {
                    0 if n_direct < n_all => write!(
                        f,
                        "{n_direct} of {n_all} {sites} contain a call to their callee, and the \
                         others may"
                    ),
                    0 => write!(f, "{n_direct} of {n_all} {sites} contain a call to their callee"),
                    n => write!(f, "{n} of {n_all} call sites contain no call to their callee"),
                }
                .and_then(|()| match step {
                    Some(step) if *n_contradicting > 0 => write!(f, ", but {step} bytes do"),
                    _ => Ok(()),
                });
            }
            Self::Starts(FittingShare { n_fits, n_all }) => {
                (n_fits, n_all, "functions start where a function of the program starts")
            }
            Self::Names(FittingShare { n_fits, n_all }) => {
                (n_fits, n_all, "functions start where the program has a function of that name")
            }
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
            Self::AfterMcount(Some(name)) => {
                write!(f, "are at their function's call to {name}")
            }
            Self::AfterMcount(None) => f.write_str("are at a call to one common function"),
            Self::AtStart => f.write_str("are the start of a function"),
            Self::Prologue => f.write_str("are just after the start of a function"),
        }
    }
}
