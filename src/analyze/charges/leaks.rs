//! What was allocated and never freed, by call stack.

use std::cmp::Reverse;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::{Amounts, Ledger, Measure};
use crate::filter::FilterSets;
use crate::model::{Charges, Context, ContextId, callers_first};
use crate::symbols::{NamedContexts, SymbolId};

/// Everything that was not freed of what one stack allocated.
#[derive(Clone, Debug)]
pub struct Leak {
    /// The functions on the stack, the one that allocated first.
    pub stack: Vec<SymbolId>,
    /// Whether the stack goes on behind those.
    pub is_cut: bool,
    /// What it allocated, and what of it was not freed.
    pub amounts: Amounts,
    /// Its share of all that was not freed, in percent.
    pub percent: f64,
}

/// All leaks.
#[derive(Debug)]
pub struct Leaks {
    /// The largest first; then by the names on their stacks.
    pub leaks: Vec<Leak>,
    /// How many functions of a stack are told apart; all if `None`.
    pub depth: Option<usize>,
    /// What was not freed in all.
    pub unfreed: i128,
}

/// The stack of a context down to some depth: its function, and the number of the
/// stack of its caller down to one less.
type Frame = (SymbolId, Option<u32>);

impl Leaks {
    /// Stacks whose first `depth` functions are equal are one. `measure` says whether
    /// bytes or blocks count. Costs contexts times depth, and contexts where all
    /// functions count.
    #[must_use]
    pub fn new(
        charges: &Charges,
        ledger: &Ledger,
        names: &NamedContexts,
        filters: &FilterSets,
        depth: Option<usize>,
        measure: Measure,
    ) -> Self {
        let mut stacks = Stacks::default();
        let numbers = match depth {
            None => stacks.whole(&charges.contexts, names),
            Some(depth) => stacks.down_to(depth.max(1), &charges.contexts, names),
        };
        let mut sums: HashMap<u32, Amounts, RandomState> = HashMap::default();
        let mut cut: HashMap<u32, bool, RandomState> = HashMap::default();
        for (context, amounts) in &ledger.by_context {
            if !filters.flat.contains(names.of(*context)) {
                continue;
            }
            let number = numbers[context.index()];
            sums.entry(number).or_default().add(amounts);
            let is_cut = depth.is_some_and(|depth| is_deeper(*context, depth, &charges.contexts));
            *cut.entry(number).or_default() |= is_cut;
        }
        let unfreed = match measure {
            Measure::Value | Measure::UnfreedValue => Measure::UnfreedValue,
            Measure::Count | Measure::UnfreedCount => Measure::UnfreedCount,
        };
        let all = ledger.all.get(unfreed);
        let lost = sums.into_iter().filter(|(_, sum)| sum.get(unfreed) > 0);
        let mut leaks: Vec<_> = lost
            .map(|(number, amounts)| Leak {
                stack: stacks.frames(number),
                is_cut: cut[&number],
                percent: super::percent(amounts.get(unfreed), all),
                amounts,
            })
            .collect();
        leaks.sort_by(|a, b| {
            let key = |leak: &Leak| {
                let companion = leak.amounts.get(unfreed.companion());
                Reverse((leak.amounts.get(unfreed), companion))
            };
            key(a).cmp(&key(b)).then_with(|| a.stack.cmp(&b.stack))
        });
        Self {
            leaks,
            depth,
            unfreed: all,
        }
    }
}

/// Whether a context has callers beyond `depth` functions.
fn is_deeper(context: ContextId, depth: usize, contexts: &[Context]) -> bool {
    let mut next = Some(context);
    for _ in 0..depth {
        next = match next {
            Some(id) => contexts[id.index()].caller,
            None => return false,
        };
    }
    next.is_some()
}

/// Stacks, each with a number.
#[derive(Default)]
struct Stacks {
    numbers: HashMap<Frame, u32, RandomState>,
    frames: Vec<Frame>,
}

impl Stacks {
    fn number(&mut self, frame: Frame) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "there are at most as many as contexts for each of few depths"
        )]
        let next = self.frames.len() as u32;
        let number = *self.numbers.entry(frame).or_insert(next);
        if number == next {
            self.frames.push(frame);
        }
        number
    }

    /// For each context, the number of its whole stack.
    fn whole(&mut self, contexts: &[Context], names: &NamedContexts) -> Vec<u32> {
        let order = callers_first(contexts).expect("readers refuse contexts that call themselves");
        let mut numbers = vec![0; contexts.len()];
        for id in order {
            let caller = contexts[id.index()].caller;
            let caller = caller.map(|caller| numbers[caller.index()]);
            numbers[id.index()] = self.number((names.of(id), caller));
        }
        numbers
    }

    /// For each context, the number of its stack down to a depth: down to one, then
    /// to two, and so on, but no further than the deepest stack.
    fn down_to(&mut self, depth: usize, contexts: &[Context], names: &NamedContexts) -> Vec<u32> {
        let ids = || (0..).map(ContextId).take(contexts.len());
        let mut numbers: Vec<_> = ids().map(|id| self.number((names.of(id), None))).collect();
        for _ in 1..depth {
            let n_known = self.frames.len();
            let deeper = ids().map(|id| {
                let caller = contexts[id.index()].caller;
                let caller = caller.map(|caller| numbers[caller.index()]);
                self.number((names.of(id), caller))
            });
            numbers = deeper.collect();
            if self.frames.len() == n_known {
                break;
            }
        }
        numbers
    }

    fn frames(&self, number: u32) -> Vec<SymbolId> {
        let mut stack = Vec::new();
        let mut next = Some(number);
        while let Some(number) = next {
            let (symbol, caller) = self.frames[number as usize];
            stack.push(symbol);
            next = caller;
        }
        stack
    }
}
