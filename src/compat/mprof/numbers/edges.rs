//! The edges that stacks with allocations have.

use super::amounts::Amounts;
use super::graph::Node;
use super::sites::Sites;
use crate::model::{ContextId, Interner};

const NONE: u32 = u32::MAX;

/// An edge in the making.
pub(super) struct RawEdge {
    pub(super) caller: Node,
    pub(super) callee: Node,
    pub(super) is_cyclic: bool,
    pub(super) amounts: Amounts,
}

/// All edges, in the order in which stacks mention them, read from the allocation
/// outwards and taken by their addresses.
pub(super) struct Edges {
    pub(super) table: Vec<RawEdge>,
    /// For each vertex the first context in it, where there is one.
    pub(super) vertices: Vec<Option<ContextId>>,
    indices: Interner<(Node, Node)>,
    /// The edge from the caller of each context, if anything was allocated there or
    /// in what it called.
    of_contexts: Vec<u32>,
}

impl Edges {
    pub(super) fn of(sites: &Sites<'_>) -> Self {
        let mut edges = Self {
            table: Vec::new(),
            vertices: vec![None; sites.n_vertices],
            indices: Interner::default(),
            of_contexts: vec![NONE; sites.contexts.len()],
        };
        for &id in sites.by_address.iter().filter(|&&id| sites.has_data(id)) {
            edges.index(Node::Vertex(sites.node(id)), Node::Allocation);
            edges.add_callers(id, sites);
        }
        edges
    }

    /// Adds the edges from a context outwards, up to one that was there before.
    fn add_callers(&mut self, leaf: ContextId, sites: &Sites<'_>) {
        let mut next = Some(leaf);
        while let Some(id) = next
            && self.of_contexts[id.index()] == NONE
        {
            self.vertices[sites.node(id) as usize].get_or_insert(id);
            next = sites.contexts[id.index()].caller;
            let caller = next.map_or(Node::Start, |id| Node::Vertex(sites.node(id)));
            let index = self.index(caller, Node::Vertex(sites.node(id)));
            self.of_contexts[id.index()] = index;
        }
    }

    /// The edge between two nodes.
    pub(super) fn between(&mut self, caller: Node, callee: Node) -> &mut RawEdge {
        let index = self.index(caller, callee);
        &mut self.table[index as usize]
    }

    /// The edge from the caller of a context in which something was allocated.
    pub(super) fn above(&mut self, id: ContextId) -> &mut RawEdge {
        &mut self.table[self.of_contexts[id.index()] as usize]
    }

    fn index(&mut self, caller: Node, callee: Node) -> u32 {
        let index = self.indices.number((caller, callee));
        if index as usize == self.table.len() {
            self.table.push(RawEdge {
                caller,
                callee,
                is_cyclic: false,
                amounts: Amounts::default(),
            });
        }
        index
    }

    /// Where the edge from the caller of a context stands.
    pub(super) fn of_context(&self, id: ContextId) -> Option<u32> {
        Some(self.of_contexts[id.index()]).filter(|&index| index != NONE)
    }
}
