//! Blocks by size.

use std::collections::BTreeMap;

use super::percent;
use crate::model::{Heap, SizeBins};

/// How sizes are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeSteps {
    /// From each power of two up to the next.
    Doubling,
    /// Every size by itself.
    Single,
}

/// Blocks of some sizes.
#[derive(Clone, Debug)]
pub struct SizeRow {
    /// The smallest of these sizes.
    pub low: u64,
    /// The largest of them; `None` when it has no limit.
    pub high: Option<u64>,
    /// Blocks allocated.
    pub n_blocks: i128,
    /// Their share of all, in percent.
    pub percent: f64,
    /// Their bytes.
    pub n_bytes: i128,
    /// The share of these, in percent.
    pub percent_bytes: f64,
    /// Blocks of them that were not freed.
    pub n_unfreed: i128,
    /// Bytes of those.
    pub n_unfreed_bytes: i128,
    /// The blocks as a share of those of the row that has most.
    pub bar: f64,
}

/// All blocks by size.
#[derive(Debug)]
pub struct SizeTable {
    /// By rising size; sizes that no block had are left out.
    pub rows: Vec<SizeRow>,
    /// Blocks allocated.
    pub n_blocks: i128,
    /// Bytes of them.
    pub n_bytes: i128,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    high: Option<u64>,
    allocated: [i128; 2],
    freed: [i128; 2],
}

impl SizeTable {
    /// Puts sizes together. Costs the number of bins.
    #[must_use]
    pub fn new(heap: &Heap, steps: SizeSteps) -> Self {
        let mut rows: BTreeMap<u64, Sums> = BTreeMap::new();
        for (bins, is_freed) in [(&heap.allocated, false), (&heap.freed, true)] {
            for (size, blocks, bytes) in sized(bins) {
                let is_last = size == bins.counts.len() as u64;
                let (low, high) = match steps {
                    _ if is_last => (size, None),
                    SizeSteps::Single => (size, Some(size)),
                    SizeSteps::Doubling => {
                        let low = 1 << size.ilog2();
                        let end = (low * 2 - 1).min(bins.counts.len() as u64 - 1);
                        (low, Some(end))
                    }
                };
                let sums = rows.entry(low).or_default();
                sums.high = high;
                let sum = match is_freed {
                    true => &mut sums.freed,
                    false => &mut sums.allocated,
                };
                sum[0] += blocks;
                sum[1] += bytes;
            }
        }
        let (n_blocks, n_bytes) = (heap.allocated.n_blocks(), heap.allocated.n_bytes());
        let most = rows.values().map(|sums| sums.allocated[0]).max();
        let most = most.unwrap_or(0).max(1) as f64;
        let row = |(&low, sums): (&u64, &Sums)| SizeRow {
            low,
            high: sums.high,
            n_blocks: sums.allocated[0],
            percent: percent(sums.allocated[0], n_blocks),
            n_bytes: sums.allocated[1],
            percent_bytes: percent(sums.allocated[1], n_bytes),
            n_unfreed: sums.allocated[0] - sums.freed[0],
            n_unfreed_bytes: sums.allocated[1] - sums.freed[1],
            bar: sums.allocated[0] as f64 / most,
        };
        Self {
            rows: rows.iter().map(row).collect(),
            n_blocks,
            n_bytes,
        }
    }
}

/// The size, number and bytes of blocks for each bin that has any.
fn sized(bins: &SizeBins) -> impl Iterator<Item = (u64, i128, i128)> {
    let last = bins.counts.len() as u64;
    let counts = (1..).zip(&bins.counts).filter(|&(_, &count)| count != 0);
    counts.map(move |(size, &count)| {
        let bytes = match size == last {
            true => i128::from(bins.last_bytes),
            false => i128::from(size) * i128::from(count),
        };
        (size, i128::from(count), bytes)
    })
}
