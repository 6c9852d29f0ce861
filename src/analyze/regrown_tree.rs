//! Makes a call tree of the frames of another one.

use super::call_tree::{CallTree, FrameOf, TreeFrame};
use crate::model::Interner;
use crate::report::MetricIndex;

/// The new frames, each once below its caller, and their self costs.
pub(super) struct RegrownTree<'t> {
    old: &'t CallTree,
    pub(super) frames: Vec<TreeFrame>,
    known: Interner<(Option<u32>, FrameOf)>,
    other_costs: Vec<(MetricIndex, Vec<i128>)>,
    /// The new frame with the costs of each old one that has some.
    new_of: Vec<Option<u32>>,
}

impl<'t> RegrownTree<'t> {
    pub(super) fn of(old: &'t CallTree) -> Self {
        let other_costs = old.other_costs.iter().map(|(metric, _)| (*metric, Vec::new()));
        let (frames, known) = (Vec::new(), Interner::default());
        let new_of = vec![None; old.frames.len()];
        Self { old, frames, known, other_costs: other_costs.collect(), new_of }
    }

    /// Returns whether a frame of the old tree has a self cost in any metric.
    pub(super) fn has_cost(&self, old: usize) -> bool {
        let mut others = self.old.other_costs.iter();
        !self.old.frames[old].self_cost.is_zero() || others.any(|(_, costs)| costs[old] != 0)
    }

    /// The frame with the caller and function of `new`, without costs if it is new.
    pub(super) fn find(&mut self, new: TreeFrame) -> u32 {
        let without_cost = || TreeFrame { self_cost: new.self_cost.less(new.self_cost), ..new };
        self.known.find((new.caller, new.of), &mut self.frames, without_cost)
    }

    /// Adds the self costs of a frame of the old tree to a new one.
    pub(super) fn add_costs(&mut self, new: u32, old: usize) {
        self.new_of[old] = Some(new);
        let sum = &mut self.frames[new as usize].self_cost;
        *sum = sum.plus(self.old.frames[old].self_cost);
        for ((_, sums), (_, costs)) in self.other_costs.iter_mut().zip(&self.old.other_costs) {
            sums.resize(self.frames.len(), 0);
            sums[new as usize] += costs[old];
        }
    }

    /// The tree, whose omissions are those of the old one.
    pub(super) fn finish(mut self) -> CallTree {
        let n_frames = self.frames.len();
        self.other_costs.iter_mut().for_each(|(_, costs)| costs.resize(n_frames, 0));
        let &CallTree { basis, lacks_callers, lacks_zero_cost_calls, .. } = self.old;
        let of_contexts = self.old.of_contexts.iter();
        let of_contexts = of_contexts.map(|frame| self.new_of[(*frame)? as usize]).collect();
        let (other_costs, tree) = (self.other_costs, CallTree::new(self.frames, basis));
        CallTree { other_costs, of_contexts, lacks_callers, lacks_zero_cost_calls, ..tree }
    }
}
