//! Numbers for stacks, so that equal stacks can be found without comparing them.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::sites::Sites;
use crate::model::{Context, ContextId, callers_first};

/// The number of the stack without frames.
const EMPTY: u32 = 0;

/// Numbers for the stacks of callers: two contexts have the same exactly when the
/// frames above them are in the same functions or addresses, as far as was asked.
pub(super) struct CallerStacks<'a> {
    contexts: &'a [Context],
    /// The number of the stack that starts with each context; none when callers do
    /// not matter.
    stacks: Vec<u32>,
}

impl CallerStacks<'_> {
    /// The number of the stack above a context.
    pub(super) fn of(&self, id: ContextId) -> u32 {
        let caller = self.contexts[id.index()].caller;
        let stack = caller.and_then(|caller| self.stacks.get(caller.index()));
        stack.copied().unwrap_or(EMPTY)
    }
}

/// Numbers the stacks of callers of all contexts, where `depth` frames matter, the
/// context itself included, or all.
pub(super) fn caller_stacks<'a>(sites: &Sites<'a>, depth: Option<u64>) -> CallerStacks<'a> {
    let stacks = match depth {
        Some(0 | 1) => Vec::new(),
        Some(depth) => limited_stacks(sites, depth - 1),
        None => whole_stacks(sites),
    };
    CallerStacks {
        contexts: sites.contexts,
        stacks,
    }
}

/// A number for each pair that it has not seen.
struct Numbers(HashMap<(u32, u32), u32, RandomState>);

impl Numbers {
    fn new() -> Self {
        Self(HashMap::default())
    }

    fn of(&mut self, pair: (u32, u32)) -> u32 {
        let next = u32::try_from(self.0.len() + 1).expect("there are fewer contexts");
        *self.0.entry(pair).or_insert(next)
    }
}

/// A stack is its first frame and the stack of the caller.
fn whole_stacks(sites: &Sites<'_>) -> Vec<u32> {
    let mut numbers = Numbers::new();
    let mut stacks = vec![EMPTY; sites.contexts.len()];
    for id in in_order(sites) {
        let caller = sites.contexts[id.index()].caller;
        let rest = caller.map_or(EMPTY, |caller| stacks[caller.index()]);
        stacks[id.index()] = numbers.of((sites.vertex(id), rest));
    }
    stacks
}

/// The first `n_frames` frames of stacks. Pieces of 1, 2, 4, 8 frames are numbered
/// for all contexts at once, each from two of half the length, and put together as
/// the bits of `n_frames` say. This costs the number of contexts for each bit.
fn limited_stacks(sites: &Sites<'_>, n_frames: u64) -> Vec<u32> {
    if n_frames >= max_depth(sites) {
        return whole_stacks(sites);
    }
    let n_contexts = sites.contexts.len();
    let mut pieces = Pieces {
        numbers: (0..)
            .take(n_contexts)
            .map(|id| sites.vertex(ContextId(id)) + 1)
            .collect(),
        ends: sites
            .contexts
            .iter()
            .map(|context| context.caller)
            .collect(),
    };
    let mut stacks = vec![EMPTY; n_contexts];
    let mut ends: Vec<_> = (0..)
        .take(n_contexts)
        .map(|id| Some(ContextId(id)))
        .collect();
    let mut rest = n_frames;
    loop {
        if rest & 1 == 1 {
            let mut numbers = Numbers::new();
            for (stack, end) in stacks.iter_mut().zip(&mut ends) {
                *stack = numbers.of((*stack, pieces.number_at(*end)));
                *end = pieces.end_at(*end);
            }
        }
        rest >>= 1;
        if rest == 0 {
            return stacks;
        }
        pieces = pieces.doubled();
    }
}

/// Pieces of stacks, all of one length if they do not reach the outermost frame.
struct Pieces {
    /// The number of the piece that starts with each context.
    numbers: Vec<u32>,
    /// The context behind it.
    ends: Vec<Option<ContextId>>,
}

impl Pieces {
    fn number_at(&self, start: Option<ContextId>) -> u32 {
        start.map_or(EMPTY, |id| self.numbers[id.index()])
    }

    fn end_at(&self, start: Option<ContextId>) -> Option<ContextId> {
        start.and_then(|id| self.ends[id.index()])
    }

    fn doubled(&self) -> Self {
        let mut numbers = Numbers::new();
        let pairs = self.numbers.iter().zip(&self.ends);
        Self {
            numbers: pairs
                .map(|(&first, &end)| numbers.of((first, self.number_at(end))))
                .collect(),
            ends: self.ends.iter().map(|&end| self.end_at(end)).collect(),
        }
    }
}

fn max_depth(sites: &Sites<'_>) -> u64 {
    let mut depths = vec![0u64; sites.contexts.len()];
    let mut most = 0;
    for id in in_order(sites) {
        let caller = sites.contexts[id.index()].caller;
        let depth = caller.map_or(0, |caller| depths[caller.index()]) + 1;
        depths[id.index()] = depth;
        most = most.max(depth);
    }
    most
}

fn in_order(sites: &Sites<'_>) -> Vec<ContextId> {
    callers_first(sites.contexts).expect("readers refuse rings of callers")
}
