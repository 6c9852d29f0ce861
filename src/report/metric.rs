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
    /// Recorded amounts are in this many parts of the unit: 1000, if some have fractions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
    /// How self costs are obtained.
    pub basis: Basis,
    /// Where recorded values come from; `None` in reports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Where numbers of calls come from, if they were not counted completely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls_source: Option<Source>,
    /// The mean amount that a sample adds, if that is not 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_sample: Option<f64>,
    /// An amount in use at one time, such as live memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_level: bool,
    /// How totals are obtained; `None` if they are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_basis: Option<Basis>,
}

impl Metric {
    /// Where recorded values come from. Reports of earlier versions state only how they were
    /// obtained.
    pub fn source(&self) -> Source {
        self.source.unwrap_or(match self.basis {
            Basis::Sampled | Basis::Propagated => Source::Sampled,
            Basis::Recorded if self.rate.is_some() => Source::Measured,
            Basis::Recorded | Basis::Static => Source::Counted,
        })
    }

    /// The part of a heap that it measures, in one or two words; `None` for allocated memory and
    /// values of other kinds.
    pub fn part_of_heap(&self) -> Option<&'static str> {
        match &*self.id {
            "unfreed-bytes" | "unfreed-count" => Some("unfreed"),
            "peak-bytes" | "peak-count" => Some("at peak"),
            "read-bytes" => Some("read"),
            "written-bytes" => Some("written"),
            "lifetime" => Some("lifetime"),
            _ => None,
        }
    }

    /// Returns whether numbers of calls are lower bounds.
    pub fn has_least_calls(&self) -> bool {
        self.calls_source == Some(Source::CountedAtLeast)
    }

    /// The recorded amount that is one for people: a second of ticks, or a unit of parts.
    pub fn per_unit(&self) -> Option<f64> {
        self.rate.or(self.parts).map(|number| f64::from(number.max(1)))
    }

    pub fn is_time(&self) -> bool {
        self.rate.is_some() || self.unit == "seconds"
    }

    /// Decimals of times in text: those that show a tick of the clock.
    pub fn decimals(&self) -> u8 {
        self.rate.map_or(2, |rate| decimals_at(rate.into()))
    }

    /// The same where all costs together are `total`: nanoseconds too, below a millisecond.
    pub fn decimals_within(&self, total: f64) -> u8 {
        let has_more = self.rate.is_some_and(|rate| rate > 1_000_000);
        let decimals = self.decimals();
        if has_more && decimals == 6 && total.abs() < 1e-3 { 9 } else { decimals }
    }
}

/// Decimals that show a tick, at most 6; 2 for the usual rates, up to 1,000 a second.
pub fn decimals_at(rate: f64) -> u8 {
    let powers = [(1e3, 2), (1e4, 4), (1e5, 5)];
    let found = powers.into_iter().find(|(most, _)| rate <= *most);
    found.map_or(6, |(_, decimals)| decimals)
}

closed_set! {
    /// Where recorded values come from: how far they may be off, in increasing order.
    "source", Source {
        /// Counted completely.
        Counted = "counted",
        /// Counted, but some may be missing.
        CountedAtLeast = "counted-at-least",
        /// A number of samples, or a constant amount for each.
        Sampled = "sampled",
        /// Samples that add different amounts.
        Weighted = "sampled-with-weights",
        /// Blocks of memory, seen with a probability that depends on their size.
        BySize = "sampled-by-size",
        /// Read from a clock, and different in each run.
        Measured = "measured",
        /// Sums of unknown amounts.
        Unknown = "unknown",
    }
}

impl Source {
    /// Returns whether a number of samples gives limits within a run.
    pub fn is_sampled(self) -> bool {
        matches!(self, Self::Sampled | Self::Weighted | Self::BySize)
    }

    /// Returns whether every change is real, unless runs differ.
    pub fn is_counted(self) -> bool {
        self == Self::Counted
    }

    /// In a sentence: `self times are measured by a clock`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Counted => "counted completely",
            Self::CountedAtLeast => "counted, but some may be missing",
            Self::Sampled => "sampled",
            Self::Weighted => "sampled, and samples have different weights",
            Self::BySize => "sampled by size, and scaled up",
            Self::Measured => "measured by a clock, and vary from run to run",
            Self::Unknown => "sums of samples of unknown weight",
        }
    }
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
