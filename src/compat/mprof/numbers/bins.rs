//! Blocks by size, and the totals that all other tables refer to.

use super::amounts::{Amounts, Classes, Measure, Part, classes};
use super::sites::Sites;
use crate::compat::words::Words;
use crate::model::{ContextId, Heap, SizeBins};

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

/// What was allocated in one place.
#[derive(Clone, Copy, Debug)]
pub struct DirectRow {
    pub context: ContextId,
    pub allocated: Part,
    /// The same by class of size.
    pub allocated_classes: Classes,
    /// What was not freed.
    pub unfreed: Part,
    /// The same by class of size.
    pub unfreed_classes: Classes,
    /// What was allocated: blocks if all else is bytes, or the other way round.
    pub other: u64,
}

/// What was allocated everywhere.
#[derive(Clone, Copy, Debug)]
pub struct DirectTotal {
    pub allocated: u64,
    /// The same by class of size.
    pub allocated_classes: Classes,
    /// What was not freed.
    pub unfreed: u64,
    /// The same by class of size.
    pub unfreed_classes: Classes,
    /// Blocks if all else is bytes, or the other way round.
    pub other: u64,
}

/// What was allocated where, the most first. Of equal rows the one with the higher
/// address is first.
#[derive(Clone, Debug)]
pub struct DirectTable {
    /// The places.
    pub rows: Box<[DirectRow]>,
    pub total: DirectTotal,
}

impl DirectTable {
    pub(super) fn new(sites: &Sites<'_>, all: &BinTotal, measure: Measure, words: Words) -> Self {
        let whole = all.allocated.of(measure);
        let unfreed_whole = all.unfreed.of(measure);
        let amounts_of = sites.amounts(measure);
        let others_of = sites.amounts(measure.other());
        let mut sum = Amounts::default();
        let mut rows = Vec::new();
        for run in sites.runs() {
            let Some(start) = run.iter().position(|&id| sites.has_data(id)) else {
                continue;
            };
            let (mut amounts, mut others) = (Amounts::default(), Amounts::default());
            for &id in run[start..].iter().filter(|&&id| sites.has_data(id)) {
                amounts.add(&amounts_of(id).unwrap_or_default());
                others.add(&others_of(id).unwrap_or_default());
            }
            sum.add(&amounts);
            let unfreed = amounts.unfreed(words);
            rows.push(DirectRow {
                context: run[start],
                allocated: Part::new(words.sum(amounts.allocated), whole),
                allocated_classes: classes(amounts.allocated.map(|a| words.cut(a)), whole),
                unfreed: Part::or_none(words.sum(unfreed), unfreed_whole),
                unfreed_classes: classes(unfreed, unfreed_whole),
                other: words.sum(others.allocated),
            });
        }
        rows.reverse();
        rows.sort_by_key(|row| std::cmp::Reverse(row.allocated.amount));
        Self {
            rows: rows.into(),
            total: DirectTotal {
                allocated: whole,
                allocated_classes: classes(sum.allocated.map(|a| words.cut(a)), whole),
                unfreed: unfreed_whole,
                unfreed_classes: classes(sum.unfreed(words), unfreed_whole),
                other: all.allocated.of(measure.other()),
            },
        }
    }
}
