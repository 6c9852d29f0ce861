//! What was allocated and never freed, by call stack.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::amount::{Amount, add};
use super::cost_graph::{CostGraph, TotalsFrom};
use super::stacks::Stacks;
use crate::filter::FilterSets;
use crate::model::{Context, ContextId, RecordedCosts};
use crate::report::MetricIndex;
use crate::symbols::{NamedContexts, SymbolId};

/// Everything that was not freed of what one stack allocated.
#[derive(Clone, Debug, Default)]
pub struct Leak {
    /// Where it allocated; nothing where the stack was not recorded.
    context: Option<ContextId>,
    /// How many functions of the stack are listed.
    n_listed: usize,
    /// How many more functions tell it apart from others, all of them callers of
    /// those. Recursion makes stacks that nobody reads.
    pub n_more: usize,
    /// Whether the stack goes on where they are not told apart.
    pub is_cut: bool,
    /// Bytes and blocks that it allocated, then those of them that were not freed.
    pub amounts: [i128; 4],
    /// Its share of all that was not freed, in percent.
    pub percent: f64,
}

pub struct Leaks<'a> {
    contexts: &'a [Context],
    names: &'a NamedContexts,
    /// The largest first; then by the names on their stacks.
    pub leaks: Vec<Leak>,
    /// What tells stacks apart.
    pub depth: LeakDepth,
    /// Some leaks are left out by a filter.
    pub is_filtered: bool,
}

/// What tells the stacks of leaks apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeakDepth {
    /// All functions on them.
    Whole,
    /// The first functions, so many.
    Functions(usize),
    /// Stacks were not recorded, only who allocated.
    NoStacks,
}

/// The most functions of a stack that are listed.
const MAX_LISTED: usize = 100;

impl<'a> Leaks<'a> {
    /// Stacks whose first `depth` functions are equal are one. The primary metric of
    /// `costs` says whether bytes or blocks count. Costs contexts times the digits of
    /// the depth.
    pub fn new(
        recorded: &'a RecordedCosts,
        costs: &CostGraph,
        names: &'a NamedContexts,
        filters: &FilterSets,
        depth: Option<usize>,
    ) -> Self {
        let contexts = &*recorded.contexts;
        let stacks = Stacks::new(contexts, |id| names.of(id).0, depth);
        let depth_of = |id: ContextId| {
            let length = stacks.lengths[id.index()] as usize;
            depth.map_or(length, |depth| depth.clamp(1, length))
        };
        // Contexts of one number have one stack as far as it is listed.
        let mut sums: HashMap<u32, Leak, RandomState> = HashMap::default();
        let mut is_filtered = !costs.is_complete || costs.focus.is_some();
        let by_context = &costs.by_context;
        for (row, &context) in by_context.contexts.iter().enumerate() {
            if !filters.flat.contains(names.of(context)) {
                is_filtered = true;
                continue;
            }
            let sum = sums.entry(stacks.numbers[context.index()]);
            let leak = sum.or_insert_with(|| {
                let n_functions = depth_of(context);
                let n_listed = n_functions.min(MAX_LISTED);
                Leak {
                    context: Some(context),
                    n_listed,
                    n_more: n_functions - n_listed,
                    ..Leak::default()
                }
            });
            if let Some(amounts) = &by_context.amounts {
                add(&mut leak.amounts, amounts.row(row));
            }
            leak.is_cut |= depth_of(context) < stacks.lengths[context.index()] as usize;
        }
        // Bytes or blocks that were not freed, then the other: blocks of no bytes are
        // lost too.
        let unfreed = unfreed(costs);
        let size = |leak: &Leak| [leak.amounts[unfreed], leak.amounts[unfreed ^ 1]];
        let is_lost = |leak: &Leak| size(leak) > [0, 0];
        let mut leaks: Vec<Leak> = sums.into_values().filter(is_lost).collect();
        let nobodys = Leak {
            amounts: [0, 1, 2, 3].map(|metric| exact(costs.unattributed(metric))),
            ..Leak::default()
        };
        leaks.extend(Some(nobodys).filter(is_lost));
        let all = costs.all(unfreed);
        for leak in &mut leaks {
            leak.percent = Amount::Exact(leak.amounts[unfreed]).percent_of(all);
        }
        leaks.sort_by(|a, b| {
            let by_size = size(b).cmp(&size(a));
            let rest = |leak: &Leak| (leak.n_more, leak.is_cut, leak.amounts);
            let by_rest = || rest(a).cmp(&rest(b));
            by_size
                .then_with(|| stack(a, contexts, names).cmp(stack(b, contexts, names)))
                .then_with(by_rest)
        });
        Self {
            contexts,
            names,
            leaks,
            depth: match depth {
                _ if costs.totals_from != TotalsFrom::Stacks => LeakDepth::NoStacks,
                None => LeakDepth::Whole,
                Some(depth) => LeakDepth::Functions(depth.max(1)),
            },
            is_filtered,
        }
    }

    /// The functions on the stack of a leak, the one that allocated first; none where the
    /// stack was not recorded.
    pub fn stack(&self, leak: &Leak) -> impl Iterator<Item = SymbolId> {
        stack(leak, self.contexts, self.names)
    }
}

/// The index of the first metric of what was not freed.
const UNFREED: MetricIndex = 2;

/// The metric of what was not freed by which rows are sorted: bytes or blocks.
pub(super) fn unfreed(costs: &CostGraph) -> MetricIndex {
    UNFREED + costs.primary % 2
}

fn exact(amount: Amount) -> i128 {
    match amount {
        Amount::Exact(amount) => amount,
        Amount::Ticks(_) => 0,
    }
}

/// The listed functions of a stack. They are not kept: a file of one long chain has as many
/// stacks of a hundred functions as it has call sites.
fn stack(
    leak: &Leak,
    contexts: &[Context],
    names: &NamedContexts,
) -> impl Iterator<Item = SymbolId> {
    let caller = |id: &ContextId| contexts[id.index()].caller;
    let contexts = std::iter::successors(leak.context, caller);
    contexts.take(leak.n_listed).map(|id| names.of(id))
}

#[cfg(test)]
mod tests;
