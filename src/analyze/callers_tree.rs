//! Call trees from the innermost functions: each with its self cost, and its callers below it.

use super::call_tree::{CallTree, TreeFrame};
use super::regrown_tree::RegrownTree;
use crate::limits::{DEEPEST, MOST_LISTED};

impl CallTree {
    /// The stacks from their innermost functions outwards. The cost of each stack is the self cost
    /// of its outermost function. Takes frames times depth, with a limit for both: the limit of
    /// frames grows with the tree.
    #[must_use]
    pub fn from_callees(self) -> Self {
        let mut tree = RegrownTree::of(&self);
        let mut lacks_callers = self.lacks_callers;
        let most = self.frames.len().max(MOST_LISTED / 4);
        for (index, innermost) in self.frames.iter().enumerate() {
            if !tree.has_cost(index) {
                continue;
            }
            let callers = |frame: &&TreeFrame| Some(&self.frames[frame.caller? as usize]);
            let mut last = None;
            for (depth, frame) in std::iter::successors(Some(innermost), callers).enumerate() {
                if depth == DEEPEST || depth > 0 && tree.frames.len() >= most {
                    lacks_callers = true;
                    break;
                }
                last = Some(tree.find(TreeFrame {
                    caller: last,
                    arc: None,
                    is_moved: true,
                    self_cost: innermost.self_cost,
                    ..*frame
                }));
            }
            if let Some(last) = last {
                tree.add_costs(last, index);
            }
        }
        let (begins_with_callees, lacks_zero_cost_calls) = (true, false);
        Self { lacks_callers, begins_with_callees, lacks_zero_cost_calls, ..tree.finish() }
    }
}
