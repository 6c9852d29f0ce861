//! The arcs of call-graph entries in their order.

use std::sync::{Arc, OnceLock};

use super::ranks::is_of_note;
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::CostGraph;
use crate::symbols::SymbolId;

/// Callers ascend above their entry, callees descend below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArcOrder {
    Rising,
    Falling,
}

/// Calls without flow are separate from the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ArcClass {
    Recursion,
    WithinCycle,
    Between,
}

/// An arc, by index.
#[derive(Clone, Copy)]
pub(super) struct OrderedArc {
    pub(super) index: u32,
    pub(super) class: ArcClass,
}

/// Arcs in order, after the first request.
type Sorted = OnceLock<Box<[OrderedArc]>>;

/// The arcs to and from each function, sorted on first use: text visits them twice.
pub(super) struct OrderedArcs {
    costs: Arc<CostGraph>,
    shows_zero_cost: bool,
    sorted: Box<[[Sorted; 2]]>,
}

impl OrderedArcs {
    pub(super) fn new(costs: &Arc<CostGraph>, shows_zero_cost: bool) -> Self {
        Self {
            costs: Arc::clone(costs),
            shows_zero_cost,
            sorted: vec![[const { OnceLock::new() }; 2]; costs.calls.n_symbols()].into(),
        }
    }

    fn class_of(&self, arc: u32) -> ArcClass {
        let arc = self.costs.calls.arc(arc);
        if arc.is_self_call() {
            return ArcClass::Recursion;
        }
        match self.costs.cycle_of(arc.caller) {
            Some(cycle) if self.costs.cycle_of(arc.callee) == Some(cycle) => ArcClass::WithinCycle,
            _ => ArcClass::Between,
        }
    }

    /// The arcs to a function, in order.
    pub(super) fn callers(&self, id: SymbolId) -> &[OrderedArc] {
        let arcs = || self.sorted(self.costs.calls.incoming(id), ArcOrder::Rising);
        self.sorted[id.index()][0].get_or_init(arcs)
    }

    pub(super) fn callees(&self, id: SymbolId) -> &[OrderedArc] {
        let arcs = || self.sorted(self.costs.calls.outgoing(id), ArcOrder::Falling);
        self.sorted[id.index()][1].get_or_init(arcs)
    }

    /// The shown arcs by weight: recursion, arcs within cycles, then others by flow; or in
    /// reverse.
    fn sorted(&self, arcs: &[u32], order: ArcOrder) -> Box<[OrderedArc]> {
        let counts_calls = self.costs.counted.is_some();
        let is_shown = |&arc: &u32| {
            (counts_calls || self.class_of(arc) != ArcClass::Recursion)
                && (self.shows_zero_cost || is_of_note(&self.costs, arc))
        };
        let is_rising = order == ArcOrder::Rising;
        let keyed = |arc: u32| {
            let (class, weight) = (self.class_of(arc), self.weight(arc, is_rising));
            (class, weight, self.costs.calls.arc(arc).count, arc)
        };
        let shown = arcs.iter().copied().filter(is_shown).map(keyed);
        let mut keyed = Vec::with_capacity(arcs.len());
        keyed.extend(shown);
        // Callers with equal numbers are in descending order of name.
        if is_rising && !counts_calls {
            keyed.reverse();
        }
        keyed.sort_by(|a, b| {
            let (a, b) = if is_rising { (a, b) } else { (b, a) };
            let by_class = a.0.cmp(&b.0);
            by_class.then_with(|| a.1.compare(b.1)).then_with(|| a.2.cmp(&b.2))
        });
        keyed.iter().map(|&(class, .., index)| OrderedArc { index, class }).collect()
    }

    /// The flow along an arc or, if unknown, the cost of its other end.
    fn weight(&self, arc: u32, of_caller: bool) -> Amount {
        let metric = self.costs.shape.primary;
        if let Some(flow) = self.costs.flow(arc, metric) {
            return flow.total();
        }
        let arc = self.costs.calls.arc(arc);
        let other = if of_caller { arc.caller } else { arc.callee };
        self.costs.total(other, metric)
    }
}
