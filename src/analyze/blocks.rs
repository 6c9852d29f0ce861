//! Counts of basic blocks, by the symbol that each block is part of.

use std::collections::HashMap;

use crate::model::{Address, BasicBlockCount};
use crate::symbols::{SymbolId, SymbolTable};

/// The counted blocks of each symbol, in order of first appearance.
#[derive(Debug, Default)]
pub struct BlockCounts(HashMap<SymbolId, Vec<BasicBlockCount>>);

impl BlockCounts {
    /// Gives blocks to the symbols that they lie in, and sums those of one address.
    /// `takes` says whether a symbol has room for a block of that address, when it has
    /// so many already.
    pub fn new(
        blocks: &[BasicBlockCount],
        table: &SymbolTable,
        takes: impl Fn(Address, usize) -> bool,
    ) -> Self {
        let mut by_symbol: HashMap<SymbolId, Vec<BasicBlockCount>> = HashMap::new();
        let mut indices: HashMap<Address, usize> = HashMap::new();
        for block in blocks {
            let Some(symbol) = table.containing(block.address) else {
                continue;
            };
            let known = by_symbol.entry(symbol).or_default();
            if let Some(&index) = indices.get(&block.address) {
                known[index].count = known[index].count.wrapping_add(block.count);
            } else if takes(block.address, known.len()) {
                indices.insert(block.address, known.len());
                known.push(*block);
            }
        }
        Self(by_symbol)
    }

    pub fn of(&self, symbol: SymbolId) -> &[BasicBlockCount] {
        self.0.get(&symbol).map_or(&[], Vec::as_slice)
    }
}
