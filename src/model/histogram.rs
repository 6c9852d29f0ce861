//! Ticks by address.

use std::num::NonZeroU32;

use super::{Address, Bins};

/// Ticks by address: the range from `low` up to `high` is cut into bins of one
/// size, which need not be a whole number of bytes.
///
/// The range is as recorded. It may be empty or reversed in a damaged file, and
/// a record without bins is one all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// First address of the first bin.
    pub low: Address,
    /// First address behind the last bin.
    pub high: Address,
    /// Into how many bins the range is cut.
    pub n_bins: u64,
    /// Ticks of each bin, as a rule `n_bins` of them. A file that was cut off has
    /// fewer: what the rest held is lost.
    pub bins: Bins,
    /// Bins whose counter held all that it can, in order: more may have been lost.
    pub full_bins: Vec<usize>,
    /// What a tick stands for.
    pub clock: Clock,
}

impl Histogram {
    /// Units of two bytes per bin, as the profilers of C libraries scale them.
    /// The size of the range is halved in whole numbers first.
    pub fn units_per_bin(&self) -> f64 {
        let units = self.high.0.wrapping_sub(self.low.0) / 2;
        units as f64 / self.n_bins as f64
    }

    /// The bytes of code that a bin stands for, as a fraction; the denominator may be 0.
    ///
    /// Profilers find the bin of an address by a scale in 65536ths, a whole number (the
    /// argument `scale` of `profil`). Where the range is no whole number of bytes a bin,
    /// that scale was rounded down, and bins are a little wider than the range has it: in
    /// a large program the last ones lie some bytes higher up.
    pub fn bytes_per_bin(&self) -> (u128, u128) {
        let range = u128::from(self.high.0.saturating_sub(self.low.0));
        let n_bins = u128::from(self.n_bins);
        // A scale of 65536 is for a counter of two bytes for every two bytes of code.
        let one_to_one = 2 << 16;
        let scale = (n_bins * one_to_one).checked_div(range).unwrap_or(0);
        let is_scaled = n_bins > 0 && range % n_bins != 0 && (1..=1 << 16).contains(&scale);
        if is_scaled {
            (one_to_one, scale)
        } else {
            (range, n_bins)
        }
    }

    pub fn n_ticks(&self) -> u64 {
        let ticks = self.bins.hit().map(|(_, ticks)| ticks);
        ticks.fold(0, u64::saturating_add)
    }

    /// Notes which bins are full, where `most` is what a counter can hold.
    pub(super) fn find_full_bins(&mut self, most: u64) {
        if !self.bins.any_has(most) {
            self.full_bins.clear();
            return;
        }
        let full = self.bins.hit().filter(|(_, ticks)| *ticks == most);
        self.full_bins = full.map(|(bin, _)| bin).collect();
    }

    /// Adds the ticks of `other`, a histogram of the same range and number of bins.
    pub(super) fn add_bins(&mut self, other: &Self) {
        if !other.full_bins.is_empty() {
            self.full_bins.extend(&other.full_bins);
            self.full_bins.sort_unstable();
            self.full_bins.dedup();
        }
        self.bins.add(&other.bins);
    }

    /// Whether some address is in the range of both.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low < other.high && other.low < self.high
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(range: u64, n_bins: u64) -> Histogram {
        Histogram {
            low: Address(0x40_0000),
            high: Address(0x40_0000 + range),
            n_bins,
            bins: Bins::default(),
            full_bins: Vec::new(),
            clock: Clock::seconds(100),
        }
    }

    /// What the system does with a sample: counters are of two bytes, addresses scaled in
    /// whole numbers.
    fn bin_of(offset: u64, range: u64, n_bins: u64) -> u64 {
        let scale = n_bins * 2 * 65536 / range;
        offset / 2 * scale / 65536
    }

    #[test]
    fn samples_are_in_the_bins_that_profilers_count_them_in() {
        // As start-up code has it: half as many bytes of counters as of code, rounded up.
        for range in [5160, 0x1_8718, 0x5_8718, 0x20_0024, 0x123_4568] {
            let n_bins = (range / 2_u64).next_multiple_of(4) / 2 + 2;
            let (bytes, parts) = histogram(range, n_bins).bytes_per_bin();
            for offset in (0..range).step_by(14) {
                let bin = u128::from(bin_of(offset, range, n_bins));
                let place = u128::from(offset) * parts;
                // An instruction may start at the odd byte of two.
                assert!(bin * bytes <= place + parts, "{range:#x} {offset:#x}");
                assert!(place < (bin + 1) * bytes + parts, "{range:#x} {offset:#x}");
            }
        }
    }

    #[test]
    fn bins_of_whole_bytes_are_as_wide_as_that() {
        for (range, n_bins) in [(0x1000, 0x400), (1200, 100), (64, 64), (0, 4), (7, 0)] {
            let width = (range.into(), n_bins.into());
            assert_eq!(histogram(range, n_bins).bytes_per_bin(), width);
        }
    }
}
