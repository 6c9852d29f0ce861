//! Running sums of the flat profile, known at some rows, so that rows can be made from any
//! of them on.

use super::self_cost;
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::CostGraph;
use crate::symbols::SymbolId;

/// Rows from one sum that is kept to the next.
const STEP: usize = 256;

/// The sums before every so many rows. Those between are added up in the same order, so
/// that they are the same wherever one starts.
pub(super) struct SumsBefore(Vec<Option<Amount>>);

impl SumsBefore {
    pub(super) fn of(order: &[Option<SymbolId>], costs: &CostGraph) -> Self {
        let mut sum = None;
        let mut sums = Vec::with_capacity(order.len() / STEP + 1);
        for (place, &symbol) in order.iter().enumerate() {
            if place % STEP == 0 {
                sums.push(sum);
            }
            sum = Some(added(sum, symbol, costs));
        }
        Self(sums)
    }

    /// What the rows before a place cost themselves; `None` before the first.
    pub(super) fn before(
        &self,
        place: usize,
        order: &[Option<SymbolId>],
        costs: &CostGraph,
    ) -> Option<Amount> {
        let kept = self.0.len().checked_sub(1)?.min(place / STEP);
        let between = &order[kept * STEP..place.min(order.len())];
        let add = |sum, &symbol: &_| Some(added(sum, symbol, costs));
        between.iter().fold(self.0[kept], add)
    }
}

/// A sum with what a row costs itself.
pub(super) fn added(sum: Option<Amount>, symbol: Option<SymbolId>, costs: &CostGraph) -> Amount {
    let self_cost = self_cost(costs, symbol, costs.primary);
    sum.map_or(self_cost, |sum| sum.plus(self_cost))
}
