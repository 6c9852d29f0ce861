//! What functions, or lines, cost themselves and with what they call: one shape for
//! every kind of profile.
//!
//! There are several ways to it. Histograms say where time was spent, and counted arcs
//! who called whom: what a function cost its callers is shared out by calls (see
//! `from_histograms`). Call stacks say it exactly (see `from_stacks`). And some
//! profiles have recorded what each call took (see `from_calls`), or each function in
//! all (see `from_totals`).

mod from_calls;
mod from_histograms;
mod from_stacks;
mod from_totals;
mod metrics;
mod samples;
#[cfg(test)]
mod tests;

pub use from_histograms::Sampling;
pub use metrics::metric_named;
pub use samples::LargestShare;

use std::sync::OnceLock;

use super::amount::{Amount, Amounts};
use super::bounds::FlowBounds;
use super::call_graph::CallGraph;
use super::cycles::{CycleNumber, Topology};
use super::focus::FocusPart;
use super::inline_costs::InlineCosts;
use super::propagation::Calls;
use crate::filter::FilterSets;
use crate::model::{ContextId, Profile};
use crate::report::{Basis, Metric, MetricIndex};
use crate::symbols::{NamedContexts, SymbolId};

#[derive(Debug)]
pub struct CostGraph {
    /// What happened to blocks of memory is counted.
    pub is_heap: bool,
    /// How often functions and branches were entered is counted.
    pub counts_entries: bool,
    pub metrics: Vec<Metric>,
    /// The metric by which rows are sorted, and that flows along arcs.
    pub primary: MetricIndex,
    /// The metric that stands beside it: blocks beside bytes.
    pub paired: Option<MetricIndex>,
    /// What the garbage collector took while a function was active.
    pub collector: Option<MetricIndex>,
    pub totals_from: TotalsFrom,
    pub calls: CallGraph,
    /// How often each function was called; `None` where calls were not counted.
    pub call_counts: Option<Box<[Calls]>>,
    /// Functions that call each other, where costs flow along counted calls.
    pub topology: Option<Topology>,
    pub cycles: Box<[CycleCosts]>,
    pub sampling: Option<Sampling>,
    /// Which parts of functions are inlined code, where that was asked for.
    pub inlines: Option<InlineCosts>,
    /// What the garbage collector took in all, where the profile says so.
    pub collected: Option<i128>,
    /// There are more possible calls than could be looked at, so that there are none.
    pub lacks_calls: bool,
    /// No filter took anything away.
    pub is_complete: bool,
    /// What each context cost, as recorded, where there are contexts.
    pub by_context: ContextCosts,
    /// The costs are a part of all, if that was asked for.
    pub focus: Option<FocusPart>,
    pub(super) self_costs: Amounts,
    pub(super) children: Amounts,
    pub(super) flows: Option<Flows>,
    bounds: OnceLock<Option<FlowBounds>>,
    pub(super) all: Vec<Amount>,
    pub(super) unattributed: Vec<Amount>,
}

/// What flows along each arc, from the callee itself and from what that called.
#[derive(Debug)]
pub(super) struct Flows {
    /// `None` where calls were recorded as a whole only.
    pub(super) self_costs: Option<Amounts>,
    pub(super) children: Amounts,
}

#[derive(Clone, Copy, Debug)]
pub struct ArcCosts {
    /// What the callee cost itself; `None` where calls were recorded as a whole.
    pub self_cost: Option<Amount>,
    /// What the callee cost by what it called, or as a whole.
    pub children: Amount,
}

impl CycleCosts {
    pub fn is_zero_cost(&self) -> bool {
        self.self_cost.is_zero()
            && self.children.is_zero()
            && self.calls.from_others == 0
            && self.calls.from_self == 0
    }
}

impl ArcCosts {
    pub fn total(self) -> Amount {
        match self.self_cost {
            Some(cost) => cost.plus(self.children),
            None => self.children,
        }
    }
}

#[derive(Debug, Default)]
pub struct ContextCosts {
    pub contexts: Vec<ContextId>,
    /// Their amounts, a row each, of blocks of memory and where stacks were recorded.
    pub amounts: Option<Amounts>,
}

#[derive(Clone, Copy, Debug)]
pub struct CycleCosts {
    /// Its members themselves.
    pub self_cost: Amount,
    /// What they called outside of it.
    pub children: Amount,
    /// Calls from outside, and among its members.
    pub calls: Calls,
}

/// Where the totals of functions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalsFrom {
    /// They were shared out by calls.
    Calls,
    /// The stacks that were recorded with each value.
    Stacks,
    /// The profile has them; along which calls they flowed is not known.
    Profile,
    /// The profile has those of every call.
    Arcs,
    /// They are not known.
    Nothing,
}

/// The most possible calls that a graph lists. They take a hundred megabytes.
const MAX_LISTED_CALLS: usize = 1 << 20;

impl CostGraph {
    /// Adds up a profile of exact values. Costs contexts, values and possible calls.
    /// `metric` is the one that rows are sorted by, if it has that.
    pub fn from_values(
        profile: &Profile,
        names: &NamedContexts,
        filters: &FilterSets,
        metric: Option<&str>,
    ) -> Self {
        if !profile.costs.calls.is_empty() {
            from_calls::build(profile, names, filters, metric)
        } else if has_stacks(profile) {
            from_stacks::build(profile, names, filters, metric)
        } else {
            from_totals::build(profile, names, filters, metric)
        }
    }

    pub fn n_nodes(&self) -> usize {
        self.calls.n_symbols()
    }

    pub fn self_cost(&self, id: SymbolId, metric: MetricIndex) -> Amount {
        self.self_costs.get(id.index(), metric)
    }

    pub fn children(&self, id: SymbolId, metric: MetricIndex) -> Amount {
        self.children.get(id.index(), metric)
    }

    pub fn total(&self, id: SymbolId, metric: MetricIndex) -> Amount {
        self.self_cost(id, metric).plus(self.children(id, metric))
    }

    /// Whether there is nothing to show of what it costs itself.
    pub fn is_free(&self, id: SymbolId) -> bool {
        self.shown_metrics()
            .all(|metric| self.self_cost(id, metric).is_zero())
    }

    /// Whether anything was recorded of it: a cost, or a call.
    pub fn took_part(&self, id: SymbolId) -> bool {
        let mut metrics = 0..self.metrics.len();
        let has_cost = metrics.any(|metric| !self.total(id, metric).is_zero());
        let calls = self.calls_of(id);
        has_cost || calls.from_others > 0 || calls.from_self > 0
    }

    /// Whether nothing was measured: only which calls are possible.
    pub fn measures_nothing(&self) -> bool {
        self.metrics[self.primary].basis == Basis::Static
    }

    /// Whether there is more than one metric that rows can be sorted by.
    pub fn has_choice_of_metrics(&self) -> bool {
        self.metrics.len() > 1 + usize::from(self.collector.is_some())
    }

    pub fn shown_metrics(&self) -> impl Iterator<Item = MetricIndex> {
        [Some(self.primary), self.paired].into_iter().flatten()
    }

    /// What flows along an arc; `None` where that was not recorded.
    pub fn flow(&self, arc: u32, metric: MetricIndex) -> Option<ArcCosts> {
        let flows = self.flows.as_ref()?;
        let arc = arc as usize;
        Some(ArcCosts {
            self_cost: flows
                .self_costs
                .as_ref()
                .map(|costs| costs.get(arc, metric)),
            children: flows.children.get(arc, metric),
        })
    }

    pub fn cycle(&self, number: CycleNumber) -> &CycleCosts {
        &self.cycles[number.index()]
    }

    pub fn cycle_of(&self, id: SymbolId) -> Option<CycleNumber> {
        self.topology.as_ref()?.cycle_of[id.index()]
    }

    /// How often a function was called, by others and by itself.
    pub fn calls_of(&self, id: SymbolId) -> Calls {
        let counts = self.call_counts.as_ref();
        counts.map_or(Calls::default(), |counts| counts[id.index()])
    }

    pub fn all(&self, metric: MetricIndex) -> Amount {
        self.all[metric]
    }

    /// What is in no function, unless filters leave anything out.
    pub fn unattributed(&self, metric: MetricIndex) -> Amount {
        self.unattributed[metric]
    }

    pub fn percent(&self, amount: Amount) -> f64 {
        amount.percent_of(self.all(self.primary))
    }

    /// Whether there are more possible calls than anybody reads.
    pub fn has_too_many_calls(&self) -> bool {
        let is_possible_only = self.flows.is_none();
        self.lacks_calls || is_possible_only && self.calls.arcs().len() > MAX_LISTED_CALLS
    }

    /// Calls of a function from others, or of its cycle if it is in one.
    pub fn calls_into(&self, id: SymbolId) -> u64 {
        match self.cycle_of(id) {
            Some(cycle) => self.cycle(cycle).calls.from_others,
            None => self.calls_of(id).from_others,
        }
    }

    /// What flows along the calls of a function from addresses in no function.
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

/// Whether values were recorded with call stacks.
fn has_stacks(profile: &Profile) -> bool {
    profile.kind.is_some_and(|kind| kind.has_stacks)
        || profile.costs.contexts.iter().any(|c| c.caller.is_some())
}
