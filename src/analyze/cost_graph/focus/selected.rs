//! The part of costs and calls that `--focus` and `--ignore` select.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::part::FocusPart;
use super::paths::Paths;
use super::reach::Reach;
use super::selections::{SelfSelection, selections};
use super::shares::Shares;
use crate::analyze::amount::{Amount, Amounts};
use crate::analyze::call_graph::CallGraph;
use crate::analyze::cost_graph::{
    ArcCosts, CostGraph, CountedCalls, CycleCosts, Flows, TotalsFrom,
};
use crate::analyze::cycles::Topology;
use crate::analyze::propagation::CallCounts;
use crate::filter::FocusSet;
use crate::symbols::SymbolId;

/// The selected part of a graph.
pub(super) struct SelectedPart {
    /// The arcs with selected flow, with all their calls.
    pub(super) calls: CallGraph,
    pub(super) self_costs: Amounts,
    pub(super) flows: Flows,
    pub(super) part: FocusPart,
    /// For each arc, whether its costs are contained in those of other calls.
    pub(super) is_inner: Vec<bool>,
}

impl SelectedPart {
    /// `None` if everything is selected, or costs do not flow along calls.
    pub(super) fn new(
        costs: &CostGraph,
        focus: &FocusSet,
        function_of: impl Fn(SymbolId) -> SymbolId,
    ) -> Option<Self> {
        let flows = costs.costs.flows.as_ref().filter(|_| !focus.is_all())?;
        let topology = costs.topology()?;
        let mut symbols = (0..).map(SymbolId).take(costs.n_nodes());
        let are_functions = symbols.all(|id| function_of(id) == id);
        let has_limits = are_functions && costs.sampling.is_some();
        let selections = has_limits.then(|| selections(costs, topology, focus));
        let paths = Paths::new(costs, topology, focus, function_of);
        let metrics = 0..costs.shape.metrics.len();
        let shares: Vec<_> = metrics.map(|metric| Shares::new(&paths, metric)).collect();
        let is_start = |group| shares.iter().any(|shares| shares.has_start(group));
        let reach = Reach::new(&paths, is_start);
        let arcs = (0..).zip(costs.calls.arcs());
        let arcs = arcs.filter(|(index, arc)| reach.carries(&paths, *index, arc));
        let arcs: Vec<u32> = arcs.map(|(index, _)| index).collect();
        let part_of = rounding(focus);
        let symbols: Vec<u32> = (0..).take(costs.n_nodes()).collect();
        let self_costs = costs.costs.self_costs.parts_of(&symbols, |own, symbol, metric| {
            part_of(own, shares[metric].of(SymbolId(symbol)))
        });
        let along = |arc: u32, metric: usize| shares[metric].along(costs.calls.arc(arc));
        let has_self = flows.self_costs.is_some();
        let flows = Flows {
            self_costs: flows.self_costs.as_ref().map(|flows| {
                flows.parts_of(&arcs, |own, arc, metric| part_of(own, along(arc, metric).own))
            }),
            children: flows.children.parts_of(&arcs, |flow, arc, metric| {
                let shares = along(arc, metric);
                part_of(flow, if has_self { shares.below } else { shares.total })
            }),
        };
        let is_inner = |&arc: &u32| {
            let is_recursion = paths.groups.are_together(costs.calls.arc(arc));
            costs.shape.totals_from == TotalsFrom::Arcs && is_recursion
        };
        Some(Self {
            is_inner: arcs.iter().map(is_inner).collect(),
            calls: calls(&paths, &reach, &arcs),
            part: part(&paths, &reach, &shares, selections),
            self_costs,
            flows,
        })
    }
}

/// Rounds shares of exact costs, so that both parts add up to the whole.
fn rounding(focus: &FocusSet) -> impl Fn(Amount, f64) -> Amount {
    let has_focus = focus.has_focus();
    move |amount, share| {
        if has_focus { amount.part(share) } else { amount.without_part((1.0 - share).max(0.0)) }
    }
}

fn calls(paths: &Paths<'_>, reach: &Reach, arcs: &[u32]) -> CallGraph {
    let calls = &paths.costs.calls;
    let kept = arcs.iter().map(|&arc| *calls.arc(arc)).collect();
    let from_outside = (0..).map(SymbolId).zip(&calls.calls_from_outside);
    let from_outside = from_outside
        .map(|(id, &n_calls)| if reach.carries_from_outside(paths, id) { n_calls } else { 0 });
    let by_register = (0..).map(SymbolId).zip(&calls.calls_by_register);
    let by_register = by_register.map(|(id, &first)| first.filter(|_| reach.is_within(paths, id)));
    let mut graph = CallGraph::of_arcs(kept, calls.n_symbols());
    graph.calls_from_outside = from_outside.collect();
    graph.calls_by_register = by_register.collect();
    graph.n_lost_calls = calls.n_lost_calls;
    graph.inlined = calls.inlined.clone();
    graph
}

fn part(
    paths: &Paths<'_>,
    reach: &Reach,
    shares: &[Shares<'_>],
    selections: Option<Box<[SelfSelection]>>,
) -> FocusPart {
    let costs = paths.costs;
    let symbols = || (0..).map(SymbolId).take(costs.n_nodes());
    let of_primary = &shares[costs.shape.primary];
    let is_called = |id: &SymbolId| {
        costs.calls.calls_from_outside[id.index()] > 0 && reach.carries_from_outside(paths, *id)
    };
    let of_unknown_callers = symbols().filter(is_called).map(|id| {
        let shares = of_primary.of_unknown_callers(id);
        let flow = costs.flow_from_outside(id);
        let flow = ArcCosts {
            self_cost: flow.self_cost.map(|own| own.part(shares.own)),
            children: flow.children.part(shares.below),
        };
        (id, flow)
    });
    FocusPart::Calls {
        shares: symbols().map(|id| of_primary.of(id)).collect(),
        of_unknown_callers: of_unknown_callers.collect::<BTreeMap<_, _>>(),
        selections,
    }
}

impl CostGraph {
    /// Reduces a graph with costs of calls to the calls that pass through `focus`. The whole
    /// stays the same. `function_of` is the symbol of the function that contains a symbol.
    pub(in crate::analyze) fn focused(
        mut self,
        focus: &FocusSet,
        function_of: impl Fn(SymbolId) -> SymbolId,
    ) -> Self {
        let Some(kept) = SelectedPart::new(&self, focus, function_of) else {
            return self;
        };
        self.calls = kept.calls;
        self.costs.self_costs = kept.self_costs;
        self.costs.flows = Some(kept.flows);
        if focus.has_focus() {
            self.costs.unattributed = nothing(&self.costs.unattributed);
        }
        if let Some(inlines) = &mut self.costs.inlines {
            inlines.scale(|enclosing| kept.part.share_of(enclosing));
        }
        self.costs.focus = Some(kept.part);
        if let Some(counted) = self.counted.take() {
            self.add_up(counted.topology, &kept.is_inner);
        }
        self
    }

    /// Adds up the costs of callees and the calls. Arcs that are `is_inner` are contained in
    /// others.
    fn add_up(&mut self, topology: Topology, is_inner: &[bool]) {
        let metrics = 0..self.shape.metrics.len();
        let nothing = nothing(&self.costs.all);
        let mut children = self.costs.children.zeroed();
        let mut of_cycles = vec![nothing[self.shape.primary]; topology.cycles.len()];
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
                    if let Some(cycle) = cycle.filter(|_| metric == self.shape.primary) {
                        let sum = &mut of_cycles[cycle.index()];
                        *sum = sum.plus(flow.total());
                    }
                }
            }
        }
        let counts = CallCounts::new(&self.calls, &topology);
        let cycles = topology.cycles.iter().zip(of_cycles).zip(&counts.cycles);
        let cycles = cycles.map(|((cycle, children), &calls)| {
            let own = cycle.members.iter().map(|&id| self.self_cost(id, self.shape.primary));
            CycleCosts {
                self_cost: own.fold(nothing[self.shape.primary], |sum, own| sum.plus(own)),
                children,
                calls,
            }
        });
        let cycles = cycles.collect();
        self.counted = Some(CountedCalls {
            topology,
            functions: counts.functions,
            cycles,
            bounds: OnceLock::new(),
        });
        self.costs.children = children;
    }
}

fn nothing(amounts: &[Amount]) -> Vec<Amount> {
    let nothing = amounts.iter().map(|&amount| amount.less(amount));
    nothing.collect()
}
