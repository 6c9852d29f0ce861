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
    #[error("its histogram counts `{found}`, an earlier one `{first}`")]
    Dimension { first: String, found: String },
    #[error("its histogram bins cover {found} bytes, those of an earlier one {first}")]
    Scale { first: f64, found: f64 },
    #[error("its histogram has {found} samples per second, an earlier one {first}")]
    Rate { first: u32, found: u32 },
    #[error("its histogram of {low} to {high} overlaps an earlier one")]
    Overlap { low: Address, high: Address },
    #[error("it belongs to build {found}, the others to build {first}")]
    Build { first: BuildId, found: BuildId },
    #[error("its table differs, although both belong to build {build}")]
    Tables { build: BuildId },
    #[error("it counts {found}, the others {first}")]
    Quantity { first: Quantity, found: Quantity },
    #[error("it counts {found}, the others {first}")]
    Style { first: MlmonStyle, found: MlmonStyle },
    #[error("one has {one} {what}, another {other}")]
    Lengths { what: &'static str, one: usize, other: usize },
    #[error("it is {found}, an earlier one {first}")]
    Kind { first: FileKind, found: FileKind },
    #[error("traces cannot be added: the order of their events is unknown")]
    Traces,
    #[error("the bounds of small, medium and large blocks differ")]
    SizeBounds,
    #[error("only one of them counts blocks by size")]
    NoBins,
    #[error("it counts the events `{found}`, the others `{first}`")]
    Events { first: String, found: String },
    #[error("the sum of their values exceeds 64 bits")]
    Overflow,
    #[error("they contain values of different kinds")]
    Values,
}
