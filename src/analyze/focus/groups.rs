//! What costs are shared out for: functions with all their lines, and cycles.

use crate::analyze::adjacency::Adjacency;
use crate::analyze::call_graph::{CallGraph, GraphArc};
use crate::analyze::cycles::{Topology, find_cycles};
use crate::symbols::SymbolId;

/// The symbols of each function, or of all functions of a cycle, as one group. Numbers
/// rise from callees to callers.
pub(super) struct Groups {
    of: Box<[u32]>,
    members: Adjacency,
    are_cycles: Vec<bool>,
}

impl Groups {
    /// The groups of a graph whose cycles are known; `function_of` is the symbol that
    /// stands for the function which a symbol is a part of.
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
        for &id in topology
            .bottom_up
            .iter()
            .filter(|&&id| function_of(id) == id)
        {
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
        Self {
            members: Adjacency::new(are_cycles.len(), keys),
            of: of.into(),
            are_cycles,
        }
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

    /// Whether a call leads from a group to itself.
    pub(super) fn are_together(&self, arc: &GraphArc) -> bool {
        self.of(arc.caller) == self.of(arc.callee)
    }
}
