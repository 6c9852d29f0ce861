//! What is measured, in which unit, and how its numbers are known.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub type MetricIndex = usize;

/// One measured quantity, such as processor time in ticks, or bytes allocated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// What it is called in options and files: `ticks`, `bytes`, `Ir`.
    pub id: Cow<'static, str>,
    /// What is measured: `time`, `allocated memory`.
    pub quantity: Cow<'static, str>,
    /// The unit of its numbers: `ticks`, `bytes`, `blocks`.
    pub unit: Cow<'static, str>,
    /// Ticks in a second, where they are ticks of a clock whose rate is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<u32>,
    /// How a function's own numbers are known.
    pub basis: Basis,
    /// How numbers that include what was called are known; `None` where they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_basis: Option<Basis>,
}

closed_set! {
    /// How a number is known.
    "basis", Basis {
        /// It was counted, all of it.
        Recorded = "recorded",
        /// It was counted at intervals of a clock.
        Sampled = "sampled",
        /// It was shared out among callers in proportion to their calls.
        Propagated = "propagated",
        /// It was read off the program, and nothing was measured.
        Static = "static",
    }
}
