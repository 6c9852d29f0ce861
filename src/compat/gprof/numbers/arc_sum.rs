//! Adds up the arcs of many profiles by symbol.
//!
//! A written sum has arcs between symbols only, so only these are stored: a program has far fewer
//! of them than pairs of addresses.

use std::cmp::Reverse;

use crate::analyze::GraphArc;
use crate::model::{ArcIndex, CallArc};
use crate::symbols::{SymbolId, SymbolTable};

/// The arcs of one profile, in file order.
pub struct SymbolArcs(Vec<GraphArc>);

impl SymbolArcs {
    /// Finds the symbols of each arc. Drops arcs with an end outside of symbols.
    pub fn new(arcs: &[CallArc], table: &SymbolTable) -> Self {
        let between = arcs.iter().filter_map(|arc| {
            let callee = table.containing(arc.callee)?;
            Some(GraphArc {
                callee: table.function_at_or_before(callee)?,
                caller: table.containing(arc.call_site)?,
                count: arc.count,
            })
        });
        Self(between.collect())
    }
}

/// The arcs of all profiles, in order of first appearance.
pub struct ArcSum<'t> {
    table: &'t SymbolTable,
    arcs: Vec<GraphArc>,
    index: ArcIndex,
}

impl<'t> ArcSum<'t> {
    pub fn new(table: &'t SymbolTable) -> Self {
        Self { table, arcs: Vec::new(), index: ArcIndex::default() }
    }

    pub fn add(&mut self, SymbolArcs(arcs): &SymbolArcs) {
        let key = |arc: &GraphArc| u64::from(arc.caller.0) << 32 | u64::from(arc.callee.0);
        for arc in arcs {
            let key_at = |place: usize| key(&self.arcs[place]);
            match self.index.find_or_add(key(arc), self.arcs.len(), key_at) {
                Some(place) => {
                    let known = &mut self.arcs[place].count;
                    *known = known.wrapping_add(arc.count);
                }
                None => self.arcs.push(*arc),
            }
        }
    }

    /// The selected arcs between starts of symbols: by caller, last appearance first.
    pub fn into_arcs(self, selects: impl Fn(SymbolId, SymbolId) -> bool) -> Vec<CallArc> {
        let mut arcs: Vec<_> = self.arcs.into_iter().enumerate().collect();
        arcs.retain(|(_, arc)| selects(arc.caller, arc.callee));
        arcs.sort_unstable_by_key(|&(place, ref arc)| (arc.caller, Reverse(place)));
        let start = |symbol: SymbolId| self.table.get(symbol).range.start;
        let between = arcs.into_iter().map(|(_, arc)| CallArc {
            call_site: start(arc.caller),
            callee: start(arc.callee),
            count: arc.count,
        });
        between.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Address;

    fn arc(from: u64, to: u64, count: u64) -> CallArc {
        CallArc { call_site: Address(from), callee: Address(to), count }
    }

    fn sum_of(profiles: &[&[CallArc]], table: &SymbolTable) -> Vec<(u64, u64, u64)> {
        let mut sum = ArcSum::new(table);
        for profiles in profiles.chunks(2) {
            let arcs = profiles.iter().map(|arcs| SymbolArcs::new(arcs, table));
            arcs.for_each(|arcs| sum.add(&arcs));
        }
        let arcs = sum.into_arcs(|_, _| true);
        let ends = arcs.iter().map(|a| (a.call_site.0, a.callee.0, a.count));
        ends.collect()
    }

    #[test]
    fn arcs_go_by_caller_and_the_last_comes_first() {
        let table = SymbolTable::of_entries([0x10, 0x20, 0x30].into_iter().map(Address));
        let arcs = [
            arc(0x25, 0x31, 1),
            arc(0x11, 0x21, 2),
            arc(0x12, 0x33, 3),
            arc(0x19, 0x2f, 4),
            // From nowhere, and of nothing.
            arc(0, 0x2f, 5),
            arc(0x19, 0, 6),
        ];
        let expected = [(0x10, 0x30, 3), (0x10, 0x20, 6), (0x20, 0x30, 1)];
        assert_eq!(sum_of(&[&arcs], &table), expected);
    }

    #[test]
    fn a_sum_is_that_of_all_arcs_one_after_the_other() {
        let table = SymbolTable::of_entries((0..500).map(|index| Address(16 * index)));
        // With callers in no order.
        let arcs: Vec<_> = (0..100_000_u64)
            .map(|index| arc(index * 7919 % 8000, index * index % 8000, index))
            .collect();
        let mut expected: Vec<(u64, u64, u64)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for arc in &arcs {
            let (from, to) = (arc.call_site.0 & !15, arc.callee.0 & !15);
            let place = *places.entry((from, to)).or_insert(expected.len());
            match expected.get_mut(place) {
                Some(known) => known.2 += arc.count,
                None => expected.push((from, to, arc.count)),
            }
        }
        expected.reverse();
        expected.sort_by_key(|arc| arc.0);
        for n_each in [100_000, 40_000, 999] {
            let profiles: Vec<_> = arcs.chunks(n_each).collect();
            assert_eq!(sum_of(&profiles, &table), expected);
        }
    }
}
