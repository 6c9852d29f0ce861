//! What is measured, in which unit, and how its numbers are known.

use std::borrow::Cow;

/// The index of a metric in its report.
pub type MetricIndex = usize;

/// One measured quantity, such as processor time in ticks, or bytes allocated.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// What it is called in options and files: `ticks`, `bytes`, `Ir`.
    pub id: Cow<'static, str>,
    /// What is measured: `time`, `allocated memory`.
    pub quantity: Cow<'static, str>,
    /// The unit of its numbers: `ticks`, `bytes`, `blocks`.
    pub unit: Cow<'static, str>,
    /// Ticks in a second, where they are ticks of a clock whose rate is known.
    pub rate: Option<u32>,
    /// How a function's own numbers are known.
    pub basis: Basis,
    /// How numbers that include what was called are known; `None` where they are not.
    pub total_basis: Option<Basis>,
}

/// How a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It was counted, all of it.
    Recorded,
    /// It was counted at intervals of a clock.
    Sampled,
    /// It was shared out among callers in proportion to their calls.
    Propagated,
    /// It was read off the program, and nothing was measured.
    Static,
}

impl Basis {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Recorded,
        Self::Sampled,
        Self::Propagated,
        Self::Static,
    ];

    /// What it is called in files.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Sampled => "sampled",
            Self::Propagated => "propagated",
            Self::Static => "static",
        }
    }
}
