//! How often functions and basic blocks were executed.

use std::cmp::Ordering;

use crate::analyze::{BlockCounts, Node};
use crate::compat::gprof::filters::Selection;
use crate::model::Address;
use crate::symbols::{SymbolId, SymbolTable};

/// A line of the execution counts.
#[derive(Clone, Copy, Debug)]
pub struct CountRow {
    /// The symbol, or the one that the block is part of.
    pub symbol: SymbolId,
    /// Where what was counted starts.
    pub address: Address,
    /// How many times.
    pub count: u64,
}

/// The rows by source, each symbol followed by its blocks.
#[must_use]
pub(super) fn exec_counts(
    functions: &[Node],
    blocks: &BlockCounts,
    table: &SymbolTable,
    selection: &Selection,
    shows_idle: bool,
) -> Vec<CountRow> {
    let symbols = table.iter().map(|(id, _)| id);
    let mut symbols: Vec<_> = symbols.filter(|&id| selection.selects(id)).collect();
    merge_sort(&mut symbols, &|&a, &b| by_source(a, b, table));
    let rows = symbols.into_iter().flat_map(|symbol| {
        let entry = CountRow {
            symbol,
            address: table.get(symbol).range.start,
            // Calls of a function by itself are no executions to gprof.
            count: functions[symbol.index()].calls,
        };
        let blocks = blocks.of(symbol).iter().map(move |block| CountRow {
            symbol,
            address: block.address,
            count: block.count,
        });
        [entry].into_iter().chain(blocks)
    });
    rows.filter(|row| row.count > 0 || shows_idle).collect()
}

/// By file, line and address where both have a file, else by address alone. That
/// is no order when only some have files: what comes out hangs on who is compared
/// with whom, see [`merge_sort`].
fn by_source(a: SymbolId, b: SymbolId, table: &SymbolTable) -> Ordering {
    let (left, right) = (table.get(a), table.get(b));
    let by_file = match (left.source, right.source) {
        (Some(left), Some(right)) => {
            let files = table.files();
            let by_name = files.name(left.file).cmp(files.name(right.file));
            by_name.then(left.line.cmp(&right.line))
        }
        _ => Ordering::Equal,
    };
    by_file.then(left.range.start.cmp(&right.range.start))
}

/// Sorts as glibc's `qsort` does, comparison for comparison: halves, the smaller
/// first, each sorted alone, then merged with the left one ahead among equals.
fn merge_sort<T: Copy>(items: &mut [T], compare: &impl Fn(&T, &T) -> Ordering) {
    if items.len() < 2 {
        return;
    }
    let middle = items.len() / 2;
    merge_sort(&mut items[..middle], compare);
    merge_sort(&mut items[middle..], compare);
    let left = items[..middle].to_vec();
    let (mut taken, mut next) = (0, middle);
    for place in 0..items.len() {
        if taken == left.len() {
            return;
        }
        let is_right = next < items.len() && compare(&left[taken], &items[next]).is_gt();
        if is_right {
            items[place] = items[next];
            next += 1;
        } else {
            items[place] = left[taken];
            taken += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merge_sort_sorts_and_is_stable() {
        let mut items: Vec<(u32, u32)> = (0..100).map(|i| (i * 37 % 10, i)).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|item| item.0);
        merge_sort(&mut items, &|a, b| a.0.cmp(&b.0));
        assert_eq!(items, expected);
    }
}
