//! What is known of costs that are a part of all.

use std::collections::BTreeMap;

use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{ArcCosts, CostGraph};
use crate::model::ContextId;
use crate::report::MetricIndex;
use crate::symbols::SymbolId;

/// That costs are those which run through what is asked for, and what they are a part
/// of.
#[derive(Debug)]
pub struct FocusPart {
    /// What is left out, by metric.
    pub(in crate::analyze) left_out: Vec<Amount>,
    pub(in crate::analyze) chosen: Chosen,
}

/// How the part was told from the rest.
#[derive(Debug)]
pub(in crate::analyze) enum Chosen {
    /// By context, whether its stack is of the part.
    Stacks(Box<[bool]>),
    /// By the calls of functions.
    Calls {
        /// By symbol, the share of its own costs in the primary metric.
        shares: Box<[f64]>,
        /// What is kept of the calls from addresses in no function.
        of_unknown_callers: BTreeMap<SymbolId, ArcCosts>,
    },
}

impl FocusPart {
    /// What is left of values whose contexts have stacks.
    pub(in crate::analyze) fn of_stacks(left_out: Vec<i128>, contexts: Box<[bool]>) -> Self {
        Self {
            left_out: left_out.into_iter().map(Amount::Exact).collect(),
            chosen: Chosen::Stacks(contexts),
        }
    }

    /// What flows along the calls of a function from addresses in no function.
    pub(in crate::analyze) fn of_unknown_callers(&self, id: SymbolId) -> Option<ArcCosts> {
        match &self.chosen {
            Chosen::Stacks(_) => None,
            Chosen::Calls {
                of_unknown_callers, ..
            } => of_unknown_callers.get(&id).copied(),
        }
    }

    /// Whether functions were shared out among those who called them.
    pub fn is_shared_out(&self) -> bool {
        matches!(self.chosen, Chosen::Calls { .. })
    }

    /// The share of a symbol's own costs that is kept, where functions were shared out.
    pub fn share_of(&self, id: SymbolId) -> f64 {
        match &self.chosen {
            Chosen::Stacks(_) => 1.0,
            Chosen::Calls { shares, .. } => shares[id.index()],
        }
    }

    /// Whether the values of a context are kept.
    pub fn has_context(&self, id: ContextId) -> bool {
        match &self.chosen {
            Chosen::Stacks(has) => has[id.index()],
            Chosen::Calls { .. } => true,
        }
    }
}

impl CostGraph {
    /// What is left out of a metric, since it does not run through what is asked for.
    pub fn left_out(&self, metric: MetricIndex) -> Amount {
        match &self.focus {
            Some(part) => part.left_out[metric],
            None => self.all(metric).less(self.all(metric)),
        }
    }
}
