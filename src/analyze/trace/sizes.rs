//! Blocks by size, in ranges that double.

use super::rows::percent;
use crate::model::{Heap, SizeBins};

/// Blocks of one range of sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeRow {
    /// The smallest size in the range.
    pub from: u64,
    /// The largest; `None` when there is no end.
    pub to: Option<u64>,
    /// Allocations and reallocations to such a size.
    pub n_allocated: u64,
    /// Their share of all, in percent.
    pub percent: f64,
    /// Those that were never freed.
    pub n_unfreed: u64,
}

/// A row for each range that has blocks. Blocks of no bytes are with those of one.
pub(super) fn rows(heap: &Heap) -> Vec<SizeRow> {
    let n_bins = heap.allocated.counts.len();
    let all = sum(&heap.allocated, 0, n_bins);
    let mut rows = Vec::new();
    let mut start = 0;
    while start < n_bins {
        // Bin 0 is of one byte. The last bin has no upper end, and is a row of its own.
        let doubled = (2 * start).max(1);
        let end = match start + 1 == n_bins {
            true => n_bins,
            false => doubled.clamp(start + 1, n_bins - 1),
        };
        let n_allocated = sum(&heap.allocated, start, end);
        rows.push(SizeRow {
            from: start as u64 + u64::from(start > 0),
            to: (end < n_bins).then_some(end as u64),
            n_allocated,
            percent: percent(n_allocated, all),
            n_unfreed: n_allocated.saturating_sub(sum(&heap.freed, start, end)),
        });
        start = end;
    }
    rows.retain(|row| row.n_allocated > 0);
    rows
}

fn sum(bins: &SizeBins, start: usize, end: usize) -> u64 {
    let counts = bins.counts.get(start..end).unwrap_or_default();
    counts.iter().copied().fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sizes: &[usize], expected: &str) {
        let mut counts = vec![0; 1024];
        for &size in sizes {
            counts[size.clamp(1, 1024) - 1] += 1;
        }
        let mut heap = Heap::default();
        heap.allocated.counts = counts.into();
        let text: Vec<_> = rows(&heap)
            .iter()
            .map(|row| {
                let to = row.to.map_or(String::new(), |to| to.to_string());
                format!("{}-{to}: {}", row.from, row.n_allocated)
            })
            .collect();
        assert_eq!(text.join(", "), expected, "{sizes:?}");
    }

    #[test]
    fn ranges_double_and_the_last_one_is_open() {
        check(&[0, 1, 2, 3, 4, 5], "0-1: 2, 2-2: 1, 3-4: 2, 5-8: 1");
        check(
            &[512, 513, 1023, 1024, 5000],
            "257-512: 1, 513-1023: 2, 1024-: 2",
        );
        check(&[], "");
    }
}
