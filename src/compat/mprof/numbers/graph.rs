//! Calls between functions or addresses, with allocated amounts.

use super::amounts::{ClassedAmount, TableMeasure, classes};
use super::leaders::leaders_of_flows;
use super::sites::{ContextSites, VertexId};
use super::sweep::{EdgeFlow, sweep};
use super::tree::{Branch, ContextTree, NONE};
use crate::analyze::Adjacency;
use crate::compat::words::MachineWords;
use crate::model::{ContextId, Interner};

/// An end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeEnd {
    /// The caller of the outermost functions.
    Start,
    /// A function or address, by index of its vertex.
    Vertex(u32),
    Allocation,
}

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
    // The two pseudo-nodes follow the vertices.
    Adjacency::new(n_vertices + 2, ends.map(|end| Some(slot(end, n_vertices))))
}

fn slot(node: EdgeEnd, n_vertices: usize) -> usize {
    match node {
        EdgeEnd::Vertex(vertex) => vertex as usize,
        EdgeEnd::Start => n_vertices,
        EdgeEnd::Allocation => n_vertices + 1,
    }
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

/// All edges, in the order in which stacks contain them, read from the allocation outwards,
/// by address.
pub(super) struct StackEdges {
    pub(super) ends: Vec<(EdgeEnd, EdgeEnd)>,
    /// For each vertex its first context, if any.
    pub(super) vertices: Vec<Option<ContextId>>,
    /// Edges by both ends, as one number.
    indices: Interner<u64>,
    /// For each context of the tree the edge from its caller, if blocks were allocated in it
    /// or below.
    of_places: Vec<u32>,
    of_allocations: Vec<u32>,
}

impl StackEdges {
    pub(super) fn of(sites: &ContextSites<'_>, tree: &ContextTree) -> Self {
        let mut edges = Self {
            ends: Vec::new(),
            vertices: vec![None; sites.n_vertices],
            indices: Interner::default(),
            of_places: vec![NONE; sites.contexts.len()],
            of_allocations: vec![NONE; sites.n_vertices],
        };
        for id in &sites.by_address {
            let place = tree.places[id.index()];
            let Branch { vertex, leads, .. } = tree.branches[place as usize];
            if !leads {
                continue;
            }
            if edges.of_allocations[vertex as usize] == NONE {
                let edge = edges.index(EdgeEnd::Vertex(vertex), EdgeEnd::Allocation);
                edges.of_allocations[vertex as usize] = edge;
            }
            edges.add_callers(place, tree);
        }
        edges
    }

    /// Adds the edges from a context outwards, up to the first known one.
    fn add_callers(&mut self, leaf: u32, tree: &ContextTree) {
        let mut place = leaf as usize;
        while let Some(branch) = tree.branches.get(place)
            && self.of_places[place] == NONE
        {
            self.vertices[branch.vertex as usize].get_or_insert(branch.context);
            let above = tree.branches.get(branch.caller as usize);
            let caller = above.map_or(EdgeEnd::Start, |above| EdgeEnd::Vertex(above.vertex));
            self.of_places[place] = self.index(caller, EdgeEnd::Vertex(branch.vertex));
            place = branch.caller as usize;
        }
    }

    pub(super) fn of_allocation(&self, vertex: VertexId) -> usize {
        self.of_allocations[vertex as usize] as usize
    }

    /// The edge from the caller of a context with allocations in it or below.
    pub(super) fn above(&self, place: u32) -> usize {
        self.of_places[place as usize] as usize
    }

    /// Returns whether blocks were allocated in a context or below.
    pub(super) fn is_used(&self, place: u32) -> bool {
        self.of_places[place as usize] != NONE
    }

    fn index(&mut self, caller: EdgeEnd, callee: EdgeEnd) -> u32 {
        let [caller_slot, callee_slot] =
            [caller, callee].map(|end| slot(end, self.vertices.len()) as u64);
        let key = caller_slot << 32 | callee_slot;
        let index = self.indices.number(key);
        if index as usize == self.ends.len() {
            self.ends.push((caller, callee));
        }
        index
    }
}
