//! The arcs of entries, in the order in which they are shown.

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
        let calls = &self.costs.calls;
        let mut sorted = SortedArcs {
            arcs: Vec::new(),
            starts: Vec::with_capacity(calls.n_symbols()),
        };
        let position = |arcs: &Vec<u32>| {
            // Each arc is here twice at most, and has a number of four bytes itself.
            u32::try_from(arcs.len()).expect("there are fewer than two thousand million arcs")
        };
        for id in (0..).map(SymbolId).take(calls.n_symbols()) {
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
        let weight = |arc| self.weight(arc, is_rising);
        let count = |arc: u32| self.costs.calls.arc(arc).count;
        sorted.sort_by(|&a, &b| {
            let (a, b) = if is_rising { (a, b) } else { (b, a) };
            let by_class = self.class_of(a).cmp(&self.class_of(b));
            by_class
                .then_with(|| weight(a).compare(weight(b)))
                .then_with(|| count(a).cmp(&count(b)))
        });
        sorted
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
