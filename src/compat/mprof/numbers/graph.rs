//! Calls between functions or addresses, with allocated amounts.

use super::amounts::{ClassedAmount, TableMeasure, classes};
use super::edges::{EdgeEnd, StackEdges, slot};
use super::leaders::leaders_of_flows;
use super::sites::ContextSites;
use super::sweep::{EdgeFlow, sweep};
use super::tree::ContextTree;
use crate::analyze::Adjacency;
use crate::compat::words::MachineWords;
use crate::model::ContextId;

/// Amounts along a call.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub caller: EdgeEnd,
    pub callee: EdgeEnd,
    /// Part of a recursion.
    pub is_cyclic: bool,
    pub allocated: ClassedAmount,
    /// Not freed.
    pub unfreed: ClassedAmount,
}

#[derive(Clone, Debug)]
pub struct AllocationGraph {
    /// Functions and addresses in order, each by one of its contexts.
    pub vertices: Box<[ContextId]>,
    edges: Box<[Edge]>,
    incoming: Adjacency,
    outgoing: Adjacency,
}

impl AllocationGraph {
    pub(super) fn new(
        sites: &ContextSites<'_>,
        measure: TableMeasure,
        words: MachineWords,
    ) -> Self {
        let leaders = leaders_of_flows(sites);
        let tree = ContextTree::new(sites, &leaders);
        let edges = StackEdges::of(sites, &tree);
        let flows = sweep(sites, &tree, &edges, &leaders, measure);
        // Contexts on stacks with allocations, numbered in their order.
        let mut vertices = Vec::new();
        let mut n_vertices = 0;
        let numbers = edges.vertices.iter().map(|&context| {
            let number = n_vertices;
            n_vertices += u32::from(context.is_some());
            vertices.extend(context);
            number
        });
        let numbers: Vec<u32> = numbers.collect();
        let edges = edges.ends.iter().zip(&flows);
        let edges: Box<[Edge]> =
            edges.map(|(ends, flow)| counted(*ends, flow, &numbers, words)).collect();
        let n_vertices = vertices.len();
        Self {
            incoming: by_end(n_vertices, edges.iter().map(|edge| edge.callee)),
            outgoing: by_end(n_vertices, edges.iter().map(|edge| edge.caller)),
            vertices: vertices.into(),
            edges,
        }
    }

    /// The edges to a node, in the order in which stacks (by address) contain them.
    pub fn incoming(&self, node: EdgeEnd) -> impl ExactSizeIterator<Item = &Edge> {
        let edges = self.incoming.of(self.slot(node)).iter();
        edges.map(|&edge| &self.edges[edge as usize])
    }

    /// The edges from a node, in the same order.
    pub fn outgoing(&self, node: EdgeEnd) -> impl ExactSizeIterator<Item = &Edge> {
        let edges = self.outgoing.of(self.slot(node)).iter();
        edges.map(|&edge| &self.edges[edge as usize])
    }

    /// The edge from a node at an index in that order.
    pub(super) fn nth_outgoing(&self, node: EdgeEnd, index: usize) -> Option<&Edge> {
        let edge = *self.outgoing.of(self.slot(node)).get(index)?;
        Some(&self.edges[edge as usize])
    }

    fn slot(&self, node: EdgeEnd) -> usize {
        slot(node, self.vertices.len())
    }
}

/// An edge between vertices with these numbers.
fn counted(
    ends: (EdgeEnd, EdgeEnd),
    flow: &EdgeFlow,
    numbers: &[u32],
    words: MachineWords,
) -> Edge {
    let number = |node| match node {
        EdgeEnd::Vertex(vertex) => EdgeEnd::Vertex(numbers[vertex as usize]),
        other => other,
    };
    let classed = |by_class: [u64; 4]| {
        let amount = words.sum(by_class);
        ClassedAmount { amount, percent: None, classes: classes(by_class, amount) }
    };
    Edge {
        caller: number(ends.0),
        callee: number(ends.1),
        is_cyclic: flow.is_cyclic,
        allocated: classed(flow.amounts.allocated.map(|amount| words.cut(amount))),
        unfreed: classed(flow.amounts.unfreed(words)),
    }
}

/// Edges by one of their ends, in order.
fn by_end(n_vertices: usize, ends: impl Iterator<Item = EdgeEnd> + Clone) -> Adjacency {
    Adjacency::new(n_vertices + 2, ends.map(|end| Some(slot(end, n_vertices))))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drawing {
    #[default]
    Allocations,
    /// Unfreed amounts. Omits edges without.
    Leaks,
}

impl Drawing {
    /// The number drawn at an edge, if it is drawn.
    pub fn amount(self, edge: &Edge) -> Option<u64> {
        match self {
            Self::Allocations => Some(edge.allocated.amount),
            Self::Leaks => Some(edge.unfreed.amount).filter(|&amount| amount > 0),
        }
    }
}

impl AllocationGraph {
    /// All edges reachable from outside, depth first, each once.
    pub fn depth_first(&self) -> impl Iterator<Item = &Edge> {
        let mut n_met = vec![0; self.vertices.len()];
        let mut n_starts_met = 0;
        let mut path = vec![EdgeEnd::Start];
        std::iter::from_fn(move || {
            while let Some(&node) = path.last() {
                let n_met = match node {
                    EdgeEnd::Start => &mut n_starts_met,
                    EdgeEnd::Vertex(vertex) => &mut n_met[vertex as usize],
                    EdgeEnd::Allocation => {
                        path.pop();
                        continue;
                    }
                };
                if let Some(edge) = self.nth_outgoing(node, *n_met) {
                    *n_met += 1;
                    path.push(edge.callee);
                    return Some(edge);
                }
                path.pop();
            }
            None
        })
    }
}
