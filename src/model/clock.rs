//! The clock that sampled a histogram.

use std::num::NonZeroU32;

/// What one tick of a histogram stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Ticks in one unit of the dimension. `None` where the file says 0: the
    /// ticks were counted, but how long one lasts was not recorded.
    pub rate: Option<NonZeroU32>,
    /// What is measured, at most 15 bytes; `seconds` as a rule.
    pub dimension: Box<[u8]>,
    /// One letter for the dimension, `s` for seconds; 0 where there is none.
    pub abbreviation: u8,
}

impl Clock {
    /// A clock that counts time, at `rate` ticks a second.
    pub fn seconds(rate: u32) -> Self {
        Self {
            rate: NonZeroU32::new(rate),
            dimension: b"seconds".as_slice().into(),
            abbreviation: b's',
        }
    }
}
