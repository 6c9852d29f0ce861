//! Blocks by size.

use std::collections::BTreeMap;

use super::amount::percent;
use crate::model::{Heap, SizeBins};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeSteps {
    /// From each power of two up to the next.
    Doubling,
    /// Every size separately.
    Single,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SizeRow {
    pub low: u64,
    /// Maximum size; `None` for no limit.
    pub high: Option<u64>,
    pub n_blocks: i128,
    pub percent: f64,
    pub n_bytes: i128,
    pub percent_bytes: f64,
    pub n_unfreed: i128,
    pub n_unfreed_bytes: i128,
    /// Blocks relative to the largest row.
    pub bar: f64,
}

#[derive(Debug)]
pub struct SizeTable {
    /// Ascending; without empty rows.
    pub rows: Vec<SizeRow>,
    pub n_blocks: i128,
    pub n_bytes: i128,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    high: Option<u64>,
    /// Includes blocks of 0 bytes.
    has_empty: bool,
    allocated: [i128; 2],
    freed: [i128; 2],
}

impl SizeTable {
    /// Groups sizes. Linear in bins.
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
                sums.has_empty |= low == 1 && bins.n_empty > 0;
                let sum = if is_freed { &mut sums.freed } else { &mut sums.allocated };
                sum[0] += blocks;
                sum[1] += bytes;
            }
        }
        let (n_blocks, n_bytes) = (heap.allocated.n_blocks(), heap.allocated.n_bytes());
        let most = rows.values().map(|sums| sums.allocated[0]).max();
        let most = most.unwrap_or(0).max(1) as f64;
        let row = |(&low, sums): (&u64, &Sums)| SizeRow {
            low: if sums.has_empty { 0 } else { low },
            high: sums.high,
            n_blocks: sums.allocated[0],
            percent: percent(sums.allocated[0], n_blocks),
            n_bytes: sums.allocated[1],
            percent_bytes: percent(sums.allocated[1], n_bytes),
            n_unfreed: sums.allocated[0] - sums.freed[0],
            n_unfreed_bytes: sums.allocated[1] - sums.freed[1],
            bar: sums.allocated[0] as f64 / most,
        };
        Self { rows: rows.iter().map(row).collect(), n_blocks, n_bytes }
    }
}

/// Size, number and bytes of the blocks in each nonempty bin.
fn sized(bins: &SizeBins) -> impl Iterator<Item = (u64, i128, i128)> {
    let last = bins.counts.len() as u64;
    let counts = (1..).zip(&bins.counts).filter(|&(_, &count)| count != 0);
    counts.map(move |(size, &count)| {
        let mut bytes = if size == last {
            i128::from(bins.last_bytes)
        } else {
            i128::from(size) * i128::from(count)
        };
        if size == 1 {
            bytes -= i128::from(bins.n_empty);
        }
        (size, i128::from(count), bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sizes: &[u64], n_bins: usize, expected: &str) {
        let mut heap = Heap::default();
        let mut counts = vec![0; n_bins];
        for &size in sizes {
            let bin = usize::try_from(size.max(1) - 1).expect("sizes are small");
            counts[bin.min(n_bins - 1)] += 1;
            heap.allocated.n_empty += u64::from(size == 0);
        }
        heap.allocated.counts = counts.into();
        let rows = SizeTable::new(&heap, SizeSteps::Doubling).rows;
        let texts = rows.iter().map(|row| {
            let high = row.high.map_or(String::new(), |high| high.to_string());
            format!("{}-{high}: {}", row.low, row.n_blocks)
        });
        assert_eq!(texts.collect::<Vec<_>>().join(", "), expected, "{sizes:?}");
    }

    #[test]
    fn sizes_double_and_the_last_ones_are_open() {
        check(&[1, 2, 3, 4, 5], 1024, "1-1: 1, 2-3: 2, 4-7: 2");
        check(&[511, 512, 1023, 1024, 9000], 1024, "256-511: 1, 512-1023: 2, 1024-: 2");
        check(&[5, 6, 7], 6, "4-5: 1, 6-: 2");
        check(&[1, 2], 1, "1-: 2");
        check(&[], 4, "");
    }

    #[test]
    fn empty_blocks_count_as_one_byte() {
        check(&[0, 1, 2], 8, "0-1: 2, 2-3: 1");
    }
}
