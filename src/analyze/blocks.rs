//! Basic-block counts by symbol.

use std::collections::HashMap;

use crate::model::{Address, BasicBlockCount};
use crate::symbols::{SymbolId, SymbolTable};

/// The blocks of each symbol, in order of first appearance.
#[derive(Debug, Default)]
pub struct BlockCounts(HashMap<SymbolId, Vec<BasicBlockCount>>);

impl BlockCounts {
    /// Assigns blocks to symbols, and adds up those with the same address. `takes` returns
    /// whether a symbol accepts another block.
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
