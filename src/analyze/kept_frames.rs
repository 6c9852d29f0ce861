//! Call trees of the functions that a keep expression selects.

use super::call_tree::{CallTree, FrameOf, TreeFrame};
use super::cost_graph::CostGraph;
use crate::model::Interner;

impl CallTree {
    /// The tree without frames of other functions: their callers get their cost, or one frame
    /// without a caller. A cycle stays if one of its functions is kept. Linear in frames.
    #[must_use]
    pub fn keeping(mut self, kept: &[bool], costs: &CostGraph) -> Self {
        self.omit_shared_arcs(costs);
        let is_kept = |frame: &TreeFrame| match frame.of {
            FrameOf::Function(id) => kept[id.index()],
            FrameOf::Cycle(cycle) => costs.topology().is_none_or(|topology| {
                topology.cycles[cycle.index()].members.iter().any(|id| kept[id.index()])
            }),
            FrameOf::Hidden => true,
        };
        let mut frames: Vec<TreeFrame> = Vec::new();
        let mut known = Interner::default();
        // The frame of each, and whether it lost a caller.
        let mut moved: Vec<(Option<u32>, bool)> = Vec::with_capacity(self.frames.len());
        let mut other_costs: Vec<_> =
            self.other_costs.iter().map(|(metric, _)| (*metric, Vec::new())).collect();
        for (index, frame) in self.frames.iter().enumerate() {
            let (caller, is_moved) =
                frame.caller.map_or((None, false), |caller| moved[caller as usize]);
            let stays = is_kept(frame);
            let is_moved = is_moved || !stays;
            let mut frame_of = |of| {
                let new = || TreeFrame {
                    caller,
                    of,
                    arc: frame.arc.filter(|_| !is_moved),
                    self_cost: frame.self_cost.less(frame.self_cost),
                    is_moved,
                };
                known.find((caller, of), &mut frames, new)
            };
            // A frame that only leads to others without cost needs no frame of its own.
            let has_cost = || {
                let mut others = self.other_costs.iter();
                !frame.self_cost.is_zero() || others.any(|(_, costs)| costs[index] != 0)
            };
            let new = match caller {
                _ if stays => Some(frame_of(frame.of)),
                None if has_cost() => Some(frame_of(FrameOf::Hidden)),
                caller => caller,
            };
            if let Some(new) = new {
                let sum = &mut frames[new as usize];
                sum.self_cost = sum.self_cost.plus(frame.self_cost);
                sum.is_moved |= is_moved && stays;
                if sum.is_moved {
                    sum.arc = None;
                }
                for ((_, sums), (_, costs)) in other_costs.iter_mut().zip(&self.other_costs) {
                    sums.resize(frames.len(), 0);
                    sums[new as usize] += costs[index];
                }
            }
            // Callees of a frame without a caller begin stacks.
            moved.push((new.filter(|_| stays || caller.is_some()), is_moved));
        }
        other_costs.iter_mut().for_each(|(_, costs)| costs.resize(frames.len(), 0));
        Self {
            other_costs,
            lacks_callers: self.lacks_callers,
            lacks_zero_cost_calls: self.lacks_zero_cost_calls,
            ..Self::new(frames, self.basis)
        }
    }
}
