//! Execution counts of functions and basic blocks.

use std::cmp::Ordering;

use super::has_room_for_block;
use crate::analyze::{BlockCounts, NodeTicks};
use crate::compat::gprof::filters::SymbolSelection;
use crate::model::{Address, BasicBlockCount};
use crate::symbols::{SymbolId, SymbolTable};

/// A row of the execution counts.
#[derive(Clone, Copy, Debug)]
pub struct CountRow {
    /// The symbol, or the symbol of the block.
    pub symbol: SymbolId,
    pub address: Address,
    pub count: u64,
}

/// The rows by source, each symbol followed by its blocks.
pub(super) fn exec_counts(
    functions: &[NodeTicks],
    blocks: &BlockCounts,
    table: &SymbolTable,
    selection: &SymbolSelection,
    shows_zero_cost: bool,
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
    rows.filter(|row| row.count > 0 || shows_zero_cost).collect()
}

/// By file, line and address if both have a file, otherwise by address. This is not an order
/// if only some have files: the result depends on which pairs are compared, see
/// [`merge_sort`].
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

/// Sorts as glibc's `qsort` does, comparison by comparison: splits into halves, the smaller
/// first, and merges with the left half first among equals. Source: `stdlib/msort.c` in
/// glibc.
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

/// The blocks of each symbol, by symbol, as in gprof.
pub fn summed_blocks(blocks: &[BasicBlockCount], table: &SymbolTable) -> Vec<BasicBlockCount> {
    let counts = BlockCounts::new(blocks, table, has_room_for_block);
    let by_symbol = table.iter().flat_map(|(symbol, _)| counts.of(symbol));
    by_symbol.copied().collect()
}

#[cfg(test)]
mod exec_counts_tests {
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

#[cfg(test)]
mod sum_tests {
    use super::*;
    use crate::model::Address;

    fn table() -> SymbolTable {
        SymbolTable::of_entries([0x10, 0x20, 0x30].into_iter().map(Address))
    }

    #[test]
    fn a_symbol_has_room_for_ten_blocks() {
        let block = |address, count| BasicBlockCount { address: Address(address), count };
        let mut blocks: Vec<_> = (0..12).map(|index| block(0x2f - index, 1)).collect();
        blocks.extend([block(0x2f, 5), block(0x11, 1), block(0, 9), block(0x24, 7)]);
        let summed = summed_blocks(&blocks, &table());
        let first: Vec<_> = summed.iter().take(3).map(|b| (b.address.0, b.count)).collect();
        assert_eq!(first, [(0x11, 1), (0x2f, 6), (0x2e, 1)]);
        assert_eq!(summed.len(), 11);
    }
}
