//! What can be added up, and why something cannot.

use super::{Address, BuildId, FileKind, MlmonStyle, Quantity};

/// Which histograms may stand in one profile. They always measure one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergePolicy {
    /// The bins of all cover equally many bytes. Otherwise histograms that differ in
    /// range or bins stay apart, and every one keeps its own scale.
    pub requires_equal_scale: bool,
    /// The dimension is abbreviated by the same letter in all.
    pub requires_equal_abbreviation: bool,
    /// Their ranges are equal or apart. Otherwise they may overlap.
    pub refuses_overlaps: bool,
    /// Histograms of one range are summed whatever their clocks, and that of the first
    /// counts. Otherwise those with other clocks stay apart.
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

impl Default for MergePolicy {
    fn default() -> Self {
        Self::LENIENT
    }
}

/// Why two histograms cannot be part of one profile.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MergeError {
    /// They measure different things.
    #[error("histogram counts `{found}`, but an earlier one counts `{first}`")]
    Dimension {
        /// Dimension of the first histogram.
        first: String,
        /// Dimension of the one that was refused.
        found: String,
    },
    /// Their bins are of different size.
    #[error("histogram bins cover {found} bytes, but those of an earlier one {first}")]
    Scale {
        /// Bytes per bin of the first histogram.
        first: f64,
        /// Bytes per bin of the one that was refused.
        found: f64,
    },
    /// They were sampled at different rates.
    #[error("histogram has {found} ticks a second, but an earlier one {first}")]
    Rate {
        /// Rate of the first histogram, 0 when not known.
        first: u32,
        /// Rate of the one that was refused, 0 when not known.
        found: u32,
    },
    /// Their ranges overlap without being equal.
    #[error("histogram of {low} to {high} overlaps an earlier one")]
    Overlap {
        /// Low end of the one that was refused.
        low: Address,
        /// High end of the one that was refused.
        high: Address,
    },
    /// They are of different builds.
    #[error("it is of build {found}, the others of build {first}")]
    Build {
        /// The build of those before.
        first: BuildId,
        /// The build of the one that was refused.
        found: BuildId,
    },
    /// There are two tables of one build, and they differ.
    #[error("it is another table, though both are of build {build}")]
    Tables {
        /// The build that both name.
        build: BuildId,
    },
    /// They measure different things.
    #[error("it counts {found}, the others {first}")]
    Quantity {
        /// What was counted before.
        first: Quantity,
        /// What is counted in the one that was refused.
        found: Quantity,
    },
    /// Only one of them has values of whole call stacks.
    #[error("it counts {found}, the others {first}")]
    Style {
        /// What was counted before.
        first: MlmonStyle,
        /// What is counted in the one that was refused.
        found: MlmonStyle,
    },
    /// They are of different length.
    #[error("one has {one} {what}, another {other}")]
    Lengths {
        /// What was counted.
        what: &'static str,
        /// How many one has.
        one: usize,
        /// How many another has.
        other: usize,
    },
    /// They are of different kinds.
    #[error("it is {found}, an earlier one {first}")]
    Kind {
        /// The kind of those before.
        first: FileKind,
        /// The kind of the one that was refused.
        found: FileKind,
    },
    /// Events of two traces have no order.
    #[error("traces cannot be added up: nothing tells the order of their events")]
    Traces,
    /// Their classes of sizes are not the same.
    #[error("the bounds of small, medium and large blocks differ")]
    SizeBounds,
    /// Only one of them counts blocks by size.
    #[error("only one of them counts blocks by size")]
    NoBins,
    /// They count other events.
    #[error("it counts the events `{found}`, the others `{first}`")]
    Events {
        /// What was counted before.
        first: String,
        /// What is counted in the one that was refused.
        found: String,
    },
    /// A sum is too large.
    #[error("the sum of their values does not fit into 64 bits")]
    Overflow,
    /// Their values mean different things.
    #[error("they hold values of different kinds")]
    Values,
}
