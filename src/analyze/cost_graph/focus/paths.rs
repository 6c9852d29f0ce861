//! Follows calls through the functions of `--focus` and `--ignore`.

use super::stage::{FunctionMark, PathStage};
use crate::analyze::adjacency::Adjacency;
use crate::analyze::call_graph::{CallGraph, GraphArc};
use crate::analyze::cost_graph::CostGraph;
use crate::analyze::cycles::{Topology, find_cycles};
use crate::filter::FocusSet;
use crate::symbols::SymbolId;

/// A graph of costs with its focus.
pub(super) struct Paths<'a> {
    pub(super) costs: &'a CostGraph,
    pub(super) groups: CycleGroups,
    /// The stage of functions without caller.
    pub(super) first: PathStage,
    /// By symbol.
    marks: Box<[FunctionMark]>,
    /// For each arc, whether it has calls. Calls found only in code did not run.
    is_live: Box<[bool]>,
}

impl<'a> Paths<'a> {
    pub(super) fn new(
        costs: &'a CostGraph,
        topology: &Topology,
        focus: &FocusSet,
        function_of: impl Fn(SymbolId) -> SymbolId,
    ) -> Self {
        let groups = CycleGroups::new(&costs.calls, topology, function_of);
        let arcs = (0..).zip(costs.calls.arcs());
        Self {
            marks: marks(&groups, focus, costs.n_nodes()),
            is_live: arcs.map(|(index, arc)| is_live(costs, index, arc)).collect(),
            first: PathStage::first(focus),
            groups,
            costs,
        }
    }

    /// The stage of a symbol that was called in stage `arriving`.
    pub(super) fn stage(&self, id: SymbolId, arriving: PathStage) -> PathStage {
        arriving.behind(self.marks[id.index()])
    }

    pub(super) fn is_live(&self, arc: u32) -> bool {
        self.is_live[arc as usize]
    }

    /// The arcs along which costs flow from other groups to a symbol.
    pub(super) fn calls_of(&self, id: SymbolId) -> impl Iterator<Item = (u32, &GraphArc)> {
        let calls = &self.costs.calls;
        let arcs = calls.outgoing(id).iter().map(|&arc| (arc, calls.arc(arc)));
        arcs.filter(|&(index, arc)| self.is_live(index) && !self.groups.are_together(arc))
    }

    /// Calls of a group from outside of functions.
    pub(super) fn calls_from_outside(&self, group: usize) -> f64 {
        let members = self.groups.members(group);
        let calls = members.map(|id| self.costs.calls.calls_from_outside[id.index()]);
        calls.map(|calls| calls as f64).sum()
    }
}

/// The mark of each symbol; members of a cycle share their marks.
fn marks(groups: &CycleGroups, focus: &FocusSet, n_symbols: usize) -> Box<[FunctionMark]> {
    let symbols = (0..).map(SymbolId).take(n_symbols);
    let mut marks: Box<[FunctionMark]> = symbols.map(|id| FunctionMark::of(focus, id)).collect();
    for group in (0..groups.len()).filter(|&group| groups.is_cycle(group)) {
        let of_members = groups.members(group).map(|id| marks[id.index()]);
        let of_all = of_members.fold(FunctionMark::Plain, FunctionMark::or);
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
    arc.count > 0 || (0..costs.shape.metrics.len()).any(flows)
}

/// The symbols of each function, or of all functions of a cycle. Numbers ascend from callees
/// to callers.
pub(super) struct CycleGroups {
    of: Box<[u32]>,
    members: Adjacency,
    are_cycles: Vec<bool>,
}

impl CycleGroups {
    /// The groups of a graph with cycles; `function_of` is the symbol of the function that
    /// contains a symbol.
    pub(super) fn new(
        calls: &CallGraph,
        topology: &Topology,
        function_of: impl Fn(SymbolId) -> SymbolId,
    ) -> Self {
        let symbols = || (0..).map(SymbolId).take(calls.n_symbols());
        if symbols().all(|id| function_of(id) == id) {
            return Self::of_topology(topology, function_of);
        }
        let arcs = calls.arcs().iter().map(|arc| GraphArc {
            caller: function_of(arc.caller),
            callee: function_of(arc.callee),
            ..*arc
        });
        let by_function = CallGraph::of_arcs(arcs.collect(), calls.n_symbols());
        Self::of_topology(&find_cycles(&by_function), function_of)
    }

    fn of_topology(topology: &Topology, function_of: impl Fn(SymbolId) -> SymbolId) -> Self {
        let mut of_cycle = vec![None; topology.cycles.len()];
        let mut of = vec![0; topology.bottom_up.len()];
        let mut are_cycles = Vec::new();
        for &id in topology.bottom_up.iter().filter(|&&id| function_of(id) == id) {
            let cycle = topology.cycle_of[id.index()];
            let known = cycle.and_then(|cycle| of_cycle[cycle.index()]);
            let group = known.unwrap_or_else(|| {
                are_cycles.push(cycle.is_some());
                u32::try_from(are_cycles.len() - 1).expect("symbols have 32-bit numbers")
            });
            if let Some(cycle) = cycle {
                of_cycle[cycle.index()] = Some(group);
            }
            of[id.index()] = group;
        }
        for id in (0..).map(SymbolId).take(of.len()) {
            of[id.index()] = of[function_of(id).index()];
        }
        let keys = of.iter().map(|&group| Some(group as usize));
        Self { members: Adjacency::new(are_cycles.len(), keys), of: of.into(), are_cycles }
    }

    pub(super) fn len(&self) -> usize {
        self.are_cycles.len()
    }

    pub(super) fn of(&self, id: SymbolId) -> usize {
        self.of[id.index()] as usize
    }

    pub(super) fn members(&self, group: usize) -> impl Iterator<Item = SymbolId> {
        self.members.of(group).iter().copied().map(SymbolId)
    }

    pub(super) fn is_cycle(&self, group: usize) -> bool {
        self.are_cycles[group]
    }

    /// Returns whether an arc leads from a group to itself.
    pub(super) fn are_together(&self, arc: &GraphArc) -> bool {
        self.of(arc.caller) == self.of(arc.callee)
    }
}
