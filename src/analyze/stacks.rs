//! Numbers call stacks up to a depth.
//!
//! Contexts form a tree, and a stack is a path to the root. Two stacks are equal up to a
//! depth if their functions are. Comparing them directly would take contexts times depth,
//! both large with recursion. So stacks of 1, 2, 4, 8 … functions get numbers, each from two
//! of half the length, and those whose lengths add up to the depth are combined: contexts
//! times the logarithm of the depth.
//!
//! Whole stacks are numbered callers first, each by its function and the number of its
//! caller's stack.

use crate::model::{ContextId, Contexts, Interner, callers_first};

pub(crate) struct EqualStacks {
    /// For each context, a number shared by equal stacks.
    pub(crate) numbers: Vec<u32>,
    /// For each context, the length of its whole stack.
    pub(crate) lengths: Vec<u32>,
}

impl EqualStacks {
    /// Numbers stacks by their first `depth` functions, or by all. `function_of` returns the
    /// function of a context.
    pub(crate) fn new(
        contexts: &Contexts,
        function_of: impl Fn(ContextId) -> u32,
        depth: Option<usize>,
    ) -> Self {
        let order = callers_first(contexts).expect("readers refuse contexts that call themselves");
        let lengths = lengths(contexts, &order);
        let longest = lengths.iter().copied().max().unwrap_or(0) as usize;
        let ids = (0..).map(ContextId).take(contexts.len());
        let numbers = match depth.filter(|&depth| depth < longest) {
            None => whole(contexts, &order, function_of),
            Some(depth) => {
                let single = StackPrefixes {
                    numbers: ids.map(function_of).collect(),
                    behind: contexts.iter().map(|context| context.caller).collect(),
                };
                down_to(depth.max(1), single)
            }
        };
        Self { numbers, lengths }
    }
}

fn lengths(contexts: &Contexts, order: &[ContextId]) -> Vec<u32> {
    let mut lengths = vec![1; contexts.len()];
    for id in order {
        if let Some(caller) = contexts.get(*id).caller {
            lengths[id.index()] = lengths[caller.index()] + 1;
        }
    }
    lengths
}

fn whole(
    contexts: &Contexts,
    order: &[ContextId],
    function_of: impl Fn(ContextId) -> u32,
) -> Vec<u32> {
    let mut known = Interner::default();
    let mut numbers = vec![0; contexts.len()];
    for &id in order {
        let caller = contexts.get(id).caller;
        let rest = caller.map(|caller| numbers[caller.index()]);
        numbers[id.index()] = known.number((function_of(id), rest));
    }
    numbers
}

/// Stacks of `depth` functions, built from stacks of one.
fn down_to(mut depth: usize, mut part: StackPrefixes) -> Vec<u32> {
    let mut put_together: Option<StackPrefixes> = None;
    while depth > 0 {
        if depth % 2 == 1 {
            put_together = Some(match put_together {
                None => part.clone(),
                Some(first) => first.then(&part),
            });
        }
        depth /= 2;
        if depth > 0 {
            part = part.then(&part);
        }
    }
    put_together.expect("no depth is 0").numbers
}

/// Stacks of up to some length: their numbers, and the context after each.
#[derive(Clone)]
struct StackPrefixes {
    numbers: Vec<u32>,
    behind: Vec<Option<ContextId>>,
}

impl StackPrefixes {
    /// Each stack, continued by the one of `rest` that starts there.
    fn then(&self, rest: &Self) -> Self {
        let mut known = Interner::default();
        let pairs = self.numbers.iter().zip(&self.behind);
        let numbers = pairs
            .clone()
            .map(|(&number, behind)| {
                let next = behind.map(|context| rest.numbers[context.index()]);
                known.number((number, next))
            })
            .collect();
        let behind = pairs.map(|(_, behind)| rest.behind[(*behind)?.index()]);
        Self { numbers, behind: behind.collect() }
    }
}
