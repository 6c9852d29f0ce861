//! The arcs of entries, in the order in which they are shown.

use std::ops::Range;

use rayon::prelude::*;

use super::ranks::{GraphNode, is_of_note};
use super::rows::GraphRows;
use crate::analyze::amount::Amount;
use crate::symbols::SymbolId;

/// The arcs of all entries in the order in which they are shown.
pub(super) struct SortedArcs {
    arcs: Vec<u32>,
    /// Where the callers of each function start, and where its callees do.
    starts: Vec<[u32; 2]>,
}

impl SortedArcs {
    pub(super) fn callers(&self, id: SymbolId) -> &[u32] {
        let [start, end] = self.starts[id.index()];
        &self.arcs[start as usize..end as usize]
    }

    pub(super) fn callees(&self, id: SymbolId) -> &[u32] {
        let start = self.starts[id.index()][1];
        let next = self.starts.get(id.index() + 1);
        let end = next.map_or(self.arcs.len(), |&[start, _]| start as usize);
        &self.arcs[start as usize..end]
    }
}

/// Functions whose arcs one thread sorts. What fits into one piece is not worth several
/// threads.
const PIECE: usize = 1 << 12;

/// How many arcs there are.
fn position(arcs: &[u32]) -> u32 {
    // Each arc is here twice at most, and has a number of four bytes itself.
    u32::try_from(arcs.len()).expect("there are fewer than two thousand million arcs")
}

/// Callers stand from least to most above their entry, callees from most to least
/// below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArcOrder {
    Rising,
    Falling,
}

/// Calls that carry nothing stand apart from the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ArcClass {
    Recursion,
    WithinCycle,
    Between,
}

impl GraphRows<'_> {
    pub(super) fn class_of(&self, arc: u32) -> ArcClass {
        let arc = self.costs.calls.arc(arc);
        let topology = self.costs.topology.as_ref();
        if arc.is_self_call() {
            ArcClass::Recursion
        } else if topology.is_some_and(|all| all.are_together(arc.caller, arc.callee)) {
            ArcClass::WithinCycle
        } else {
            ArcClass::Between
        }
    }

    pub(super) fn sort_arcs(&self) -> SortedArcs {
        let n_symbols = self.costs.calls.n_symbols();
        if n_symbols <= PIECE {
            return self.sort_arcs_of(0..n_symbols);
        }
        let starts = (0..n_symbols).into_par_iter().step_by(PIECE);
        let pieces = starts.map(|start| self.sort_arcs_of(start..n_symbols.min(start + PIECE)));
        let pieces: Vec<_> = pieces.collect();
        let mut sorted = SortedArcs {
            arcs: Vec::with_capacity(pieces.iter().map(|piece| piece.arcs.len()).sum()),
            starts: Vec::with_capacity(n_symbols),
        };
        for piece in pieces {
            let n_before = position(&sorted.arcs);
            let moved = piece.starts.iter().map(|both| both.map(|at| at + n_before));
            sorted.starts.extend(moved);
            sorted.arcs.extend(piece.arcs);
        }
        sorted
    }

    fn sort_arcs_of(&self, symbols: Range<usize>) -> SortedArcs {
        let calls = &self.costs.calls;
        let mut sorted = SortedArcs {
            arcs: Vec::new(),
            starts: Vec::with_capacity(symbols.len()),
        };
        for id in (0..).map(SymbolId).take(symbols.end).skip(symbols.start) {
            let has_entry = self.ranks.has_entry(GraphNode::Function(id));
            let start = position(&sorted.arcs);
            if has_entry {
                let callers = self.sorted(calls.incoming(id), ArcOrder::Rising);
                sorted.arcs.extend(callers);
            }
            sorted.starts.push([start, position(&sorted.arcs)]);
            if has_entry {
                let callees = self.sorted(calls.outgoing(id), ArcOrder::Falling);
                sorted.arcs.extend(callees);
            }
        }
        sorted
    }

    /// The arcs that are shown, in the order of their weights: those of functions to
    /// themselves, then those within cycles, then others by what flows along them; or
    /// the other way round.
    fn sorted(&self, arcs: &[u32], order: ArcOrder) -> Vec<u32> {
        let counts_calls = self.costs.call_counts.is_some();
        let is_shown = |&arc: &u32| {
            (counts_calls || self.class_of(arc) != ArcClass::Recursion)
                && (self.shows_idle || is_of_note(self.costs, arc))
        };
        let mut sorted: Vec<_> = arcs.iter().copied().filter(is_shown).collect();
        let is_rising = order == ArcOrder::Rising;
        // Equal callers stand against the order of their names.
        if is_rising && !counts_calls {
            sorted.reverse();
        }
        if sorted.len() < 2 {
            return sorted;
        }
        let keyed = |&arc: &u32| {
            let (class, weight) = (self.class_of(arc), self.weight(arc, is_rising));
            (class, weight, self.costs.calls.arc(arc).count, arc)
        };
        let mut keyed: Vec<_> = sorted.iter().map(keyed).collect();
        keyed.sort_by(|a, b| {
            let (a, b) = if is_rising { (a, b) } else { (b, a) };
            let by_class = a.0.cmp(&b.0);
            by_class
                .then_with(|| a.1.compare(b.1))
                .then_with(|| a.2.cmp(&b.2))
        });
        keyed.into_iter().map(|(.., arc)| arc).collect()
    }

    /// What flows along an arc or, where that is not known, what its other end has.
    fn weight(&self, arc: u32, of_caller: bool) -> Amount {
        let metric = self.costs.primary;
        if let Some(flow) = self.costs.flow(arc, metric) {
            return flow.total();
        }
        let arc = self.costs.calls.arc(arc);
        let other = if of_caller { arc.caller } else { arc.callee };
        self.costs.total(other, metric)
    }
}
