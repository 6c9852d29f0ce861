//! Places functions by the arcs between them, busiest first.

use super::chains::{ArcEnd, Chains};
use super::links::Links;
use super::{OrderArc, OrderNode, OrderedFunctions};

/// Share of all calls that count as busy.
const BUSY_SHARE: f64 = 0.99;

/// Which arcs to place functions for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlacedArcs {
    All,
    Busiest,
}

/// The order so far.
#[derive(Debug)]
pub(super) struct Placement {
    chains: Chains,
    /// The nodes after those of the chains; they join only each other.
    links: Links,
    n_in_chains: usize,
    is_placed: Vec<bool>,
    is_arc_placed: Vec<bool>,
    n_calls: u64,
    order: Vec<OrderNode>,
}

impl Placement {
    /// An empty order.
    pub(super) fn new(nodes: &OrderedFunctions) -> Self {
        let OrderedFunctions { links, arcs, .. } = nodes;
        let n_nodes = nodes.n_functions + nodes.others.len();
        let n_in_chains = n_nodes - links.len();
        Self {
            chains: Chains::new(n_in_chains),
            links: Links::new(links.clone()),
            n_in_chains,
            is_placed: vec![false; n_nodes],
            is_arc_placed: vec![false; arcs.len()],
            n_calls: arcs.iter().fold(0, |sum, arc| arc.count.wrapping_add(sum)),
            order: Vec::new(),
        }
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.is_placed.len()
    }

    pub(super) fn is_placed(&self, node: OrderNode) -> bool {
        self.is_placed[node.0]
    }

    pub(super) fn set_placed(&mut self, node: OrderNode, is_placed: bool) {
        self.is_placed[node.0] = is_placed;
    }

    pub(super) fn set_arc_placed(&mut self, index: usize, is_placed: bool) {
        self.is_arc_placed[index] = is_placed;
    }

    pub(super) fn share(&self, n_calls: u64) -> f64 {
        n_calls as f64 / self.n_calls as f64
    }

    /// Places a node next.
    pub(super) fn put(&mut self, node: OrderNode) {
        self.order.push(node);
        self.is_placed[node.0] = true;
    }

    /// Places the marked nodes next.
    pub(super) fn put_marked(&mut self, nodes: impl IntoIterator<Item = OrderNode>) {
        for node in nodes {
            if self.is_placed(node) {
                self.put(node);
            }
        }
    }

    /// Places the remaining nodes next.
    pub(super) fn put_rest(&mut self, nodes: impl IntoIterator<Item = OrderNode>) {
        for node in nodes {
            if !self.is_placed(node) {
                self.put(node);
            }
        }
    }

    pub(super) fn into_order(self) -> Vec<OrderNode> {
        self.order
    }

    /// Joins the ends of arcs to chains, in the order of `indices`, and places the chains.
    /// Returns the arcs that could not be joined.
    pub(super) fn place(
        &mut self,
        arcs: &[OrderArc],
        indices: &[usize],
        extent: PlacedArcs,
    ) -> Vec<usize> {
        let mut left = Vec::new();
        let mut n_calls: u64 = 0;
        for &index in indices {
            let arc = &arcs[index];
            n_calls = n_calls.wrapping_add(arc.count);
            if self.is_arc_placed[index] {
                continue;
            }
            let is_rare = extent == PlacedArcs::Busiest && self.share(n_calls) > BUSY_SHARE;
            let has_place = self.is_placed(arc.caller) || self.is_placed(arc.callee);
            if is_rare || has_place || !self.join(arc, index) {
                left.push(index);
            }
        }
        for arc in indices.iter().map(|&index| &arcs[index]) {
            if self.is_without_place(arc) {
                for node in self.chain(arc.caller) {
                    self.put(node);
                }
            }
        }
        if extent == PlacedArcs::All {
            for arc in indices.iter().map(|&index| &arcs[index]) {
                if self.is_without_place(arc) {
                    self.put(arc.caller);
                }
            }
        }
        left
    }

    /// The chain of a node, in order; empty for a single node.
    fn chain(&self, node: OrderNode) -> Vec<OrderNode> {
        match node.0.checked_sub(self.n_in_chains) {
            None if self.chains.is_alone(node) => Vec::new(),
            None => self.chains.chain(node).collect(),
            Some(link) if self.links.is_alone(link) => Vec::new(),
            Some(link) => {
                let chain = self.links.chain(link).into_iter();
                chain.map(|link| OrderNode(self.n_in_chains + link)).collect()
            }
        }
    }

    fn is_without_place(&self, arc: &OrderArc) -> bool {
        !self.is_placed(arc.caller) && !self.is_placed(arc.callee)
    }

    /// Joins the chains of both ends if one of them is single. Returns false if the arc
    /// remains for later.
    fn join(&mut self, arc: &OrderArc, index: usize) -> bool {
        let (mut caller, mut callee) = (arc.caller, arc.callee);
        if caller.0 >= self.n_in_chains {
            let link = |node: OrderNode| node.0 - self.n_in_chains;
            let is_joined = self.links.join(link(caller), link(callee));
            self.is_arc_placed[index] |= is_joined;
            return is_joined;
        }
        if self.chains.is_alone(caller) {
            callee = self.chains.nearer_end(callee, ArcEnd::Callee);
        } else if self.chains.is_alone(callee) {
            caller = self.chains.nearer_end(caller, ArcEnd::Caller);
        } else {
            return false;
        }
        if self.chains.are_joined(caller, callee) {
            return false;
        }
        // Both are ends. The one with neighbours stays in place and takes the other to its free
        // side; if both or neither have neighbours, the caller stays.
        let is_callee_first = if self.chains.is_alone(caller) {
            !self.chains.is_alone(callee) && self.chains.is_last(callee)
        } else {
            !self.chains.is_last(caller)
        };
        if is_callee_first {
            self.chains.join(callee, caller);
        } else {
            self.chains.join(caller, callee);
        }
        self.is_arc_placed[index] = true;
        true
    }
}
