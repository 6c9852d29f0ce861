//! The contexts of stacks, each once.
//!
//! A context is found by the hash of its path: all frames from the outermost one. So the part of a
//! stack that is known is found from its innermost frames, in few steps, although stacks have
//! dozens of frames. Each step is a random access to a large table, which is slow.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::numbered_set::number_of;
use super::seen_stacks::longest_known;
use crate::model::{Context, ContextId, Contexts, FunctionId, LocationId};

/// A frame of a stack: a function, and the line of the code that ran or called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) function: Option<FunctionId>,
    pub(super) place: Option<LocationId>,
}

/// Caller, function and place as numbers: a small table has more of it in the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ContextRow {
    caller: u32,
    function: u32,
    place: u32,
}

/// The number of an absent part of a [`ContextRow`].
const NONE: u32 = u32::MAX;

impl ContextRow {
    fn new(caller: Option<ContextId>, frame: Frame) -> Self {
        Self {
            caller: caller.map_or(NONE, |caller| caller.0),
            function: frame.function.map_or(NONE, |function| function.0),
            place: frame.place.map_or(NONE, |place| place.0),
        }
    }
}

/// The hash of the frames from the outermost one. Its keys are random, so that no file can contain
/// two paths with the same hash on purpose.
type PathHash = u64;

/// Contexts by number, in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct ContextTable {
    rows: Vec<ContextRow>,
    /// By context.
    paths: Vec<PathHash>,
    numbers: HashTable<u32>,
    state: RandomState,
    /// The paths of the current stack.
    stack: Vec<PathHash>,
}

impl ContextTable {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The context of a frame with this caller.
    pub(super) fn context(&mut self, caller: Option<ContextId>, frame: Frame) -> ContextId {
        let row = ContextRow::new(caller, frame);
        let path = self.step(self.path(caller), row);
        self.find_or_insert(row, path)
    }

    /// The context of a stack, outermost frame first.
    pub(super) fn stack(&mut self, frames: &[Frame]) -> ContextId {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        let mut path = self.path(None);
        for &frame in frames {
            path = self.step(path, ContextRow::new(None, frame));
            stack.push(path);
        }
        let known = |n_frames: usize| {
            let ContextRow { function, place, .. } = ContextRow::new(None, frames[n_frames - 1]);
            let path = stack[n_frames - 1];
            let is_same = |&number: &u32| {
                let row = self.rows[number as usize];
                self.paths[number as usize] == path
                    && (row.function, row.place) == (function, place)
            };
            self.numbers.find(path, is_same).map(|&number| ContextId(number))
        };
        let (n_known, mut innermost) = longest_known(frames.len(), known);
        for (&frame, &path) in frames.iter().zip(&stack).skip(n_known) {
            innermost = Some(self.find_or_insert(ContextRow::new(innermost, frame), path));
        }
        self.stack = stack;
        innermost.unwrap_or_else(|| self.context(None, Frame::default()))
    }

    pub(super) fn finish(self) -> Contexts {
        drop((self.paths, self.numbers));
        let known = |number: u32| (number != NONE).then_some(number);
        let rows = self.rows.into_iter().map(|ContextRow { caller, function, place }| Context {
            caller: known(caller).map(ContextId),
            function: known(function).map(FunctionId),
            location: known(place).map(LocationId),
            address: None,
        });
        rows.collect()
    }

    fn path(&self, context: Option<ContextId>) -> PathHash {
        context.map_or(0, |context| self.paths[context.index()])
    }

    #[inline]
    fn step(&self, outer: PathHash, frame: ContextRow) -> PathHash {
        self.state.hash_one((outer, frame.function, frame.place))
    }

    #[inline]
    fn find_or_insert(&mut self, row: ContextRow, path: PathHash) -> ContextId {
        let Self { rows, paths, numbers, .. } = self;
        let is_same = |&number: &u32| rows[number as usize] == row;
        match numbers.entry(path, is_same, |&number| paths[number as usize]) {
            Entry::Occupied(known) => ContextId(*known.get()),
            Entry::Vacant(free) => {
                let number = number_of(rows.len());
                free.insert(number);
                rows.push(row);
                paths.push(path);
                ContextId(number)
            }
        }
    }
}
