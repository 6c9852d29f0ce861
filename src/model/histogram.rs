//! Ticks by address.

use super::{Address, Clock};

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
    /// fewer: what the rest held is lost. A file stores 16 bits, sums need more.
    pub bins: Box<[u64]>,
    /// Bins whose counter held all that it can, in order: more may have been lost.
    pub full_bins: Vec<usize>,
    /// What a tick stands for.
    pub clock: Clock,
}

impl Histogram {
    /// Units of two bytes per bin, as the profilers of C libraries scale them.
    /// The size of the range is halved in whole numbers first.
    #[must_use]
    pub fn units_per_bin(&self) -> f64 {
        let units = self.high.0.wrapping_sub(self.low.0) / 2;
        units as f64 / self.n_bins as f64
    }

    /// All ticks of all bins.
    #[must_use]
    pub fn n_ticks(&self) -> u64 {
        self.bins
            .iter()
            .fold(0, |sum, &bin| sum.saturating_add(bin))
    }

    /// Notes which bins are full, where `most` is what a counter can hold.
    pub(super) fn find_full_bins(&mut self, most: u64) {
        let bins = self.bins.iter().enumerate();
        let full = bins.filter(|(_, ticks)| **ticks == most);
        self.full_bins = full.map(|(bin, _)| bin).collect();
    }

    /// Adds the ticks of `other`, a histogram of the same range and number of bins.
    pub(super) fn add_bins(&mut self, other: &Self) {
        if !other.full_bins.is_empty() {
            self.full_bins.extend(&other.full_bins);
            self.full_bins.sort_unstable();
            self.full_bins.dedup();
        }
        if self.bins.len() < other.bins.len() {
            let mut longer = other.bins.clone();
            std::mem::swap(&mut self.bins, &mut longer);
            for (bin, ticks) in self.bins.iter_mut().zip(&longer) {
                *bin = bin.saturating_add(*ticks);
            }
            return;
        }
        for (bin, ticks) in self.bins.iter_mut().zip(&other.bins) {
            *bin = bin.saturating_add(*ticks);
        }
    }

    /// Whether some address is in the range of both.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low < other.high && other.low < self.high
    }
}
