//! Who called for what: functions or addresses, and what flowed between them.

use super::amounts::Measure;
use super::edges::Edges;
use super::share::{Classes, classes};
use super::sites::Sites;
use super::sweep::{Flow, sweep};
use super::tree::{Levels, Tree};
use crate::analyze::Adjacency;
use crate::compat::words::Words;
use crate::model::ContextId;

/// An end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The outside, which calls the outermost functions.
    Start,
    /// A function or address, by its place among the vertices.
    Vertex(u32),
    Allocation,
}

/// What flowed from a caller to a callee.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub caller: Node,
    pub callee: Node,
    /// It was found to be part of a recursion.
    pub is_cyclic: bool,
    pub allocated: u64,
    /// The same by class of size.
    pub allocated_classes: Classes,
    /// What was not freed.
    pub unfreed: u64,
    /// The same by class of size.
    pub unfreed_classes: Classes,
}

#[derive(Clone, Debug)]
pub struct AllocationGraph {
    /// Functions and addresses in their order: for each a context in it.
    pub vertices: Box<[ContextId]>,
    edges: Box<[Edge]>,
    incoming: Adjacency,
    outgoing: Adjacency,
}

impl AllocationGraph {
    pub(super) fn new(levels: Levels, sites: &Sites<'_>, measure: Measure, words: Words) -> Self {
        let tree = Tree::new(levels, sites);
        let edges = Edges::of(sites, &tree);
        let flows = sweep(sites, &tree, &edges, measure);
        let vertices = Vertices::of(&edges);
        let edges = edges.ends.iter().zip(&flows);
        let edges: Box<[Edge]> = edges
            .map(|(ends, flow)| counted(*ends, flow, &vertices, words))
            .collect();
        let n_vertices = vertices.contexts.len();
        Self {
            incoming: by_end(n_vertices, edges.iter().map(|edge| edge.callee)),
            outgoing: by_end(n_vertices, edges.iter().map(|edge| edge.caller)),
            vertices: vertices.contexts.into(),
            edges,
        }
    }

    /// The edges to a node, in the order in which stacks, by address, mention them.
    pub fn incoming(&self, node: Node) -> impl ExactSizeIterator<Item = &Edge> {
        let edges = self.incoming.of(self.slot(node)).iter();
        edges.map(|&edge| &self.edges[edge as usize])
    }

    /// The edges from a node, in the same order.
    pub fn outgoing(&self, node: Node) -> impl ExactSizeIterator<Item = &Edge> {
        let edges = self.outgoing.of(self.slot(node)).iter();
        edges.map(|&edge| &self.edges[edge as usize])
    }

    /// The edge from a node at a place in that order.
    pub(super) fn nth_outgoing(&self, node: Node, index: usize) -> Option<&Edge> {
        let edge = *self.outgoing.of(self.slot(node)).get(index)?;
        Some(&self.edges[edge as usize])
    }

    fn slot(&self, node: Node) -> usize {
        slot(node, self.vertices.len())
    }
}

/// The vertices that stacks with allocations have, numbered in their order.
struct Vertices {
    contexts: Vec<ContextId>,
    /// The number of each of all vertices; none of those without allocations is used.
    numbers: Vec<u32>,
}

impl Vertices {
    fn of(edges: &Edges) -> Self {
        let mut contexts = Vec::new();
        let mut n_vertices = 0;
        let numbers = edges.vertices.iter().map(|&context| {
            let number = n_vertices;
            n_vertices += u32::from(context.is_some());
            contexts.extend(context);
            number
        });
        Self {
            numbers: numbers.collect(),
            contexts,
        }
    }

    fn number(&self, node: Node) -> Node {
        match node {
            Node::Vertex(vertex) => Node::Vertex(self.numbers[vertex as usize]),
            other => other,
        }
    }
}

fn counted(ends: (Node, Node), flow: &Flow, vertices: &Vertices, words: Words) -> Edge {
    let by_class = flow.amounts.allocated.map(|amount| words.cut(amount));
    let unfreed_by_class = flow.amounts.unfreed(words);
    let (allocated, unfreed) = (words.sum(by_class), words.sum(unfreed_by_class));
    Edge {
        caller: vertices.number(ends.0),
        callee: vertices.number(ends.1),
        is_cyclic: flow.is_cyclic,
        allocated,
        allocated_classes: classes(by_class, allocated),
        unfreed,
        unfreed_classes: classes(unfreed_by_class, unfreed),
    }
}

/// Edges by one of their ends, those of one node in their order.
fn by_end(n_vertices: usize, ends: impl Iterator<Item = Node> + Clone) -> Adjacency {
    // The two nodes that are no vertices stand behind the others.
    Adjacency::new(n_vertices + 2, ends.map(|end| Some(slot(end, n_vertices))))
}

fn slot(node: Node, n_vertices: usize) -> usize {
    match node {
        Node::Vertex(vertex) => vertex as usize,
        Node::Start => n_vertices,
        Node::Allocation => n_vertices + 1,
    }
}
