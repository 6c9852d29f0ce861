//! Which profiles can be added up.

use super::{Address, BuildId, FileKind, MlmonStyle, Quantity};

/// Conditions for histograms in one profile, which always have the same dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergePolicy {
    /// All bins cover the same number of bytes. If not required, histograms with different
    /// ranges or bins stay separate and keep their scales.
    pub requires_equal_scale: bool,
    /// All dimensions have the same abbreviation.
    pub requires_equal_abbreviation: bool,
    /// Ranges are equal or disjoint; otherwise they may overlap.
    pub refuses_overlaps: bool,
    /// Histograms with the same range are added regardless of their clocks, and get the first
    /// clock. Otherwise different clocks stay separate.
    pub ignores_rates: bool,
}

impl MergePolicy {
    /// All that measure the same dimension go together.
    pub const LENIENT: Self = Self {
        requires_equal_scale: false,
        requires_equal_abbreviation: false,
        refuses_overlaps: false,
        ignores_rates: false,
    };
}

/// Why two histograms cannot be part of one profile.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MergeError {
    #[error("histogram counts `{found}`, but an earlier one counts `{first}`")]
    Dimension { first: String, found: String },
    #[error("histogram bins cover {found} bytes, but those of an earlier one {first}")]
    Scale { first: f64, found: f64 },
    #[error("histogram has {found} ticks a second, but an earlier one {first}")]
    Rate { first: u32, found: u32 },
    #[error("histogram of {low} to {high} overlaps an earlier one")]
    Overlap { low: Address, high: Address },
    #[error("it is of build {found}, the others of build {first}")]
    Build { first: BuildId, found: BuildId },
    #[error("it is another table, though both are of build {build}")]
    Tables { build: BuildId },
    #[error("it counts {found}, the others {first}")]
    Quantity { first: Quantity, found: Quantity },
    #[error("it counts {found}, the others {first}")]
    Style {
        first: MlmonStyle,
        found: MlmonStyle,
    },
    #[error("one has {one} {what}, another {other}")]
    Lengths {
        what: &'static str,
        one: usize,
        other: usize,
    },
    #[error("it is {found}, an earlier one {first}")]
    Kind { first: FileKind, found: FileKind },
    #[error("traces cannot be added up: nothing tells the order of their events")]
    Traces,
    #[error("the bounds of small, medium and large blocks differ")]
    SizeBounds,
    #[error("only one of them counts blocks by size")]
    NoBins,
    #[error("it counts the events `{found}`, the others `{first}`")]
    Events { first: String, found: String },
    #[error("the sum of their values does not fit into 64 bits")]
    Overflow,
    #[error("they hold values of different kinds")]
    Values,
}
