//! The ways that calls lead, and which of them run through what is asked for.

use super::groups::Groups;
use super::stage::{Mark, Stage};
use crate::analyze::call_graph::GraphArc;
use crate::analyze::cost_graph::CostGraph;
use crate::analyze::cycles::Topology;
use crate::filter::FocusSet;
use crate::symbols::SymbolId;

/// A graph of costs and what is asked for of it.
pub(super) struct Paths<'a> {
    pub(super) costs: &'a CostGraph,
    pub(super) groups: Groups,
    /// The stage of what nobody called.
    pub(super) first: Stage,
    /// By symbol.
    marks: Box<[Mark]>,
    /// By arc, whether anything went along it. What only stands in the code did not run.
    is_live: Box<[bool]>,
}

impl<'a> Paths<'a> {
    pub(super) fn new(
        costs: &'a CostGraph,
        topology: &Topology,
        focus: &FocusSet,
        function_of: impl Fn(SymbolId) -> SymbolId,
    ) -> Self {
        let groups = Groups::new(&costs.calls, topology, function_of);
        let arcs = (0..).zip(costs.calls.arcs());
        Self {
            marks: marks(&groups, focus, costs.n_nodes()),
            is_live: arcs
                .map(|(index, arc)| is_live(costs, index, arc))
                .collect(),
            first: Stage::first(focus),
            groups,
            costs,
        }
    }

    /// The stage within a symbol of a function that was called in this one.
    pub(super) fn stage(&self, id: SymbolId, arriving: Stage) -> Stage {
        arriving.behind(self.marks[id.index()])
    }

    pub(super) fn is_live(&self, arc: u32) -> bool {
        self.is_live[arc as usize]
    }

    /// The arcs by which costs flow from other groups to a symbol.
    pub(super) fn calls_of(&self, id: SymbolId) -> impl Iterator<Item = (u32, &GraphArc)> {
        let calls = &self.costs.calls;
        let arcs = calls.outgoing(id).iter().map(|&arc| (arc, calls.arc(arc)));
        arcs.filter(|&(index, arc)| self.is_live(index) && !self.groups.are_together(arc))
    }

    /// Calls of a group from addresses in no function.
    pub(super) fn calls_from_outside(&self, group: usize) -> f64 {
        let members = self.groups.members(group);
        let calls = members.map(|id| self.costs.calls.calls_from_outside[id.index()]);
        calls.map(|calls| calls as f64).sum()
    }
}

/// What is said of each symbol. What is said of one in a cycle is said of all in it.
fn marks(groups: &Groups, focus: &FocusSet, n_symbols: usize) -> Box<[Mark]> {
    let symbols = (0..).map(SymbolId).take(n_symbols);
    let mut marks: Box<[Mark]> = symbols.map(|id| Mark::of(focus, id)).collect();
    for group in (0..groups.len()).filter(|&group| groups.is_cycle(group)) {
        let of_members = groups.members(group).map(|id| marks[id.index()]);
        let of_all = of_members.fold(Mark::Plain, Mark::or);
        for id in groups.members(group) {
            marks[id.index()] = of_all;
        }
    }
    marks
}

fn is_live(costs: &CostGraph, index: u32, arc: &GraphArc) -> bool {
    let flows = |metric| {
        let flow = costs.flow(index, metric);
        flow.is_some_and(|flow| !flow.total().is_zero())
    };
    arc.count > 0 || (0..costs.metrics.len()).any(flows)
}
