//! Metrics: quantity, unit, and how values are obtained.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub type MetricIndex = usize;

/// One measured quantity, such as processor time in ticks, or bytes allocated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Name in options and files: `ticks`, `bytes`, `Ir`.
    pub id: Cow<'static, str>,
    /// `time`, `allocated memory`.
    pub quantity: Cow<'static, str>,
    /// `ticks`, `bytes`, `blocks`.
    pub unit: Cow<'static, str>,
    /// Ticks per second, for ticks of a clock with a known rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<u32>,
    /// How self costs are obtained.
    pub basis: Basis,
    /// How totals are obtained; `None` if they are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_basis: Option<Basis>,
}

closed_set! {
    /// How values are obtained.
    "basis", Basis {
        /// Counted completely.
        Recorded = "recorded",
        /// Counted at intervals of a clock.
        Sampled = "sampled",
        /// Distributed to callers in proportion to their calls.
        Propagated = "propagated",
        /// Read from the executable, not measured.
        Static = "static",
    }
}
