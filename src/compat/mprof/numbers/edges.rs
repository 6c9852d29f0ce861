//! The edges of the call graph.

use super::sites::{ContextSites, VertexId};
use super::tree::{Branch, ContextTree, NONE};
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

/// The position of a node; the two pseudo-nodes follow the vertices.
pub(super) fn slot(node: EdgeEnd, n_vertices: usize) -> usize {
    match node {
        EdgeEnd::Vertex(vertex) => vertex as usize,
        EdgeEnd::Start => n_vertices,
        EdgeEnd::Allocation => n_vertices + 1,
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
        self.indices.find(key, &mut self.ends, || (caller, callee))
    }
}
