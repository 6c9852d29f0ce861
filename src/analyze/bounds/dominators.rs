//! The time that is reached only through a node.
//!
//! Callers come before callees, so all callers of a node are in the dominator tree when it is
//! added: its dominator is their lowest common ancestor. Members of a cycle call each other, and
//! `cycle_search` finds an order for them. Trees may be as deep as the graph is
//! large; each node has a second, longer link (Myers, *An applicative random-access stack*,
//! 1983), so that the common ancestor is found in logarithmic time.

use super::call_dag::{CallDag, NodeIndex};
use super::cycle_search::{CYCLE, CycleSearch};
use crate::analyze::call_graph::CallGraph;
use crate::analyze::cycles::Topology;

/// A tree with a root above all nodes.
struct DominatorTree {
    above: Vec<NodeIndex>,
    far_above: Vec<NodeIndex>,
    depth: Vec<u32>,
}

/// For each node the ticks of all nodes that it dominates, including its own. A cycle dominates its
/// members, and a member those that are reached only through it.
pub(super) fn dominated(
    dag: &CallDag,
    calls: &CallGraph,
    topology: &Topology,
    ticks: impl Iterator<Item = f64>,
) -> Vec<f64> {
    let root = NodeIndex::try_from(dag.n_nodes()).expect("nodes have numbers");
    let mut tree = DominatorTree::with_root(root);
    let mut cycles = CycleSearch::new(calls, topology);
    let mut order = Vec::with_capacity(dag.n_nodes());
    let is_member = |node: NodeIndex| {
        let cycle = topology.cycle_of.get(node as usize);
        cycle.is_some_and(Option::is_some)
    };
    // Members follow their cycle.
    for &node in dag.order.iter().filter(|&&node| !is_member(node)) {
        let dominator = if dag.is_entry(node) {
            root
        } else {
            dag.above(node)
                .reduce(|one, other| tree.common(one, other))
                .expect("what is no entry has something above it")
        };
        tree.hang(node, dominator);
        order.push(node);
        let Some(cycle) = (node as usize).checked_sub(calls.n_symbols()) else {
            continue;
        };
        let visits = cycles.visit(&topology.cycles[cycle].members);
        for visit in &visits {
            let node_of = |number: usize| match number {
                CYCLE => node,
                number => visits[number - 1].member.0,
            };
            let (caller, semidominator) = (node_of(visit.caller), node_of(visit.semidominator));
            tree.hang(visit.member.0, tree.common(caller, semidominator));
            order.push(visit.member.0);
        }
    }
    let mut sums: Vec<f64> = ticks.collect();
    sums.resize(root as usize + 1, 0.0);
    for &node in order.iter().rev() {
        sums[tree.above[node as usize] as usize] += sums[node as usize];
    }
    sums.pop();
    sums
}

impl DominatorTree {
    fn with_root(root: NodeIndex) -> Self {
        let n_nodes = root as usize + 1;
        Self { above: vec![root; n_nodes], far_above: vec![root; n_nodes], depth: vec![0; n_nodes] }
    }

    fn hang(&mut self, node: NodeIndex, above: NodeIndex) {
        let depth = |node: NodeIndex| self.depth[node as usize];
        let far = self.far_above[above as usize];
        let farther = self.far_above[far as usize];
        let is_even = depth(above) - depth(far) == depth(far) - depth(farther);
        let node = node as usize;
        self.far_above[node] = if is_even { farther } else { above };
        self.depth[node] = depth(above) + 1;
        self.above[node] = above;
    }

    /// The lowest common ancestor.
    fn common(&self, one: NodeIndex, other: NodeIndex) -> NodeIndex {
        let depth = |node: NodeIndex| self.depth[node as usize];
        let (mut low, mut high) =
            if depth(one) > depth(other) { (one, other) } else { (other, one) };
        while depth(low) > depth(high) {
            let far = self.far_above[low as usize];
            low = if depth(far) >= depth(high) { far } else { self.above[low as usize] };
        }
        while low != high {
            // Nodes of one depth have those further up at one depth too.
            let (low_far, high_far) = (self.far_above[low as usize], self.far_above[high as usize]);
            (low, high) = if low_far == high_far {
                (self.above[low as usize], self.above[high as usize])
            } else {
                (low_far, high_far)
            };
        }
        low
    }
}
