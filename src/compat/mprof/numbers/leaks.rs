//! What was not freed, by stack.

use std::cmp::Reverse;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::amounts::{AmountPercent, SizeAmounts, TableMeasure};
use super::bins::BinTotal;
use super::sites::ContextSites;
use crate::analyze::Stacks;
use crate::compat::words::MachineWords;
use crate::model::{Context, ContextId};

/// What was allocated and what of it is left.
#[derive(Clone, Copy, Debug)]
pub struct LeakAmounts {
    pub allocated: u64,
    /// What was not freed, and its percentage of that.
    pub unfreed: AmountPercent,
}

/// What was not freed of the allocations with one stack.
#[derive(Clone, Copy, Debug)]
pub struct StackLeak {
    /// The innermost frame of the stack.
    pub context: ContextId,
    /// Its percentage of all that was not freed.
    pub percent: f64,
    /// What the table is sorted by.
    pub amounts: LeakAmounts,
    /// Blocks if those are bytes, or the other way round.
    pub others: LeakAmounts,
}

/// What was not freed, the most first. Of equal rows the one with the higher address
/// is first.
#[derive(Clone, Debug)]
pub struct LeakTable {
    /// How many frames make a stack; `None` for all.
    pub stack_depth: Option<u64>,
    /// How many of them, at the most, are callers.
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
        let leak = |group: &Group| {
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
        rows.sort_by_key(|row| Reverse(row.amounts.unfreed.amount));
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

/// Contexts next to each other with the same stack.
struct Group {
    context: ContextId,
    amounts: Turnover,
    others: Turnover,
}

/// What was allocated and freed.
#[derive(Clone, Copy, Default)]
struct Turnover {
    allocated: u64,
    freed: u64,
}

impl Turnover {
    fn add(&mut self, amounts: Option<SizeAmounts>) {
        let SizeAmounts { allocated, freed } = amounts.unwrap_or_default();
        self.allocated = allocated
            .into_iter()
            .fold(self.allocated, u64::wrapping_add);
        self.freed = freed.into_iter().fold(self.freed, u64::wrapping_add);
    }

    fn leak(&self, words: MachineWords) -> LeakAmounts {
        let allocated = words.cut(self.allocated);
        let unfreed = words.difference(self.allocated, self.freed);
        LeakAmounts {
            allocated,
            unfreed: AmountPercent::new(unfreed, allocated),
        }
    }
}

fn groups(sites: &ContextSites<'_>, measure: TableMeasure, stack_depth: Option<u64>) -> Vec<Group> {
    let amounts_of = sites.amounts(measure);
    let others_of = sites.amounts(measure.other());
    let caller_stacks = caller_stacks(sites, stack_depth);
    let mut groups: Vec<Group> = Vec::new();
    let mut indices: HashMap<Option<u32>, usize, RandomState> = HashMap::default();
    for run in sites.runs() {
        indices.clear();
        for &context in run.iter().filter(|&&id| sites.has_data(id)) {
            let index = *indices
                .entry(caller_stacks.of(context))
                .or_insert(groups.len());
            if index == groups.len() {
                groups.push(Group {
                    context,
                    amounts: Turnover::default(),
                    others: Turnover::default(),
                });
            }
            groups[index].amounts.add(amounts_of(context));
            groups[index].others.add(others_of(context));
        }
    }
    groups
}

/// Numbers for the stacks of callers: two contexts have the same exactly when the
/// frames above them are in the same functions or addresses, as far as was asked.
pub(super) struct CallerStacks<'a> {
    contexts: &'a [Context],
    /// The stacks that start with each context; none when callers do not matter.
    stacks: Option<Stacks>,
}

impl CallerStacks<'_> {
    pub(super) fn of(&self, id: ContextId) -> Option<u32> {
        let caller = self.contexts[id.index()].caller?;
        Some(self.stacks.as_ref()?.numbers[caller.index()])
    }
}

/// Numbers the stacks of callers of all contexts, where `depth` frames matter, the
/// context itself included, or all.
pub(super) fn caller_stacks<'a>(sites: &ContextSites<'a>, depth: Option<u64>) -> CallerStacks<'a> {
    let vertex_of = |id| sites.vertex(id);
    // No stack is longer than a number of this machine.
    let above = depth.map(|depth| usize::try_from(depth.saturating_sub(1)).unwrap_or(usize::MAX));
    let stacks = (above != Some(0)).then(|| Stacks::new(sites.contexts, vertex_of, above));
    CallerStacks {
        contexts: sites.contexts,
        stacks,
    }
}
