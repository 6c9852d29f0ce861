//! Symbols with ticks in full counters.
//!
//! A full counter stops, or wraps to zero. Either way it had more ticks than recorded, so the
//! times of the function and its callers are lower bounds.

use super::attribution::BinShares;
use super::call_graph::CallGraph;
use super::cycles::Topology;
use crate::model::Histogram;
use crate::symbols::{SymbolId, SymbolTable};

/// Symbols whose self or total ticks are a lower bound.
#[derive(Clone, Debug, Default)]
pub(super) struct LowerBounds {
    /// By symbol; empty without full counters.
    symbols: Box<[bool]>,
    /// Outside of symbols.
    outside: bool,
}

impl LowerBounds {
    /// The symbols for which `is_least` is true.
    pub(super) fn of_symbols(is_least: Vec<bool>) -> Self {
        let symbols = if is_least.contains(&true) { is_least.into() } else { Box::default() };
        Self { symbols, outside: false }
    }

    /// All symbols that a full bin spans. Linear in full bins and symbols, for each histogram
    /// with full bins.
    pub(super) fn find(histograms: &[Histogram], table: &SymbolTable) -> Self {
        let mut found = Self::default();
        for histogram in histograms.iter().filter(|h| !h.full_bins.is_empty()) {
            if found.symbols.is_empty() {
                found.symbols = vec![false; table.symbols().len()].into();
            }
            found.add(histogram, table);
        }
        found
    }

    /// Adds the callers of these symbols, whose totals are lower bounds. A cycle counts as
    /// one. Linear in symbols and arcs.
    pub(super) fn add_callers(&mut self, calls: &CallGraph, topology: &Topology) {
        if self.symbols.is_empty() {
            return;
        }
        let mut cycles = vec![false; topology.cycles.len()];
        for &id in &topology.bottom_up {
            let is_found = |callee: SymbolId| match topology.cycle_of[callee.index()] {
                Some(cycle) => cycles[cycle.index()],
                None => self.symbols[callee.index()],
            };
            let arcs = calls.outgoing(id).iter().map(|&arc| calls.arc(arc));
            let is_caller = arcs.filter(|arc| arc.count > 0).any(|arc| is_found(arc.callee));
            self.symbols[id.index()] |= is_caller;
            if let Some(cycle) = topology.cycle_of[id.index()] {
                cycles[cycle.index()] |= self.symbols[id.index()];
            }
        }
        for (is_found, cycle) in self.symbols.iter_mut().zip(&topology.cycle_of) {
            *is_found |= cycle.is_some_and(|cycle| cycles[cycle.index()]);
        }
    }

    /// Returns whether the set is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.symbols.is_empty() && !self.outside
    }

    /// Returns whether the time of a symbol, or outside of symbols (`None`), is a lower
    /// bound.
    pub(super) fn contains(&self, symbol: Option<SymbolId>) -> bool {
        match symbol {
            Some(symbol) => self.symbols.get(symbol.index()) == Some(&true),
            None => self.outside,
        }
    }

    fn add(&mut self, histogram: &Histogram, table: &SymbolTable) {
        let mut shares = BinShares::new(histogram, table);
        for &bin in &histogram.full_bins {
            shares.find(bin);
            for &(id, _) in &shares.parts {
                self.symbols[id.index()] = true;
                self.symbols[table.enclosing_function(id).index()] = true;
            }
            self.outside |= shares.parts.is_empty();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::call_graph::{CallRules, CallSites, UnknownCallers};
    use crate::analyze::cycles::find_cycles;
    use crate::model::{Address, CallArc, Clock, InstructionStarts};

    fn histogram(low: u64, width: u64, full_bins: &[usize]) -> Histogram {
        let n_bins = 8;
        Histogram {
            low: Address(low),
            high: Address(low + n_bins * width),
            n_bins,
            bins: vec![0; 8].into(),
            full_bins: full_bins.to_vec(),
            instructions: InstructionStarts::default(),
            clock: Clock::seconds(100),
        }
    }

    /// Functions of 16 bytes from 0x100 on; the last one is unlimited.
    fn check(histograms: &[Histogram], expected: [bool; 4], outside: bool) {
        let table = SymbolTable::of_entries([0x100, 0x110, 0x120, 0x130].into_iter().map(Address));
        let found = LowerBounds::find(histograms, &table);
        let ids = table.iter().map(|(id, _)| id);
        let bounds: Vec<bool> = ids.map(|id| found.contains(Some(id))).collect();
        assert_eq!((&*bounds, found.contains(None)), (&expected[..], outside));
    }

    #[test]
    fn a_full_bin_touches_the_functions_that_it_covers() {
        check(&[histogram(0x100, 4, &[])], [false; 4], false);
        check(&[histogram(0x100, 4, &[3])], [true, false, false, false], false);
        check(&[histogram(0x100, 4, &[4])], [false, true, false, false], false);
        // One of 24 bytes, from 0x108 on.
        check(&[histogram(0xf0, 24, &[1])], [true, true, false, false], false);
        check(&[histogram(0x80, 4, &[0, 7])], [false; 4], true);
        // Two of them.
        let both = [histogram(0x100, 4, &[0]), histogram(0x120, 2, &[7])];
        check(&both, [true, false, true, false], false);
    }

    /// Calls of functions by number, with counts. The counter of the third function is full.
    fn check_callers(arcs: &[(u64, u64, u64)], expected: [bool; 4]) {
        let start = |function: u64| Address(0x100 + 0x10 * function);
        let table = SymbolTable::of_entries((0..4).map(start));
        let arcs: Vec<_> = arcs
            .iter()
            .map(|&(caller, callee, count)| CallArc {
                call_site: Address(start(caller).0 + 4),
                callee: start(callee),
                count,
            })
            .collect();
        let rules = CallRules {
            unknown_callers: UnknownCallers::Counted,
            call_sites: CallSites::AsRecorded,
        };
        let calls = CallGraph::new(&arcs, &table, |_, _| true, &[], rules);
        let mut found = LowerBounds::find(&[histogram(0x120, 2, &[0])], &table);
        found.add_callers(&calls, &find_cycles(&calls));
        let bounds: Vec<bool> = table.iter().map(|(id, _)| found.contains(Some(id))).collect();
        assert_eq!(bounds, expected, "for {arcs:?}");
    }

    #[test]
    fn totals_of_callers_are_lower_bounds_too() {
        check_callers(&[], [false, false, true, false]);
        check_callers(&[(0, 1, 1), (1, 2, 1), (2, 3, 1)], [true, true, true, false]);
        // Without calls, time does not flow.
        check_callers(&[(0, 1, 1), (1, 2, 0)], [false, false, true, false]);
        // The last is in a cycle with the one that was full, and the first calls it.
        check_callers(&[(0, 3, 1), (3, 2, 1), (2, 3, 1), (3, 1, 1)], [true, false, true, true]);
    }
}
