//! The counted calls without cycles: a cycle is a node with its members below it, and calls
//! among them are omitted.

use crate::analyze::adjacency::Adjacency;
use crate::analyze::call_graph::CallGraph;
use crate::analyze::cycles::{CycleNumber, Topology};
use crate::symbols::SymbolId;

/// The index of a function, or after all of them, of a cycle.
pub(super) type NodeIndex = u32;

#[derive(Debug)]
pub(super) struct CallDag {
    /// Callers before callees.
    pub(super) order: Vec<NodeIndex>,
    /// Callers of each node, or its cycle.
    above: DagEdges,
    is_entry: Vec<bool>,
    cycle_of: Box<[Option<CycleNumber>]>,
    n_functions: usize,
}

/// Nodes at the other ends of edges.
#[derive(Debug)]
struct DagEdges {
    by_node: Adjacency,
    ends: Vec<NodeIndex>,
}

impl CallDag {
    pub(super) fn new(calls: &CallGraph, topology: &Topology) -> Self {
        let n_functions = calls.n_symbols();
        let n_nodes = n_functions + topology.cycles.len();
        let mut dag = Self {
            order: Vec::with_capacity(n_nodes),
            above: DagEdges { by_node: Adjacency::default(), ends: Vec::new() },
            is_entry: vec![false; n_nodes],
            cycle_of: topology.cycle_of.clone(),
            n_functions,
        };
        let mut keys = Vec::new();
        for (number, cycle) in (1..).map(CycleNumber).zip(&topology.cycles) {
            for member in &cycle.members {
                keys.push(Some(member.index()));
                dag.above.ends.push(dag.cycle(number));
            }
        }
        for arc in calls.arcs() {
            if arc.count > 0 && !topology.are_together(arc.caller, arc.callee) {
                keys.push(Some(dag.target(arc.callee) as usize));
                dag.above.ends.push(arc.caller.0);
            }
        }
        dag.above.by_node = Adjacency::new(n_nodes, keys.into_iter());
        for (id, &n_calls) in (0..).map(SymbolId).zip(&calls.calls_from_outside) {
            if n_calls > 0 {
                let target = dag.target(id);
                dag.is_entry[target as usize] = true;
            }
        }
        let mut last_cycle = None;
        for &id in topology.bottom_up.iter().rev() {
            let cycle = dag.cycle_of[id.index()];
            if let Some(cycle) = cycle.filter(|_| cycle != last_cycle) {
                dag.order.push(dag.cycle(cycle));
            }
            last_cycle = cycle;
            dag.order.push(id.0);
        }
        dag
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.is_entry.len()
    }

    pub(super) fn cycle(&self, cycle: CycleNumber) -> NodeIndex {
        let index = self.n_functions + cycle.index();
        NodeIndex::try_from(index).expect("there are no more cycles than functions by two")
    }

    /// The node of a callee: the function, or its cycle.
    pub(super) fn target(&self, callee: SymbolId) -> NodeIndex {
        match self.cycle_of[callee.index()] {
            Some(cycle) => self.cycle(cycle),
            None => callee.0,
        }
    }

    /// The callers of a node, possibly repeated.
    pub(super) fn above(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let edges = self.above.by_node.of(node as usize).iter();
        edges.map(|&edge| self.above.ends[edge as usize])
    }

    /// Returns whether a node was called from outside the graph, as far as known.
    pub(super) fn is_entry(&self, node: NodeIndex) -> bool {
        self.is_entry[node as usize] || self.above.by_node.of(node as usize).is_empty()
    }

    /// Number of different callers of a node.
    pub(super) fn n_ways_into(&self, node: NodeIndex) -> usize {
        let n_edges = self.above.by_node.of(node as usize).len();
        n_edges + usize::from(self.is_entry[node as usize])
    }
}
