//! Times of samples, in slices of the run.

use crate::model::{TimeRange, TimeSlices, nanoseconds};

/// The times of samples so far.
///
/// Slices are a power of two nanoseconds wide. The width doubles until the last sample falls in
/// one of the allowed number, so one pass suffices.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleTimes {
    range: TimeRange,
    /// The time of the first sample, in nanoseconds.
    first: Option<u64>,
    /// The time of the last sample after it, in or out of the range.
    last: u64,
    /// The width of a slice is 2 to the power of this.
    width_bits: u32,
}

/// The place of a sample in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimedSample {
    /// `None` without a time.
    pub(super) slice: Option<u8>,
    /// The bits by which earlier slices are too narrow.
    pub(super) n_widened: u32,
}

impl SampleTimes {
    pub(super) fn new(range: TimeRange) -> Self {
        Self { range, first: None, last: 0, width_bits: 0 }
    }

    /// Adds the time of a sample, in seconds; `None` if it is out of range. A sample before the
    /// first one of the file counts as at that time: processors are not in step.
    pub(super) fn add(&mut self, time: Option<&[u8]>) -> Option<TimedSample> {
        let Some(time) = time.and_then(nanoseconds) else {
            let is_kept = self.first.is_none() || self.range == TimeRange::default();
            return is_kept.then_some(TimedSample { slice: None, n_widened: 0 });
        };
        let time = time.saturating_sub(*self.first.get_or_insert(time));
        self.last = self.last.max(time);
        if !self.range.contains(time) {
            return None;
        }
        let in_range = time - self.range.from;
        let before = self.width_bits;
        while in_range >> self.width_bits >= TimeSlices::N_SLICES {
            self.width_bits += 1;
        }
        let slice = u8::try_from(in_range >> self.width_bits).ok();
        Some(TimedSample { slice, n_widened: self.width_bits - before })
    }

    /// The slices, if any sample has a time.
    pub(super) fn slices(&self) -> Option<TimeSlices> {
        self.first?;
        let (start, width) = (self.range.from, 1 << self.width_bits);
        Some(TimeSlices { start, width, last: self.last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slice and widening of each time.
    fn check(range: TimeRange, times: &[&str], expected: &[Option<(u8, u32)>], width: u64) {
        let mut all = SampleTimes::new(range);
        let found = times.iter().map(|time| {
            let added = all.add(Some(time.as_bytes()))?;
            Some((added.slice?, added.n_widened))
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{times:?}");
        assert_eq!(all.slices().map(|slices| slices.width), Some(width), "{times:?}");
    }

    #[test]
    fn slices_widen_until_the_run_has_few_of_them() {
        let all = TimeRange::default();
        let start = [Some((0, 0)), Some((199, 0))];
        check(all, &["7.5", "7.500000199"], &start, 1);
        check(all, &["7.5", "7.500000199", "7.5000002"], &[start[0], start[1], Some((100, 1))], 2);
        // Clocks of processors are not in step.
        check(all, &["7.5", "7.4", "7.500000001"], &[Some((0, 0)), Some((0, 0)), Some((1, 0))], 1);
        check(all, &["0.0", "18446744072.9"], &[Some((0, 0)), Some((127, 57))], 1 << 57);
    }

    #[test]
    fn a_range_begins_with_the_first_sample_of_the_file() {
        let range = TimeRange { from: 10, until: Some(20) };
        let times = ["1.0", "1.000000010", "1.000000019", "1.000000020"];
        check(range, &times, &[None, Some((0, 0)), Some((9, 0)), None], 1);
    }
}
