//! Blocks of memory by call stack: never freed, or in use at the peak.
//!
//! Stacks start at the function that needed the memory, without wrappers of allocators.

use std::collections::HashMap;
use std::iter;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::amount::Amount;
use super::cost_graph::{CostGraph, TotalsFrom, metric_named};
use super::stacks::EqualStacks;
use super::wrappers::starts;
use crate::filter::FilterSets;
use crate::model::{ContextId, Contexts, Profile};
use crate::report::MetricIndex;
use crate::sorting::ColdSort;
use crate::symbols::{NamedContexts, SymbolId};

/// The blocks of one stack.
#[derive(Clone, Debug, Default)]
pub struct HeapStack {
    /// Context of the allocation; `None` if the stack was not recorded.
    context: Option<ContextId>,
    /// Number of listed functions of the stack.
    pub n_listed: usize,
    /// Number of further callers that distinguish the stack from others. Recursion makes very
    /// deep stacks.
    pub n_more: usize,
    /// The stack continues beyond the functions that distinguish it.
    pub is_cut: bool,
    /// Of each metric.
    pub amounts: Box<[i128]>,
    /// Percentage of the first metric to sort by.
    pub percent: f64,
}

pub struct HeapStacks {
    profile: Arc<Profile>,
    names: Arc<NamedContexts>,
    pub metrics: HeapMetrics,
    /// Largest first; then by names on the stack.
    pub stacks: Vec<HeapStack>,
    /// Which functions distinguish stacks.
    pub depth: StackDepth,
    /// A filter omits some stacks.
    pub is_filtered: bool,
    /// The omitted wrappers of allocators.
    pub wrappers: Box<[SymbolId]>,
}

/// The metrics of stacks, in order of columns.
#[derive(Clone, Debug)]
pub struct HeapMetrics {
    pub shown: Vec<MetricIndex>,
    /// Positions of metrics to sort by. Stacks without any of these are omitted.
    by: Vec<usize>,
}

impl HeapMetrics {
    /// Unfreed memory, then allocated memory.
    pub fn of_leaks(costs: &CostGraph) -> Self {
        let by = costs.shape.primary % 2;
        // Blocks of no bytes are lost too.
        Self { shown: vec![UNFREED, UNFREED + 1, 0, 1], by: vec![by, by ^ 1] }
    }

    /// Memory at the peak; `None` if not recorded.
    pub fn of_peak(costs: &CostGraph) -> Option<Self> {
        let named = |id| metric_named(&costs.shape.metrics, id);
        let shown = [Some(named("peak-bytes")?), named("peak-count")];
        let shown: Vec<_> = shown.into_iter().flatten().collect();
        Some(Self { by: (0..shown.len()).collect(), shown })
    }

    /// The amounts to sort a stack by.
    fn sizes(&self, stack: &HeapStack) -> impl Iterator<Item = i128> {
        self.by.iter().map(|&index| stack.amounts[index])
    }

    /// The metric to sort by.
    pub fn first(&self) -> MetricIndex {
        self.shown[self.by[0]]
    }
}

/// Index of the first metric of unfreed memory.
const UNFREED: MetricIndex = 2;

/// Which functions distinguish stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackDepth {
    /// All.
    Whole,
    /// This number of innermost functions.
    Functions(usize),
    /// Only the allocating functions were recorded.
    NoStacks,
}

/// Maximum number of listed functions.
const N_LISTED: usize = 100;

impl HeapStacks {
    /// Merges stacks whose innermost `depth` functions are equal. Takes contexts times the
    /// logarithm of the depth.
    pub fn new(
        profile: &Arc<Profile>,
        costs: &CostGraph,
        names: &Arc<NamedContexts>,
        filters: &FilterSets,
        depth: Option<usize>,
        metrics: HeapMetrics,
    ) -> Self {
        let contexts = &profile.costs.contexts;
        let equal = EqualStacks::new(contexts, |id| names.of(id).0, depth);
        let starts = starts(contexts, names);
        let depth_of = |id: ContextId| {
            let length = equal.lengths[id.index()] as usize;
            depth.map_or(length, |depth| depth.clamp(1, length))
        };
        // Contexts of one number have one stack as far as it is listed.
        let mut sums: HashMap<u32, HeapStack, RandomState> = HashMap::default();
        let mut is_filtered = costs.costs.is_filtered || costs.focus().is_some();
        let mut wrappers = Vec::new();
        let by_context = &costs.costs.by_context;
        for (row, &allocated_in) in by_context.contexts.iter().enumerate() {
            let context = starts[allocated_in.index()];
            let mut ends = [context, allocated_in].into_iter().map(|id| names.of(id));
            if !ends.any(|function| filters.leaks.contains(function)) {
                is_filtered = true;
                continue;
            }
            let sum = sums.entry(equal.numbers[context.index()]);
            let stack = sum.or_insert_with(|| {
                let n_functions = depth_of(context);
                let n_listed = n_functions.min(N_LISTED);
                HeapStack {
                    context: Some(context),
                    n_listed,
                    n_more: n_functions - n_listed,
                    amounts: metrics.shown.iter().map(|_| 0).collect(),
                    ..HeapStack::default()
                }
            });
            if let Some(amounts) = &by_context.amounts {
                let amount = |metric| amounts.get_exact(row, metric);
                let has_any = metrics.by.iter().any(|&by| amount(metrics.shown[by]) > 0);
                if has_any && context != allocated_in {
                    wrappers.push(names.of(allocated_in));
                }
                for (sum, &metric) in stack.amounts.iter_mut().zip(&metrics.shown) {
                    *sum += amount(metric);
                }
            }
            stack.is_cut |= depth_of(context) < equal.lengths[context.index()] as usize;
        }
        let zeros = || iter::repeat_n(0, metrics.by.len());
        let has_any = |stack: &HeapStack| metrics.sizes(stack).gt(zeros());
        let mut stacks: Vec<HeapStack> = sums.into_values().filter(has_any).collect();
        let nobodys = metrics.shown.iter().map(|&metric| costs.unattributed(metric).as_exact());
        let nobodys = HeapStack { amounts: nobodys.collect(), ..HeapStack::default() };
        stacks.extend(Some(nobodys).filter(has_any));
        let all = costs.all(metrics.first());
        for stack in &mut stacks {
            stack.percent = Amount::Exact(stack.amounts[metrics.by[0]]).percent_of(all);
        }
        stacks.cold_sort_by(|a, b| {
            let by_size = metrics.sizes(b).cmp(metrics.sizes(a));
            let rest = |stack: &HeapStack| (stack.n_more, stack.is_cut, stack.amounts.clone());
            let by_rest = || rest(a).cmp(&rest(b));
            by_size
                .then_with(|| stack(a, contexts, names).cmp(stack(b, contexts, names)))
                .then_with(by_rest)
        });
        wrappers.sort_unstable();
        wrappers.dedup();
        Self {
            profile: Arc::clone(profile),
            names: Arc::clone(names),
            metrics,
            stacks,
            depth: match depth {
                _ if costs.shape.totals_from != TotalsFrom::Stacks => StackDepth::NoStacks,
                None => StackDepth::Whole,
                Some(depth) => StackDepth::Functions(depth.max(1)),
            },
            is_filtered,
            wrappers: wrappers.into(),
        }
    }

    /// The functions on a stack, innermost first; empty if not recorded.
    pub fn stack(&self, one: &HeapStack) -> impl Iterator<Item = SymbolId> {
        stack(one, &self.profile.costs.contexts, &self.names)
    }
}

/// The listed functions of a stack. Computed on demand: a file with one long chain has a
/// stack of a hundred functions for each call site.
fn stack(
    one: &HeapStack,
    contexts: &Contexts,
    names: &NamedContexts,
) -> impl Iterator<Item = SymbolId> {
    let caller = |id: &ContextId| contexts.get(*id).caller;
    let contexts = iter::successors(one.context, caller);
    contexts.take(one.n_listed).map(|id| names.of(id))
}

#[cfg(test)]
mod tests;
