//! A graph of costs that flowed along calls, cut down to what is asked for.

use super::kept::Kept;
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{CostGraph, CycleCosts};
use crate::analyze::cycles::Topology;
use crate::analyze::propagation::CallCounts;
use crate::filter::FocusSet;
use crate::symbols::SymbolId;

impl CostGraph {
    /// Leaves in a graph whose costs flowed along calls what runs through `focus`. What
    /// there is in all stays what it was. `function_of` is the symbol that stands for the
    /// function which a symbol is a part of.
    pub(in crate::analyze) fn focused(
        mut self,
        focus: &FocusSet,
        function_of: impl Fn(SymbolId) -> SymbolId,
    ) -> Self {
        let Some(kept) = Kept::new(&self, focus, function_of) else {
            return self;
        };
        self.calls = kept.calls;
        self.self_costs = kept.self_costs;
        self.flows = Some(kept.flows);
        if focus.has_focus() {
            self.unattributed = nothing(&self.unattributed);
        }
        if let Some(inlines) = &mut self.inlines {
            inlines.scale(|holder| kept.part.share_of(holder));
        }
        self.focus = Some(kept.part);
        if let Some(topology) = self.topology.take() {
            self.add_up(&topology, &kept.is_inner);
            self.topology = Some(topology);
        }
        self
    }

    /// Adds up what callers cost by what they called, and counts the calls. What arcs
    /// have that are `is_inner` is in others already.
    fn add_up(&mut self, topology: &Topology, is_inner: &[bool]) {
        let metrics = 0..self.metrics.len();
        let nothing = nothing(&self.all);
        let mut children = self.children.zeroed();
        let mut of_cycles = vec![nothing[self.primary]; topology.cycles.len()];
        // In the order in which they were added up as a whole.
        for &caller in &topology.bottom_up {
            let arcs = self.calls.outgoing(caller).iter().rev();
            for &arc in arcs.filter(|&&arc| !is_inner[arc as usize]) {
                for metric in metrics.clone() {
                    let Some(flow) = self.flow(arc, metric) else {
                        continue;
                    };
                    children.plus(caller.index(), metric, flow.total());
                    let cycle = topology.cycle_of[caller.index()];
                    if let Some(cycle) = cycle.filter(|_| metric == self.primary) {
                        let sum = &mut of_cycles[cycle.index()];
                        *sum = sum.plus(flow.total());
                    }
                }
            }
        }
        let counts = CallCounts::new(&self.calls, topology);
        let cycles = topology.cycles.iter().zip(of_cycles).zip(&counts.cycles);
        let cycles = cycles.map(|((cycle, children), &calls)| {
            let own = cycle
                .members
                .iter()
                .map(|&id| self.self_cost(id, self.primary));
            CycleCosts {
                self_cost: own.fold(nothing[self.primary], |sum, own| sum.plus(own)),
                children,
                calls,
            }
        });
        self.cycles = cycles.collect();
        self.call_counts = Some(counts.functions);
        self.children = children;
    }
}

fn nothing(amounts: &[Amount]) -> Vec<Amount> {
    let nothing = amounts.iter().map(|&amount| amount.less(amount));
    nothing.collect()
}
