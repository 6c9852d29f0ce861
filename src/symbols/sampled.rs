//! Samples by address: which code is worth reading first.

use std::ops::Range;

use crate::model::{Address, Histogram};

/// Addresses with samples, and their samples.
#[derive(Debug, Default)]
pub struct SampledCode {
    /// Ascending.
    addresses: Box<[Address]>,
    /// For each address the samples up to it, with its own.
    sums: Box<[u64]>,
}

impl SampledCode {
    /// The samples of histograms; each bin counts for its first address. Sorts.
    pub fn of<'h>(histograms: impl Iterator<Item = &'h Histogram>) -> Self {
        let hits = histograms.flat_map(|histogram| {
            let edges = histogram.edges();
            histogram.bins.hit().map(move |(bin, ticks)| (edges.of_bin(bin).start, ticks))
        });
        let mut hits: Vec<_> = hits.collect();
        hits.sort_unstable();
        let mut sum = 0_u64;
        let sums = hits.iter().map(|&(_, ticks)| {
            sum = sum.saturating_add(ticks);
            sum
        });
        Self { sums: sums.collect(), addresses: hits.iter().map(|&(address, _)| address).collect() }
    }

    /// All samples.
    pub(super) fn total(&self) -> u64 {
        self.sums.last().copied().unwrap_or(0)
    }

    /// The samples in a range.
    pub(super) fn within(&self, range: &Range<Address>) -> u64 {
        let before = |end: Address| {
            let n_before = self.addresses.partition_point(|&address| address < end);
            n_before.checked_sub(1).map_or(0, |last| self.sums[last])
        };
        before(range.end).saturating_sub(before(range.start))
    }
}
