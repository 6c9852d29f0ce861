//! Counts of basic blocks, by the symbol that each block is part of.

use std::collections::HashMap;

use crate::model::BasicBlockCount;
use crate::symbols::{Granularity, SymbolId, SymbolTable};

/// The counted blocks of each symbol, in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct BlockCounts(HashMap<SymbolId, Vec<BasicBlockCount>>);

impl BlockCounts {
    /// Sums blocks of one address. Only lines have blocks; a symbol takes `max`
    /// different ones, if there is a limit, and what comes after them is lost.
    pub(super) fn new(blocks: &[BasicBlockCount], table: &SymbolTable, max: Option<usize>) -> Self {
        let mut by_symbol: HashMap<SymbolId, Vec<BasicBlockCount>> = HashMap::new();
        if table.granularity() == Granularity::Functions {
            return Self(by_symbol);
        }
        for block in blocks {
            let Some(symbol) = table.containing(block.address) else {
                continue;
            };
            let known = by_symbol.entry(symbol).or_default();
            let is_full = max.is_some_and(|max| known.len() >= max);
            match known.iter_mut().find(|k| k.address == block.address) {
                Some(same) => same.count = same.count.wrapping_add(block.count),
                None if is_full => {}
                None => known.push(*block),
            }
        }
        Self(by_symbol)
    }

    pub(super) fn of(&self, symbol: SymbolId) -> &[BasicBlockCount] {
        self.0.get(&symbol).map_or(&[], Vec::as_slice)
    }
}
