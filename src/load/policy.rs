//! How far readers go on their own.

use std::num::NonZeroU32;

use crate::model::MergePolicy;

/// How wide the counter of a bin is, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterBits {
    Eight = 1,
    /// As in nearly every file.
    Sixteen = 2,
    ThirtyTwo = 4,
    SixtyFour = 8,
}

impl CounterBits {
    /// Every width, the narrowest first.
    pub const ALL: [Self; 4] = [Self::Eight, Self::Sixteen, Self::ThirtyTwo, Self::SixtyFour];

    pub fn bytes(self) -> u64 {
        self as u64
    }

    pub(super) fn most(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes())
    }
}

/// What readers find out about a file, and what they take for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPolicy {
    /// What is in a file tells its format. Otherwise one that does not start with the
    /// `gmon` cookie is a BSD file, whatever is in it.
    pub recognises_formats: bool,
    /// Words of gmon.out are stored as the executable's, where there is one. Otherwise
    /// every encoding is tried, and what makes the most of the file is taken.
    pub trusts_executable: bool,
    /// The counters of a BSD file have the width that its header and its size suggest.
    /// Otherwise they have 16 bits.
    pub knows_bsd_variants: bool,
    /// The counters of every gmon.out have this width, whatever its layout and header
    /// imply.
    pub counter_bits: Option<CounterBits>,
    /// A part of an arc at the end of a BSD file is damage. Otherwise nobody says so.
    pub reports_cut_arcs: bool,
    /// BSD files that are added to others have the range, the number of bins and the
    /// rate of the first.
    pub requires_equal_bsd_headers: bool,
    /// The rate of a BSD file that states none and is the first of a sum, in ticks a
    /// second; `None` leaves it unknown.
    pub missing_bsd_rate: Option<NonZeroU32>,
    pub merge: MergePolicy,
    /// Events of a trace after which it is kept what is in use by place.
    pub heap_events: [Option<u64>; 2],
}

impl ReadPolicy {
    /// Trusts what is consistent, and nothing else.
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
    };
}

impl Default for ReadPolicy {
    fn default() -> Self {
        Self::CAREFUL
    }
}
