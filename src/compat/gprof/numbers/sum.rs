//! The basic blocks of what gprof's `-s` writes: those of symbols, as its arcs are.

use super::has_room_for_block;
use crate::analyze::BlockCounts;
use crate::model::BasicBlockCount;
use crate::symbols::SymbolTable;

/// The blocks of each symbol, symbol by symbol, as gprof keeps them.
#[must_use]
pub fn summed_blocks(blocks: &[BasicBlockCount], table: &SymbolTable) -> Vec<BasicBlockCount> {
    let counts = BlockCounts::new(blocks, table, has_room_for_block);
    let by_symbol = table.iter().flat_map(|(symbol, _)| counts.of(symbol));
    by_symbol.copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Address;

    fn table() -> SymbolTable {
        SymbolTable::of_entries([0x10, 0x20, 0x30].into_iter().map(Address))
    }

    #[test]
    fn a_symbol_has_room_for_ten_blocks() {
        let block = |address, count| BasicBlockCount {
            address: Address(address),
            count,
        };
        let mut blocks: Vec<_> = (0..12).map(|index| block(0x2f - index, 1)).collect();
        blocks.extend([block(0x2f, 5), block(0x11, 1), block(0, 9), block(0x24, 7)]);
        let summed = summed_blocks(&blocks, &table());
        let first: Vec<_> = summed
            .iter()
            .take(3)
            .map(|b| (b.address.0, b.count))
            .collect();
        assert_eq!(first, [(0x11, 1), (0x2f, 6), (0x2e, 1)]);
        assert_eq!(summed.len(), 11);
    }
}
