//! Call trees from the innermost functions: each with its self cost, and its callers below it.

use super::call_tree::{CallTree, TreeFrame};
use crate::model::Interner;

/// Callers of one function are followed to this depth: stacks of deep recursion have as many
/// frames below each of their frames.
const MAX_DEPTH: usize = 256;

/// Number of frames from which stacks get no further ones.
const MAX_FRAMES: usize = 1 << 20;

impl CallTree {
    /// The stacks from their innermost functions outwards. The cost of each stack is the self cost
    /// of its outermost function. Takes frames times depth, with a limit for both.
    #[must_use]
    pub fn from_callees(self) -> Self {
        let mut frames: Vec<TreeFrame> = Vec::new();
        let mut known = Interner::default();
        let mut lacks_callers = self.lacks_callers;
        let mut other_costs: Vec<_> =
            self.other_costs.iter().map(|(metric, _)| (*metric, Vec::new())).collect();
        for (index, innermost) in self.frames.iter().enumerate() {
            let mut others = self.other_costs.iter();
            if innermost.self_cost.is_zero() && others.all(|(_, costs)| costs[index] == 0) {
                continue;
            }
            let callers = |frame: &&TreeFrame| Some(&self.frames[frame.caller? as usize]);
            let mut last = None;
            for (depth, frame) in std::iter::successors(Some(innermost), callers).enumerate() {
                if depth == MAX_DEPTH || depth > 0 && frames.len() >= MAX_FRAMES {
                    lacks_callers = true;
                    break;
                }
                let self_cost = innermost.self_cost.less(innermost.self_cost);
                let (caller, of) = (last, frame.of);
                let new = || TreeFrame { caller, of, arc: None, self_cost, is_moved: true };
                last = Some(known.find((caller, of), &mut frames, new));
            }
            let Some(last) = last else { continue };
            let sum = &mut frames[last as usize].self_cost;
            *sum = sum.plus(innermost.self_cost);
            for ((_, sums), (_, costs)) in other_costs.iter_mut().zip(&self.other_costs) {
                sums.resize(frames.len(), 0);
                sums[last as usize] += costs[index];
            }
        }
        other_costs.iter_mut().for_each(|(_, costs)| costs.resize(frames.len(), 0));
        Self {
            other_costs,
            lacks_callers,
            begins_with_callees: true,
            ..Self::new(frames, self.basis)
        }
    }
}
