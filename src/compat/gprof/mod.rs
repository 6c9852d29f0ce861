//! GNU gprof 2.40: its options, numbers, printer and run.

pub mod filters;
pub mod numbers;
mod options;
mod plan;
pub mod printer;
mod run;
pub mod symbols;

pub(super) use options::parse;
pub use plan::GprofPlan;
pub(super) use run::run;

use std::num::NonZeroU32;

use crate::load::{CounterOverflow, ReadPolicy, StackNumbers};
use crate::model::MergePolicy;

/// gprof's policy: no detection, and sums of equal layouts only.
pub const READ_POLICY: ReadPolicy = ReadPolicy {
    recognises_formats: false,
    trusts_executable: true,
    knows_bsd_variants: false,
    counter_bits: None,
    reports_cut_arcs: false,
    requires_equal_bsd_headers: true,
    // The clock of its host.
    missing_bsd_rate: NonZeroU32::new(100),
    heap_events: [None; 2],
    stacks: StackNumbers { unit: None, period: None },
    times: None,
    merge: MergePolicy {
        requires_equal_scale: true,
        requires_equal_abbreviation: true,
        refuses_overlaps: true,
        ignores_rates: true,
    },
};

/// gprof truncates counts that do not fit its sum.
const OVERFLOW: CounterOverflow = CounterOverflow::Wrap;
