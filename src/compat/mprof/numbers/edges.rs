//! The edges that stacks with allocations have.

use super::graph::Node;
use super::sites::{Sites, VertexId};
use super::tree::{NONE, Tree};
use crate::model::{ContextId, Interner};

/// All edges, in the order in which stacks mention them, read from the allocation
/// outwards and taken by their addresses.
pub(super) struct Edges {
    pub(super) ends: Vec<(Node, Node)>,
    /// For each vertex the first context in it, where there is one.
    pub(super) vertices: Vec<Option<ContextId>>,
    /// The edges by their ends, these in one number.
    indices: Interner<u64>,
    /// The edge from the caller of the context in each place of the tree, if anything was
    /// allocated there or in what it called.
    of_places: Vec<u32>,
    of_allocations: Vec<u32>,
}

impl Edges {
    pub(super) fn of(sites: &Sites<'_>, tree: &Tree) -> Self {
        let mut edges = Self {
            ends: Vec::new(),
            vertices: vec![None; sites.n_vertices],
            indices: Interner::default(),
            of_places: vec![NONE; sites.contexts.len()],
            of_allocations: vec![NONE; sites.n_vertices],
        };
        for &id in sites.by_address.iter().filter(|&&id| sites.has_data(id)) {
            let place = tree.places[id.index()];
            let vertex = tree.branches[place as usize].vertex;
            if edges.of_allocations[vertex as usize] == NONE {
                let edge = edges.index(Node::Vertex(vertex), Node::Allocation);
                edges.of_allocations[vertex as usize] = edge;
            }
            edges.add_callers(place, tree);
        }
        edges
    }

    /// Adds the edges from a context outwards, up to one that was there before.
    fn add_callers(&mut self, leaf: u32, tree: &Tree) {
        let mut place = leaf as usize;
        while let Some(branch) = tree.branches.get(place)
            && self.of_places[place] == NONE
        {
            self.vertices[branch.vertex as usize].get_or_insert(branch.context);
            let above = tree.branches.get(branch.caller as usize);
            let caller = above.map_or(Node::Start, |above| Node::Vertex(above.vertex));
            self.of_places[place] = self.index(caller, Node::Vertex(branch.vertex));
            place = branch.caller as usize;
        }
    }

    pub(super) fn of_allocation(&self, vertex: VertexId) -> usize {
        self.of_allocations[vertex as usize] as usize
    }

    /// The edge from the caller of the context in a place in which, or below which,
    /// something was allocated.
    pub(super) fn above(&self, place: u32) -> usize {
        self.of_places[place as usize] as usize
    }

    /// Whether anything was allocated in the context in a place, or in what it called.
    pub(super) fn is_used(&self, place: u32) -> bool {
        self.of_places[place as usize] != NONE
    }

    fn index(&mut self, caller: Node, callee: Node) -> u32 {
        let key = u64::from(number(caller)) << 32 | u64::from(number(callee));
        let index = self.indices.number(key);
        if index as usize == self.ends.len() {
            self.ends.push((caller, callee));
        }
        index
    }
}

/// A number for every node. No vertex has those of the other two: a file with so many
/// symbols and call sites would be larger than any memory.
fn number(node: Node) -> u32 {
    match node {
        Node::Vertex(vertex) => vertex,
        Node::Start => u32::MAX,
        Node::Allocation => u32::MAX - 1,
    }
}
