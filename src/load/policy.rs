//! Policies of readers.

use std::num::NonZeroU32;

use super::StackNumbers;
use crate::model::{MergePolicy, TimeRange};

/// Width of a histogram counter, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterBits {
    Eight = 1,
    /// In nearly every file.
    Sixteen = 2,
    ThirtyTwo = 4,
    SixtyFour = 8,
}

impl CounterBits {
    /// Narrowest first.
    pub const ALL: [Self; 4] = [Self::Eight, Self::Sixteen, Self::ThirtyTwo, Self::SixtyFour];

    pub fn bytes(self) -> u64 {
        self as u64
    }

    pub(super) fn most(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes())
    }
}

/// The properties that readers determine or assume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPolicy {
    /// Recognise formats by contents. Otherwise a file without the `gmon` magic is a BSD
    /// file.
    pub recognises_formats: bool,
    /// Use the executable's encoding for gmon.out, if there is one. Otherwise try every
    /// encoding and use the best fit.
    pub trusts_executable: bool,
    /// Determine the counter width of a BSD file from its header and size. Otherwise it is 16
    /// bits.
    pub knows_bsd_variants: bool,
    /// Use this counter width for every gmon.out.
    pub counter_bits: Option<CounterBits>,
    /// Report an incomplete arc at the end of a BSD file. Otherwise ignore it.
    pub reports_cut_arcs: bool,
    /// Require that added BSD files have the range, number of bins and rate of the first.
    pub requires_equal_bsd_headers: bool,
    /// The rate in ticks per second, if the first BSD file of a sum does not have one; `None` for
    /// unknown.
    pub missing_bsd_rate: Option<NonZeroU32>,
    pub merge: MergePolicy,
    /// Events of a trace after which to save the blocks in use.
    pub heap_events: [Option<u64>; 2],
    /// The numbers behind folded stacks.
    pub stacks: StackNumbers,
    /// Keep the times of samples, of those in this range. Otherwise ignore times.
    pub times: Option<TimeRange>,
}

impl ReadPolicy {
    /// Accepts consistent files only.
    pub const CAREFUL: Self = Self {
        recognises_formats: true,
        trusts_executable: false,
        knows_bsd_variants: true,
        counter_bits: None,
        reports_cut_arcs: true,
        requires_equal_bsd_headers: false,
        missing_bsd_rate: None,
        merge: MergePolicy::LENIENT,
        heap_events: [None; 2],
        stacks: StackNumbers { unit: None, period: None },
        times: None,
    };
}

impl Default for ReadPolicy {
    fn default() -> Self {
        Self::CAREFUL
    }
}
