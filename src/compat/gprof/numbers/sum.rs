//! What gprof's `-s` writes: a profile whose arcs and blocks are those of symbols.

use super::{CALL_RULES, has_room_for_block};
use crate::analyze::{BlockCounts, CallGraph};
use crate::compat::gprof::filters::Filters;
use crate::model::{BasicBlockCount, CallArc, Profile};
use crate::symbols::{SymbolId, SymbolTable};

/// The arcs between symbols, by caller, the one that appeared last first. Arcs
/// that the filters leave out are left out here, too.
#[must_use]
pub fn summed_arcs(profile: &Profile, table: &SymbolTable, filters: &Filters) -> Vec<CallArc> {
    let selects = |caller, callee| filters.arcs.selects(table.get(caller), table.get(callee));
    let graph = CallGraph::new(profile.arcs(), table, selects, &[], CALL_RULES);
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
    use crate::compat::gprof::filters::GivenSpecs;
    use crate::model::Address;

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
        let filters = Filters::resolve(&GivenSpecs::default(), &table());
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
