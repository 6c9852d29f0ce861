//! Call trees of the functions that a keep expression selects.

use super::call_tree::{CallTree, FrameOf, TreeFrame};
use super::cost_graph::CostGraph;
use super::regrown_tree::RegrownTree;

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
        let mut tree = RegrownTree::of(&self);
        // The frame of each, and whether it lost a caller.
        let mut moved: Vec<(Option<u32>, bool)> = Vec::with_capacity(self.frames.len());
        for (index, frame) in self.frames.iter().enumerate() {
            let (caller, is_moved) =
                frame.caller.map_or((None, false), |caller| moved[caller as usize]);
            let stays = is_kept(frame);
            let is_moved = is_moved || !stays;
            let arc = frame.arc.filter(|_| !is_moved);
            let frame_of = |of| TreeFrame { caller, of, arc, is_moved, ..*frame };
            // A frame that only leads to others without cost needs no frame of its own.
            let new = match caller {
                _ if stays => Some(tree.find(frame_of(frame.of))),
                None if tree.has_cost(index) => Some(tree.find(frame_of(FrameOf::Hidden))),
                caller => caller,
            };
            if let Some(new) = new {
                tree.add_costs(new, index);
                let sum = &mut tree.frames[new as usize];
                sum.is_moved |= is_moved && stays;
                if sum.is_moved {
                    sum.arc = None;
                }
            }
            // Callees of a frame without a caller begin stacks.
            moved.push((new.filter(|_| stays || caller.is_some()), is_moved));
        }
        tree.finish()
    }
}
