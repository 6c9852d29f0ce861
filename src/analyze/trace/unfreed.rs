//! Blocks that were never freed, by where they were allocated.

use std::cmp::Reverse;

use super::{ContextLocation, context_location, spelled};
use crate::analyze::amount::percent;
use crate::model::{BlockTotal, ContextId, Quantity, RecordedCosts, Unit};

/// Blocks of one place that were never freed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnfreedRow {
    /// Where they were allocated, or reallocated last.
    pub at: ContextLocation,
    pub unfreed: BlockTotal,
    pub allocated: BlockTotal,
    /// Their share of all bytes that were never freed, in percent.
    pub percent: f64,
    /// The bytes of this row and those above it.
    pub cumulative: u64,
}

/// The rows, the one with the most bytes first.
pub(super) fn rows(costs: &RecordedCosts) -> Vec<UnfreedRow> {
    let mut rows: Vec<_> = by_context(costs)
        .into_iter()
        .zip((0..).map(ContextId))
        .map(|(totals, context)| UnfreedRow {
            at: context_location(costs, context),
            unfreed: totals.unfreed(),
            allocated: totals.allocated,
            percent: 0.0,
            cumulative: 0,
        })
        .filter(|row| row.unfreed.count > 0)
        .collect();
    rows.sort_by(|left, right| {
        let key = |row: &UnfreedRow| Reverse((row.unfreed.bytes, row.unfreed.count));
        let by_name = || spelled(costs, left.at).cmp(&spelled(costs, right.at));
        key(left).cmp(&key(right)).then_with(by_name)
    });
    let all = rows.iter().map(|row| row.unfreed.bytes);
    let all = all.fold(0, u64::saturating_add);
    let mut cumulative: u64 = 0;
    for row in &mut rows {
        cumulative = cumulative.saturating_add(row.unfreed.bytes);
        row.cumulative = cumulative;
        row.percent = percent(row.unfreed.bytes, all);
    }
    rows
}

/// What a context allocated and freed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlaceTotals {
    pub(super) allocated: BlockTotal,
    freed: BlockTotal,
}

impl PlaceTotals {
    pub(super) fn unfreed(&self) -> BlockTotal {
        let Self { allocated, freed } = self;
        BlockTotal {
            count: allocated.count.saturating_sub(freed.count),
            bytes: allocated.bytes.saturating_sub(freed.bytes),
        }
    }
}

/// What every context allocated and freed, threads together, by its number.
pub(super) fn by_context(costs: &RecordedCosts) -> Vec<PlaceTotals> {
    let mut sums = vec![PlaceTotals::default(); costs.contexts.len()];
    let types = costs.samples.types();
    for (key, values) in costs.samples.rows() {
        let Some(context) = key.context() else {
            continue;
        };
        let PlaceTotals { allocated, freed } = &mut sums[context.index()];
        for (value_type, &value) in types.iter().zip(values) {
            let sum = match (value_type.quantity, value_type.unit) {
                (Quantity::ALLOCATED, Unit::COUNT) => &mut allocated.count,
                (Quantity::ALLOCATED, Unit::BYTES) => &mut allocated.bytes,
                (Quantity::FREED, Unit::COUNT) => &mut freed.count,
                (Quantity::FREED, Unit::BYTES) => &mut freed.bytes,
                _ => continue,
            };
            *sum = sum.saturating_add(value);
        }
    }
    sums
}
