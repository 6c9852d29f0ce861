//! The time that is reached only through a node.
//!
//! Callers come before callees, so all callers of a node are in the dominator tree when it is
//! added: its dominator is their lowest common ancestor. Trees may be as deep as the graph is
//! large; each node has a second, longer link (Myers, *An applicative random-access stack*,
//! 1983), so that the common ancestor is found in logarithmic time.

use super::call_dag::{CallDag, NodeIndex};

/// A tree with a root above all nodes.
struct DominatorTree {
    above: Vec<NodeIndex>,
    far_above: Vec<NodeIndex>,
    depth: Vec<u32>,
}

/// For each node the ticks of all nodes that it dominates, including its own.
pub(super) fn dominated(dag: &CallDag, ticks: &[f64]) -> Vec<f64> {
    let root = NodeIndex::try_from(dag.n_nodes()).expect("nodes have numbers");
    let mut tree = DominatorTree::with_root(root);
    for &node in &dag.order {
        let dominator = if dag.is_entry(node) {
            root
        } else {
            dag.above(node)
                .reduce(|one, other| tree.common(one, other))
                .expect("what is no entry has something above it")
        };
        tree.hang(node, dominator);
    }
    let mut sums = ticks.to_vec();
    sums.push(0.0);
    for &node in dag.order.iter().rev() {
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
