//! Counts of basic blocks, by the symbol that each block is part of.

use std::collections::HashMap;

use crate::model::{Address, BasicBlockCount};
use crate::symbols::{SymbolId, SymbolTable};

/// How many blocks a symbol takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockRoom {
    /// All.
    All,
    /// Those that gprof 2.40 has room for: ten, and none at address 0, which marks
    /// free room. What comes after them is lost.
    Gprof,
}

impl BlockRoom {
    fn takes(self, address: Address, n_taken: usize) -> bool {
        self == Self::All || (address != Address(0) && n_taken < 10)
    }
}

/// The counted blocks of each symbol, in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct BlockCounts(HashMap<SymbolId, Vec<BasicBlockCount>>);

impl BlockCounts {
    /// Gives blocks to the symbols that they lie in, and sums those of one address.
    pub(super) fn new(blocks: &[BasicBlockCount], table: &SymbolTable, room: BlockRoom) -> Self {
        let mut by_symbol: HashMap<SymbolId, Vec<BasicBlockCount>> = HashMap::new();
        let mut places: HashMap<Address, usize> = HashMap::new();
        for block in blocks {
            let Some(symbol) = table.containing(block.address) else {
                continue;
            };
            let known = by_symbol.entry(symbol).or_default();
            if let Some(&place) = places.get(&block.address) {
                known[place].count = known[place].count.wrapping_add(block.count);
            } else if room.takes(block.address, known.len()) {
                places.insert(block.address, known.len());
                known.push(*block);
            }
        }
        Self(by_symbol)
    }

    pub(super) fn of(&self, symbol: SymbolId) -> &[BasicBlockCount] {
        self.0.get(&symbol).map_or(&[], Vec::as_slice)
    }
}
