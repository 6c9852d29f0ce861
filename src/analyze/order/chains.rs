//! Chains of nodes that call each other often.
//!
//! Chains are joined at their ends. Each node knows its chain and its position; a join
//! renumbers the shorter chain, so all joins together take n log n.

use std::cmp::Ordering;

use super::OrderNode;

/// The end of an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArcEnd {
    Caller,
    Callee,
}

/// A chain, which grows in both directions from its first node.
#[derive(Clone, Debug, Default)]
struct ArcChain {
    /// The first node and those after it. Empty after the chain was joined to another.
    up: Vec<OrderNode>,
    /// The nodes before it, nearest first.
    down: Vec<OrderNode>,
}

impl ArcChain {
    fn len(&self) -> usize {
        self.up.len() + self.down.len()
    }

    fn first(&self) -> OrderNode {
        self.down.last().copied().unwrap_or_else(|| self.up[0])
    }

    fn last(&self) -> OrderNode {
        self.up[self.up.len() - 1]
    }

    fn nodes(&self) -> impl DoubleEndedIterator<Item = OrderNode> {
        let down = self.down.iter().rev();
        down.chain(&self.up).copied()
    }
}

/// All nodes, initially without neighbours.
#[derive(Debug)]
pub(super) struct Chains {
    chains: Vec<ArcChain>,
    /// Chain and position of each node: 0 is the first of `up`, -1 the first of `down`.
    places: Vec<(usize, isize)>,
}

impl Chains {
    pub(super) fn new(n_nodes: usize) -> Self {
        Self {
            chains: (0..n_nodes)
                .map(|node| ArcChain { up: vec![OrderNode(node)], down: Vec::new() })
                .collect(),
            places: (0..n_nodes).map(|node| (node, 0)).collect(),
        }
    }

    fn chain_of(&self, node: OrderNode) -> &ArcChain {
        &self.chains[self.places[node.0].0]
    }

    /// Returns whether the node has no neighbours.
    pub(super) fn is_alone(&self, node: OrderNode) -> bool {
        self.chain_of(node).len() == 1
    }

    pub(super) fn is_first(&self, node: OrderNode) -> bool {
        self.chain_of(node).first() == node
    }

    pub(super) fn is_last(&self, node: OrderNode) -> bool {
        self.chain_of(node).last() == node
    }

    pub(super) fn are_joined(&self, a: OrderNode, b: OrderNode) -> bool {
        self.places[a.0].0 == self.places[b.0].0
    }

    /// The nearer end of the node's chain; if equally near, the last node for a caller and
    /// the first for a callee.
    pub(super) fn nearer_end(&self, node: OrderNode, role: ArcEnd) -> OrderNode {
        let (_, place) = self.places[node.0];
        let chain = self.chain_of(node);
        let n_before = place + chain.down.len().cast_signed();
        let n_behind = chain.up.len().cast_signed() - 1 - place;
        match n_before.cmp(&n_behind) {
            Ordering::Less => chain.first(),
            Ordering::Greater => chain.last(),
            Ordering::Equal if role == ArcEnd::Callee => chain.first(),
            Ordering::Equal => chain.last(),
        }
    }

    /// The chain of a node, in order.
    pub(super) fn chain(&self, node: OrderNode) -> impl Iterator<Item = OrderNode> {
        self.chain_of(node).nodes()
    }

    /// Appends the chain that starts with `second` to the one that ends with `first`.
    pub(super) fn join(&mut self, first: OrderNode, second: OrderNode) {
        debug_assert!(
            self.is_last(first) && self.is_first(second) && !self.are_joined(first, second)
        );
        let (before, behind) = (self.places[first.0].0, self.places[second.0].0);
        if self.chains[before].len() >= self.chains[behind].len() {
            let moved = std::mem::take(&mut self.chains[behind]);
            for node in moved.nodes() {
                let up = &mut self.chains[before].up;
                self.places[node.0] = (before, up.len().cast_signed());
                up.push(node);
            }
        } else {
            let moved = std::mem::take(&mut self.chains[before]);
            for node in moved.nodes().rev() {
                let down = &mut self.chains[behind].down;
                down.push(node);
                self.places[node.0] = (behind, -down.len().cast_signed());
            }
        }
    }
}
