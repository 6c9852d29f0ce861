//! What gprof's `-s` writes: a profile whose arcs and blocks are those of symbols.

use std::collections::HashMap;

use super::AnalyzeOptions;
use super::graph::CallGraph;
use crate::filter::Filters;
use crate::model::{Address, BasicBlockCount, CallArc, Profile};
use crate::symbols::{SymbolId, SymbolTable};

/// So many blocks of one symbol are kept.
const BLOCKS_PER_SYMBOL: usize = 10;

/// The arcs between symbols, by caller, the one that appeared last first. Arcs
/// that the filters leave out are left out here, too.
#[must_use]
pub fn summed_arcs(
    profile: &Profile,
    table: &SymbolTable,
    filters: &Filters,
    options: &AnalyzeOptions,
) -> Vec<CallArc> {
    let graph = CallGraph::new(profile.arcs(), table, &filters.arcs, &[], options);
    let start = |symbol: SymbolId| table.get(symbol).range.start;
    let arcs = table.iter().flat_map(|(caller, _)| {
        let indices = graph.outgoing(caller).iter().rev();
        indices.map(|&index| graph.arc(index))
    });
    arcs.map(|arc| CallArc {
        call_site: start(arc.caller),
        callee: start(arc.callee),
        count: arc.count,
    })
    .collect()
}

/// The blocks of each symbol, in the order in which they appeared. A symbol has
/// room for ten, and none for a block at address 0, which marks free room.
#[must_use]
pub fn summed_blocks(blocks: &[BasicBlockCount], table: &SymbolTable) -> Vec<BasicBlockCount> {
    let mut rooms: Vec<Vec<BasicBlockCount>> = vec![Vec::new(); table.symbols().len()];
    let mut places: HashMap<Address, usize> = HashMap::new();
    for block in blocks.iter().filter(|block| block.address != Address(0)) {
        let Some(symbol) = table.containing(block.address) else {
            continue;
        };
        let room = &mut rooms[symbol.index()];
        match places.get(&block.address) {
            Some(&place) => room[place].count = room[place].count.wrapping_add(block.count),
            None if room.len() < BLOCKS_PER_SYMBOL => {
                places.insert(block.address, room.len());
                room.push(*block);
            }
            None => {}
        }
    }
    rooms.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::FilterSpecs;

    fn table() -> SymbolTable {
        SymbolTable::of_entries([0x10, 0x20, 0x30].into_iter().map(Address))
    }

    #[test]
    fn arcs_go_by_caller_and_the_last_comes_first() {
        let mut profile = Profile::default();
        for (from, to, count) in [
            (0x25, 0x31, 1),
            (0x11, 0x21, 2),
            (0x12, 0x33, 3),
            (0x19, 0x2f, 4),
        ] {
            profile.add_arc(CallArc {
                call_site: Address(from),
                callee: Address(to),
                count,
            });
        }
        let filters = Filters::resolve(&FilterSpecs::default(), &table());
        let arcs = summed_arcs(&profile, &table(), &filters);
        let arcs: Vec<_> = arcs
            .iter()
            .map(|a| (a.call_site.0, a.callee.0, a.count))
            .collect();
        assert_eq!(arcs, [(0x10, 0x30, 3), (0x10, 0x20, 6), (0x20, 0x30, 1)]);
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
