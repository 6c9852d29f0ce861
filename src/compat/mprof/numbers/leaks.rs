//! Unfreed blocks by stack.

use std::cmp::Reverse;

use super::amounts::{AmountPercent, SizeAmounts, TableMeasure};
use super::bins::BinTotal;
use super::leaders::leaders;
use super::sites::ContextSites;
use crate::compat::words::MachineWords;
use crate::model::ContextId;
use crate::sorting::ColdSort;

/// Allocated amounts, and the part not freed.
#[derive(Clone, Copy, Debug)]
pub struct LeakAmounts {
    pub allocated: u64,
    /// Not freed, with its percentage.
    pub unfreed: AmountPercent,
}

/// Unfreed blocks of one stack.
#[derive(Clone, Copy, Debug)]
pub struct StackLeak {
    /// Innermost frame of the stack.
    pub context: ContextId,
    /// Percentage of everything not freed.
    pub percent: f64,
    /// The sort key.
    pub amounts: LeakAmounts,
    /// The secondary measure: blocks if `amounts` are bytes, or the reverse.
    pub others: LeakAmounts,
}

/// Unfreed blocks by stack, most first. Equal rows by descending address.
#[derive(Clone, Debug)]
pub struct LeakTable {
    /// Number of frames that distinguish stacks; `None` for all.
    pub stack_depth: Option<u64>,
    /// Maximum number of callers among them.
    pub n_callers: usize,
    pub rows: Box<[StackLeak]>,
    pub total: [LeakAmounts; 2],
}

impl LeakTable {
    pub(super) fn new(
        sites: &ContextSites<'_>,
        all: &BinTotal,
        measure: TableMeasure,
        words: MachineWords,
        stack_depth: Option<u64>,
    ) -> Self {
        let unfreed_whole = all.unfreed.of(measure);
        let leak = |group: &StackGroup| {
            let amounts = group.amounts.leak(words);
            StackLeak {
                context: group.context,
                percent: AmountPercent::new(amounts.unfreed.amount, unfreed_whole).percent,
                amounts,
                others: group.others.leak(words),
            }
        };
        let groups = groups(sites, measure, stack_depth);
        let mut rows: Vec<_> = groups.iter().rev().map(leak).collect();
        rows.retain(|row| row.amounts.unfreed.amount > 0);
        rows.cold_sort_by_key(|row| Reverse(row.amounts.unfreed.amount));
        let total = [measure, measure.other()].map(|measure| {
            let allocated = all.allocated.of(measure);
            LeakAmounts {
                allocated,
                unfreed: AmountPercent::or_none(all.unfreed.of(measure), allocated),
            }
        });
        Self {
            stack_depth,
            n_callers: stack_depth.map_or(usize::MAX, |depth| {
                usize::try_from(depth.saturating_sub(1)).unwrap_or(usize::MAX)
            }),
            rows: rows.into(),
            total,
        }
    }
}

/// Contexts with the same stack.
struct StackGroup {
    context: ContextId,
    amounts: Turnover,
    others: Turnover,
}

/// Allocated and freed amounts.
#[derive(Clone, Copy, Default)]
struct Turnover {
    allocated: u64,
    freed: u64,
}

impl Turnover {
    fn add(&mut self, amounts: Option<SizeAmounts>) {
        let SizeAmounts { allocated, freed } = amounts.unwrap_or_default();
        self.allocated = allocated.into_iter().fold(self.allocated, u64::wrapping_add);
        self.freed = freed.into_iter().fold(self.freed, u64::wrapping_add);
    }

    fn leak(&self, words: MachineWords) -> LeakAmounts {
        let allocated = words.cut(self.allocated);
        let unfreed = words.difference(self.allocated, self.freed);
        LeakAmounts { allocated, unfreed: AmountPercent::new(unfreed, allocated) }
    }
}

fn groups(
    sites: &ContextSites<'_>,
    measure: TableMeasure,
    stack_depth: Option<u64>,
) -> Vec<StackGroup> {
    let amounts_of = sites.amounts(measure);
    let others_of = sites.amounts(measure.other());
    let leaders = leaders(sites, stack_depth);
    let mut groups: Vec<StackGroup> = Vec::new();
    let mut indices = vec![0; sites.contexts.len()];
    for &context in &sites.by_address {
        let Some(leader) = leaders[context.index()] else {
            continue;
        };
        if leader == context {
            indices[context.index()] = groups.len();
            let (amounts, others) = (Turnover::default(), Turnover::default());
            groups.push(StackGroup { context, amounts, others });
        }
        let group = &mut groups[indices[leader.index()]];
        group.amounts.add(amounts_of(context));
        group.others.add(others_of(context));
    }
    groups
}
