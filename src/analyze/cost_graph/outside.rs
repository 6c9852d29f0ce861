//! Calls from addresses in no function.

use super::{ArcCosts, CostGraph};
use crate::analyze::amount::Amount;
use crate::symbols::SymbolId;

impl CostGraph {
    /// Calls of a function from others, or of its cycle if it is in one.
    #[must_use]
    pub fn calls_into(&self, id: SymbolId) -> u64 {
        match self.cycle_of(id) {
            Some(cycle) => self.cycle(cycle).calls.from_others,
            None => self.calls_of(id).from_others,
        }
    }

    /// What flows along the calls of a function from addresses in no function.
    #[must_use]
    pub fn flow_from_outside(&self, id: SymbolId) -> ArcCosts {
        let of_part = self.focus.as_ref();
        if let Some(flow) = of_part.and_then(|part| part.of_unknown_callers(id)) {
            return flow;
        }
        let (self_cost, children) = match self.cycle_of(id) {
            Some(cycle) => {
                let costs = self.cycle(cycle);
                (costs.self_cost, costs.children)
            }
            None => (
                self.self_cost(id, self.primary),
                self.children(id, self.primary),
            ),
        };
        let count = self.calls.calls_from_outside[id.index()];
        let share = count as f64 / self.calls_into(id) as f64;
        let part = |amount: Amount| Amount::Ticks(amount.as_f64() * share);
        ArcCosts {
            self_cost: Some(part(self_cost)),
            children: part(children),
        }
    }
}
