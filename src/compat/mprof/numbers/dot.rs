//! The edges of the call graph in the order of its drawing.

use super::graph::{AllocationGraph, Edge, Node};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    Allocations,
    /// What was not freed. Edges without are left out.
    Leaks,
}

impl Drawing {
    /// The number of an edge, where it is drawn.
    pub fn amount(self, edge: &Edge) -> Option<u64> {
        match self {
            Self::Allocations => Some(edge.allocated),
            Self::Leaks => Some(edge.unfreed).filter(|&amount| amount > 0),
        }
    }
}

impl AllocationGraph {
    /// All edges that can be reached from outside, depth first, each where it is met
    /// for the first time.
    pub fn depth_first(&self) -> impl Iterator<Item = &Edge> {
        let mut n_met = vec![0; self.vertices.len()];
        let mut n_starts_met = 0;
        let mut path = vec![Node::Start];
        std::iter::from_fn(move || {
            while let Some(&node) = path.last() {
                let n_met = match node {
                    Node::Start => &mut n_starts_met,
                    Node::Vertex(vertex) => &mut n_met[vertex as usize],
                    Node::Allocation => {
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
