//! The call paths of a tree, without the text of each: that may take the square of the tree.

use std::io;

use super::frames::{FrameId, TauFrames};
use crate::interner::Interner;
use crate::render::CutPaths;
use crate::render::stacks::Stacks;
use crate::report::NameTable;

/// Most bytes of all paths. Longer ones are cut, the longest first.
const MOST_BYTES: u64 = 64 << 20;

/// Call paths that share their callers.
pub(super) struct PathTree {
    /// Callers before callees.
    nodes: Vec<PathNode>,
    /// The inclusive cost of all paths.
    pub(super) whole: u64,
    /// The paths that are not written.
    pub(super) cut: Option<CutPaths>,
}

struct PathNode {
    caller: Option<u32>,
    frame: FrameId,
    exclusive: u64,
    inclusive: u64,
    /// Bytes of the path.
    length: u32,
}

type VisitPath<'v> = dyn FnMut(&[FrameId], [u64; 2]) -> io::Result<()> + 'v;

impl PathTree {
    /// The paths of a tree. Frames with one name below one caller are one: readers take lines
    /// with the same path for one.
    pub(super) fn of(
        stacks: &Stacks<'_>,
        frames: &mut TauFrames,
        names: &dyn NameTable,
    ) -> io::Result<Self> {
        let mut nodes: Vec<PathNode> = Vec::new();
        let mut known: Interner<(Option<u32>, FrameId)> = Interner::default();
        let mut open: Vec<u32> = Vec::new();
        let weight = &stacks.metrics[0];
        stacks.for_each(&mut |row| {
            open.truncate(row.depth);
            let caller = open.last().copied();
            let frame = frames.number(row.name, names);
            let above = caller.map_or(0, |caller| nodes[caller as usize].length);
            let length = u32::try_from(" => ".len() + frames.length(frame)).unwrap_or(u32::MAX);
            let length = above.saturating_add(length);
            let node = || PathNode { caller, frame, exclusive: 0, inclusive: 0, length };
            let index = known.find((caller, frame), &mut nodes, node);
            let cost = match row.weight(weight) {
                ..=0 => 0,
                cost => u64::try_from(cost).unwrap_or(u64::MAX),
            };
            let node = &mut nodes[index as usize];
            node.exclusive = node.exclusive.saturating_add(cost);
            open.push(index);
            Ok(())
        })?;
        drop(known);
        let mut tree = Self { nodes, whole: 0, cut: None };
        tree.add_up();
        tree.cut();
        Ok(tree)
    }

    fn add_up(&mut self) {
        for index in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[index];
            node.inclusive = node.inclusive.saturating_add(node.exclusive);
            let (caller, inclusive) = (node.caller, node.inclusive);
            let above = match caller {
                Some(caller) => &mut self.nodes[caller as usize].inclusive,
                None => &mut self.whole,
            };
            *above = above.saturating_add(inclusive);
        }
    }

    /// Cuts paths that are too long. Their costs count for the last caller that is written.
    fn cut(&mut self) {
        let Some(limit) = longest(self.nodes.iter().map(|node| node.length)) else {
            return;
        };
        let mut cut = CutPaths { n_paths: 0, n_bytes: limit };
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            if let Some(caller) = node.caller.filter(|_| node.length > limit) {
                let exclusive = node.exclusive;
                let above = &mut self.nodes[caller as usize].exclusive;
                *above = above.saturating_add(exclusive);
                cut.n_paths += 1;
            }
        }
        self.cut = Some(cut);
    }

    pub(super) fn n_written(&self) -> usize {
        self.nodes.len() - self.cut.map_or(0, |cut| cut.n_paths)
    }

    /// Passes each path, outermost caller first, with its exclusive and inclusive cost.
    pub(super) fn for_each(&self, visit: &mut VisitPath<'_>) -> io::Result<()> {
        let mut path = Vec::new();
        let limit = self.cut.map_or(u32::MAX, |cut| cut.n_bytes);
        let is_written = |node: &&PathNode| node.caller.is_none() || node.length <= limit;
        for node in self.nodes.iter().filter(is_written) {
            path.clear();
            let mut next = Some(node);
            while let Some(node) = next {
                path.push(node.frame);
                next = node.caller.map(|caller| &self.nodes[caller as usize]);
            }
            path.reverse();
            visit(&path, [node.exclusive, node.inclusive])?;
        }
        Ok(())
    }
}

/// The length up to which all paths together fit; `None` if all fit.
fn longest(lengths: impl Iterator<Item = u32> + Clone) -> Option<u32> {
    if lengths.clone().map(u64::from).sum::<u64>() <= MOST_BYTES {
        return None;
    }
    let mut sorted: Vec<u32> = lengths.collect();
    sorted.sort_unstable();
    let mut sum = 0;
    let too_long = sorted.into_iter().find(|&length| {
        sum += u64::from(length);
        sum > MOST_BYTES
    });
    too_long.map(|length| length - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_paths_are_cut_first() {
        let check = |lengths: &[u32], expected: Option<u32>| {
            assert_eq!(longest(lengths.iter().copied()), expected);
        };
        let most = u32::try_from(MOST_BYTES).expect("it is small");
        check(&[], None);
        check(&[most], None);
        check(&[10, most, 20], Some(most - 1));
        check(&[most / 2, most / 2, most / 2], Some(most / 2 - 1));
    }
}
