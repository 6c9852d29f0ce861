//! Stacks told apart down to a depth.
//!
//! The contexts are a tree, and a stack is a way up. Two stacks are equal down to a
//! depth when the functions on them are, one by one. Comparing them so would cost
//! contexts times depth, and recursion makes both large. So stacks of 1, 2, 4, 8 …
//! functions get numbers, each from two of half the length, and those that the
//! depth is the sum of are put together: contexts times the digits of the depth.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::RandomState;

use crate::model::{Context, ContextId, callers_first};
use crate::symbols::NamedContexts;

/// The stacks of all contexts.
pub(super) struct Stacks {
    /// For each context, a number that it shares with those of equal stacks.
    pub(super) numbers: Vec<u32>,
    /// For each context, how many functions its whole stack has.
    pub(super) lengths: Vec<u32>,
}

/// Stacks of up to some length: their numbers, and the context behind each.
#[derive(Clone)]
struct Parts {
    numbers: Vec<u32>,
    behind: Vec<Option<ContextId>>,
}

impl Stacks {
    /// Tells the stacks apart by their first `depth` functions, or by all.
    pub(super) fn new(contexts: &[Context], names: &NamedContexts, depth: Option<usize>) -> Self {
        let lengths = lengths(contexts);
        let longest = lengths.iter().copied().max().unwrap_or(1) as usize;
        let mut depth = depth.unwrap_or(longest).clamp(1, longest.max(1));
        let ids = (0..).map(ContextId).take(contexts.len());
        let mut part = Parts {
            numbers: ids.map(|id| names.of(id).0).collect(),
            behind: contexts.iter().map(|context| context.caller).collect(),
        };
        let mut whole: Option<Parts> = None;
        while depth > 0 {
            if depth % 2 == 1 {
                whole = Some(match whole {
                    None => part.clone(),
                    Some(whole) => whole.then(&part),
                });
            }
            depth /= 2;
            if depth > 0 {
                part = part.then(&part);
            }
        }
        Self {
            numbers: whole.expect("no depth is 0").numbers,
            lengths,
        }
    }
}

impl Parts {
    /// These, and behind each the one of `rest` that starts there.
    fn then(&self, rest: &Self) -> Self {
        let mut known = Numbers::default();
        let pairs = self.numbers.iter().zip(&self.behind);
        let numbers = pairs
            .clone()
            .map(|(&number, behind)| {
                let next = behind.map(|context| rest.numbers[context.index()]);
                known.number((number, next))
            })
            .collect();
        let behind = pairs.map(|(_, behind)| rest.behind[(*behind)?.index()]);
        Self {
            numbers,
            behind: behind.collect(),
        }
    }
}

/// Numbers for things, in order of first appearance.
struct Numbers<K>(HashMap<K, u32, RandomState>);

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<K: Eq + Hash> Numbers<K> {
    fn number(&mut self, key: K) -> u32 {
        let next = u32::try_from(self.0.len()).expect("contexts have numbers of four bytes");
        *self.0.entry(key).or_insert(next)
    }
}

fn lengths(contexts: &[Context]) -> Vec<u32> {
    let order = callers_first(contexts).expect("readers refuse contexts that call themselves");
    let mut lengths = vec![1; contexts.len()];
    for id in order {
        if let Some(caller) = contexts[id.index()].caller {
            lengths[id.index()] = lengths[caller.index()] + 1;
        }
    }
    lengths
}
