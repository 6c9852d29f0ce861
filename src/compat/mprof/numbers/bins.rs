//! Blocks by size, and the totals for all tables.

use super::amounts::{AmountPercent, ClassedAmount, SizeAmounts, TableMeasure, classes};
use super::sites::ContextSites;
use crate::compat::words::MachineWords;
use crate::model::{ContextId, Heap, SizeBins};
use crate::sorting::ColdSort;

/// A number of blocks and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinAmounts {
    pub count: u64,
    pub bytes: u64,
}

impl BinAmounts {
    pub(super) fn of(&self, measure: TableMeasure) -> u64 {
        match measure {
            TableMeasure::Bytes => self.bytes,
            TableMeasure::Blocks => self.count,
        }
    }

    fn without(&self, other: &Self, words: MachineWords) -> Self {
        Self {
            count: words.difference(self.count, other.count),
            bytes: words.difference(self.bytes, other.bytes),
        }
    }
}

/// Everything allocated, and the part not freed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinTotal {
    pub allocated: BinAmounts,
    /// Not freed.
    pub unfreed: BinAmounts,
}

/// Blocks of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinRow {
    pub size: u64,
    /// Includes all larger blocks.
    pub is_open: bool,
    /// Allocated blocks and bytes.
    pub allocated: [AmountPercent; 2],
    /// Unfreed blocks and bytes.
    pub unfreed: [AmountPercent; 2],
}

#[derive(Clone, Debug)]
pub struct BinTable {
    /// Number of distinct sizes.
    pub n_bins: usize,
    /// The sizes with allocations.
    pub rows: Box<[BinRow]>,
    pub total: BinTotal,
}

impl BinTable {
    pub(super) fn new(heap: &Heap, words: MachineWords) -> Self {
        let allocated = total(&heap.allocated, words);
        let total =
            BinTotal { allocated, unfreed: allocated.without(&total(&heap.freed, words), words) };
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
                    AmountPercent::new(allocated.count, count),
                    AmountPercent::new(allocated.bytes, bytes),
                ],
                unfreed: [
                    AmountPercent::or_none(unfreed.count, total.unfreed.count),
                    AmountPercent::or_none(unfreed.bytes, total.unfreed.bytes),
                ],
            }
        };
        Self { n_bins, rows: used.map(row).collect(), total }
    }
}

fn total(bins: &SizeBins, words: MachineWords) -> BinAmounts {
    let all = || (0..bins.counts.len()).map(|bin| in_bin(bins, bin, words));
    BinAmounts {
        count: words.sum(all().map(|amounts| amounts.count)),
        bytes: words.sum(all().map(|amounts| amounts.bytes)),
    }
}

fn in_bin(bins: &SizeBins, bin: usize, words: MachineWords) -> BinAmounts {
    let count = bins.counts.get(bin).copied().unwrap_or(0);
    let bytes = if bin + 1 == bins.counts.len() {
        bins.last_bytes
    } else {
        count.wrapping_mul(bin as u64 + 1)
    };
    BinAmounts { count, bytes: words.cut(bytes) }
}

/// Allocations of one place, or of all.
#[derive(Clone, Copy, Debug)]
pub struct DirectRow {
    pub allocated: ClassedAmount,
    /// Not freed.
    pub unfreed: ClassedAmount,
    /// The secondary measure: blocks if the others are bytes, or the reverse.
    pub other: u64,
}

/// Allocations by place, most first. Equal rows by descending address.
#[derive(Clone, Debug)]
pub struct DirectTable {
    pub rows: Box<[(ContextId, DirectRow)]>,
    pub total: DirectRow,
}

impl DirectTable {
    pub(super) fn new(
        sites: &ContextSites<'_>,
        all: &BinTotal,
        measure: TableMeasure,
        words: MachineWords,
    ) -> Self {
        let whole = all.allocated.of(measure);
        let unfreed_whole = all.unfreed.of(measure);
        let amounts_of = sites.amounts(measure);
        let others_of = sites.amounts(measure.other());
        let classed = |amounts: [u64; 4], whole| ClassedAmount {
            amount: words.sum(amounts),
            percent: None,
            classes: classes(amounts, whole),
        };
        let row = |amounts: &SizeAmounts| DirectRow {
            allocated: classed(amounts.allocated.map(|a| words.cut(a)), whole),
            unfreed: classed(amounts.unfreed(words), unfreed_whole),
            other: 0,
        };
        let mut sum = SizeAmounts::default();
        let mut rows = Vec::new();
        for run in sites.runs() {
            let (mut amounts, mut others) = (SizeAmounts::default(), SizeAmounts::default());
            for &id in run.iter().filter(|&&id| sites.has_data(id)) {
                amounts.add(&amounts_of(id).unwrap_or_default());
                others.add(&others_of(id).unwrap_or_default());
            }
            sum.add(&amounts);
            let mut row = row(&amounts);
            let (allocated, unfreed) = (&mut row.allocated, &mut row.unfreed);
            allocated.percent = Some(AmountPercent::new(allocated.amount, whole).percent);
            unfreed.percent = Some(AmountPercent::or_none(unfreed.amount, unfreed_whole).percent);
            row.other = words.sum(others.allocated);
            rows.push((run[0], row));
        }
        rows.reverse();
        rows.cold_sort_by_key(|(_, row)| std::cmp::Reverse(row.allocated.amount));
        let mut total = row(&sum);
        total.allocated.amount = whole;
        total.unfreed.amount = unfreed_whole;
        total.other = all.allocated.of(measure.other());
        Self { rows: rows.into(), total }
    }
}
