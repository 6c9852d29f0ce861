//! Blocks never freed, by call stack.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::amount::{Amount, add};
use super::cost_graph::{CostGraph, TotalsFrom};
use super::stacks::EqualStacks;
use crate::filter::FilterSets;
use crate::model::{ContextId, Contexts, Profile};
use crate::report::MetricIndex;
use crate::sorting::ColdSort;
use crate::symbols::{NamedContexts, SymbolId};

/// The blocks of one stack that were never freed.
#[derive(Clone, Debug, Default)]
pub struct Leak {
    /// Context of the allocation; `None` if the stack was not recorded.
    context: Option<ContextId>,
    /// Number of listed functions of the stack.
    pub n_listed: usize,
    /// Number of further callers that distinguish the stack from others. Recursion makes very
    /// deep stacks.
    pub n_more: usize,
    /// The stack continues beyond the functions that distinguish it.
    pub is_cut: bool,
    /// Bytes and blocks allocated, then bytes and blocks never freed.
    pub amounts: [i128; 4],
    /// Percentage of everything never freed.
    pub percent: f64,
}

pub struct Leaks {
    profile: Arc<Profile>,
    names: Arc<NamedContexts>,
    /// Largest first; then by names on the stack.
    pub leaks: Vec<Leak>,
    /// Which functions distinguish stacks.
    pub depth: LeakDepth,
    /// A filter omits some leaks.
    pub is_filtered: bool,
}

/// Which functions distinguish the stacks of leaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeakDepth {
    /// All.
    Whole,
    /// This number of innermost functions.
    Functions(usize),
    /// Only the allocating functions were recorded.
    NoStacks,
}

/// Maximum number of listed functions.
const MAX_LISTED: usize = 100;

impl Leaks {
    /// Merges stacks whose innermost `depth` functions are equal. The primary metric of
    /// `costs` decides whether bytes or blocks count. Takes contexts times the logarithm of
    /// the depth.
    pub fn new(
        profile: &Arc<Profile>,
        costs: &CostGraph,
        names: &Arc<NamedContexts>,
        filters: &FilterSets,
        depth: Option<usize>,
    ) -> Self {
        let contexts = &profile.costs.contexts;
        let stacks = EqualStacks::new(contexts, |id| names.of(id).0, depth);
        let depth_of = |id: ContextId| {
            let length = stacks.lengths[id.index()] as usize;
            depth.map_or(length, |depth| depth.clamp(1, length))
        };
        // Contexts of one number have one stack as far as it is listed.
        let mut sums: HashMap<u32, Leak, RandomState> = HashMap::default();
        let mut is_filtered = costs.costs.is_filtered || costs.focus().is_some();
        let by_context = &costs.costs.by_context;
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
        leaks.cold_sort_by(|a, b| {
            let by_size = size(b).cmp(&size(a));
            let rest = |leak: &Leak| (leak.n_more, leak.is_cut, leak.amounts);
            let by_rest = || rest(a).cmp(&rest(b));
            by_size
                .then_with(|| stack(a, contexts, names).cmp(stack(b, contexts, names)))
                .then_with(by_rest)
        });
        Self {
            profile: Arc::clone(profile),
            names: Arc::clone(names),
            leaks,
            depth: match depth {
                _ if costs.shape.totals_from != TotalsFrom::Stacks => LeakDepth::NoStacks,
                None => LeakDepth::Whole,
                Some(depth) => LeakDepth::Functions(depth.max(1)),
            },
            is_filtered,
        }
    }

    /// The functions on the stack of a leak, innermost first; empty if not recorded.
    pub fn stack(&self, leak: &Leak) -> impl Iterator<Item = SymbolId> {
        stack(leak, &self.profile.costs.contexts, &self.names)
    }
}

/// Index of the first metric of unfreed memory.
const UNFREED: MetricIndex = 2;

/// The metric to sort leaks by: unfreed bytes or blocks.
pub(super) fn unfreed(costs: &CostGraph) -> MetricIndex {
    UNFREED + costs.shape.primary % 2
}

fn exact(amount: Amount) -> i128 {
    match amount {
        Amount::Exact(amount) => amount,
        Amount::Ticks(_) => 0,
    }
}

/// The listed functions of a stack. Computed on demand: a file with one long chain has a
/// stack of a hundred functions for each call site.
fn stack(
    leak: &Leak,
    contexts: &Contexts,
    names: &NamedContexts,
) -> impl Iterator<Item = SymbolId> {
    let caller = |id: &ContextId| contexts.get(*id).caller;
    let contexts = std::iter::successors(leak.context, caller);
    contexts.take(leak.n_listed).map(|id| names.of(id))
}

#[cfg(test)]
mod tests;
