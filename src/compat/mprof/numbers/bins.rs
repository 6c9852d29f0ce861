//! Blocks by size, and the totals that all other tables refer to.

use super::amounts::Measure;
use super::share::Part;
use crate::compat::words::Words;
use crate::model::{Heap, SizeBins};

/// A number of blocks and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinAmounts {
    /// Blocks of this size.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl BinAmounts {
    pub(super) fn of(&self, measure: Measure) -> u64 {
        match measure {
            Measure::Bytes => self.bytes,
            Measure::Blocks => self.count,
        }
    }

    fn without(&self, other: &Self, words: Words) -> Self {
        Self {
            count: words.difference(self.count, other.count),
            bytes: words.difference(self.bytes, other.bytes),
        }
    }
}

/// All that was allocated, and what of it was not freed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinTotal {
    pub allocated: BinAmounts,
    /// What was not freed.
    pub unfreed: BinAmounts,
}

/// Blocks of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinRow {
    pub size: u64,
    /// Larger blocks are in this row too.
    pub is_open: bool,
    /// Allocated blocks and bytes.
    pub allocated: [Part; 2],
    /// Unfreed blocks and bytes.
    pub unfreed: [Part; 2],
}

/// Blocks by size.
#[derive(Clone, Debug)]
pub struct BinTable {
    /// How many sizes are told apart.
    pub n_bins: usize,
    /// The sizes that were allocated.
    pub rows: Box<[BinRow]>,
    /// All blocks.
    pub total: BinTotal,
}

impl BinTable {
    pub(super) fn new(heap: &Heap, words: Words) -> Self {
        let allocated = total(&heap.allocated, words);
        let total = BinTotal {
            allocated,
            unfreed: allocated.without(&total(&heap.freed, words), words),
        };
        let n_bins = heap.allocated.counts.len();
        let used = (0..n_bins).filter(|&bin| heap.allocated.counts[bin] != 0);
        let row = |bin: usize| {
            let allocated = in_bin(&heap.allocated, bin, words);
            let unfreed = allocated.without(&in_bin(&heap.freed, bin, words), words);
            let BinAmounts { count, bytes } = total.allocated;
            BinRow {
                size: bin as u64 + 1,
                is_open: bin + 1 == n_bins,
                allocated: [
                    Part::new(allocated.count, count),
                    Part::new(allocated.bytes, bytes),
                ],
                unfreed: [
                    Part::or_none(unfreed.count, total.unfreed.count),
                    Part::or_none(unfreed.bytes, total.unfreed.bytes),
                ],
            }
        };
        Self {
            n_bins,
            rows: used.map(row).collect(),
            total,
        }
    }
}

fn total(bins: &SizeBins, words: Words) -> BinAmounts {
    let all = || (0..bins.counts.len()).map(|bin| in_bin(bins, bin, words));
    BinAmounts {
        count: words.sum(all().map(|amounts| amounts.count)),
        bytes: words.sum(all().map(|amounts| amounts.bytes)),
    }
}

fn in_bin(bins: &SizeBins, bin: usize, words: Words) -> BinAmounts {
    let count = bins.counts.get(bin).copied().unwrap_or(0);
    let bytes = if bin + 1 == bins.counts.len() {
        bins.last_bytes
    } else {
        count.wrapping_mul(bin as u64 + 1)
    };
    BinAmounts {
        count,
        bytes: words.cut(bytes),
    }
}
