//! Arcs of many profiles, added up by symbols.
//!
//! A sum that is written has arcs between symbols only, so nothing else is kept: a program
//! has far fewer of them than it has pairs of addresses. Symbols are cut into [`N_PARTS`]
//! ranges, and the arcs of the callers in each are added up apart from the others, side by
//! side. Arcs of one caller stay in the order in which they came, which is all that the
//! order of the sum hangs on.

use std::ops::Range;

use rayon::prelude::*;

use crate::analyze::GraphArc;
use crate::model::{Address, ArcIndex, CallArc};
use crate::symbols::{SymbolId, SymbolTable};
use crate::threads;

/// How many ranges there are, whatever the number of processors.
const N_PARTS: usize = 64;

/// Arcs that one thread adds up sooner than others are started.
const WORTH_THREADS: usize = 1 << 15;

/// The arcs of one profile, by caller, those of a caller in the order in which they came.
pub struct SymbolArcs(Vec<GraphArc>);

impl SymbolArcs {
    /// Finds the symbols of both ends of each arc. Calls from nowhere and of nothing are
    /// dropped.
    pub fn new(arcs: &[CallArc], table: &SymbolTable) -> Self {
        let between = arcs.iter().filter_map(|arc| {
            let callee = table.containing(arc.callee)?;
            Some(GraphArc {
                callee: table.function_at_or_before(callee)?,
                caller: table.containing(arc.call_site)?,
                count: arc.count,
            })
        });
        let mut arcs = Vec::with_capacity(arcs.len());
        arcs.extend(between);
        arcs.sort_by_key(|arc| arc.caller);
        Self(arcs)
    }
}

/// The arcs of all profiles so far.
pub struct ArcSum<'t> {
    table: &'t SymbolTable,
    parts: Box<[Part]>,
}

/// The arcs of the callers in one range.
#[derive(Default)]
struct Part {
    /// In the order in which they came first.
    arcs: Vec<GraphArc>,
    index: ArcIndex,
}

impl<'t> ArcSum<'t> {
    pub fn new(table: &'t SymbolTable) -> Self {
        Self {
            table,
            parts: (0..N_PARTS).map(|_| Part::default()).collect(),
        }
    }

    /// Adds the arcs of some profiles, which came one after the other.
    pub fn add(&mut self, profiles: &[SymbolArcs]) {
        let table = self.table;
        let add = |(index, part): (usize, &mut Part)| {
            let range = range_of(index, table);
            for SymbolArcs(arcs) in profiles {
                let behind = |end| move |arc: &GraphArc| arc.caller.index() < end;
                let first = arcs.partition_point(behind(range.start));
                let n_arcs = arcs[first..].partition_point(behind(range.end));
                part.add(&arcs[first..][..n_arcs]);
            }
        };
        let n_arcs: usize = profiles.iter().map(|SymbolArcs(arcs)| arcs.len()).sum();
        if n_arcs < WORTH_THREADS {
            self.parts.iter_mut().enumerate().for_each(add);
        } else {
            threads::start();
            self.parts.par_iter_mut().enumerate().for_each(add);
        }
    }

    /// The arcs that are selected, between the starts of symbols, in pieces: by caller, the
    /// one that appeared last first.
    pub fn into_arcs(
        self,
        selects: impl Fn(SymbolId, SymbolId) -> bool + Sync,
    ) -> Vec<Box<[CallArc]>> {
        let table = self.table;
        let finish =
            |(index, part): (usize, Part)| part.into_arcs(range_of(index, table), table, &selects);
        let n_arcs: usize = self.parts.iter().map(|part| part.arcs.len()).sum();
        if n_arcs < WORTH_THREADS {
            self.parts.into_iter().enumerate().map(finish).collect()
        } else {
            threads::start();
            let parts = Vec::from(self.parts).into_par_iter();
            parts.enumerate().map(finish).collect()
        }
    }
}

/// The callers of a part, by their numbers.
fn range_of(part_index: usize, table: &SymbolTable) -> Range<usize> {
    let n_symbols = table.symbols().len();
    let start = |index: usize| n_symbols / N_PARTS * index + n_symbols % N_PARTS * index / N_PARTS;
    start(part_index)..start(part_index + 1)
}

impl Part {
    fn add(&mut self, arcs: &[GraphArc]) {
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

    /// The arcs by caller, the one that appeared last first: each takes the last place that
    /// is left to its caller.
    fn into_arcs(
        self,
        callers: Range<usize>,
        table: &SymbolTable,
        selects: impl Fn(SymbolId, SymbolId) -> bool,
    ) -> Box<[CallArc]> {
        let mut arcs = self.arcs;
        arcs.retain(|arc| selects(arc.caller, arc.callee));
        let mut ends = vec![0; callers.len()];
        for arc in &arcs {
            ends[arc.caller.index() - callers.start] += 1;
        }
        let mut n_before = 0;
        for end in &mut ends {
            n_before += *end;
            *end = n_before;
        }
        let start = |symbol: SymbolId| table.get(symbol).range.start;
        let nothing = CallArc {
            call_site: Address(0),
            callee: Address(0),
            count: 0,
        };
        let mut sorted: Box<[CallArc]> = vec![nothing; arcs.len()].into();
        for arc in &arcs {
            let end: &mut usize = &mut ends[arc.caller.index() - callers.start];
            *end -= 1;
            sorted[*end] = CallArc {
                call_site: start(arc.caller),
                callee: start(arc.callee),
                count: arc.count,
            };
        }
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arc(from: u64, to: u64, count: u64) -> CallArc {
        CallArc {
            call_site: Address(from),
            callee: Address(to),
            count,
        }
    }

    fn sum_of(profiles: &[&[CallArc]], table: &SymbolTable) -> Vec<(u64, u64, u64)> {
        let mut sum = ArcSum::new(table);
        for profiles in profiles.chunks(2) {
            let arcs = profiles.iter().map(|arcs| SymbolArcs::new(arcs, table));
            sum.add(&arcs.collect::<Vec<_>>());
        }
        let arcs = sum.into_arcs(|_, _| true).concat();
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
        // Enough for all ranges and several threads, with callers in no order.
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
