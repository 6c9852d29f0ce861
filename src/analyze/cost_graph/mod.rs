//! Self and total costs of functions or lines, in one form for all kinds of profiles.
//!
//! Histograms record where time was spent, and counted arcs which function called which: the cost
//! of callees is distributed by calls (`from_histograms`). Call stacks record it exactly
//! (`from_stacks`). Other profiles record the cost of each call (`from_calls`), or totals of
//! functions (`from_totals`).

mod focus;
mod from_calls;
mod from_histograms;
mod from_stacks;
mod from_totals;
mod guesses;
mod inlined_parts;
mod metrics;
mod recursive_totals;
mod samples;
#[cfg(test)]
mod tests;

pub use focus::FocusPart;
pub use from_histograms::Sampling;
pub use guesses::{GuessCause, GuessedTotal, Guesses};
pub use inlined_parts::LargestInlined;
pub use metrics::{metric_named, source_of};
pub use samples::LargestShare;
pub(in crate::analyze) use samples::{RowSamples, SampleAmounts};

use std::sync::OnceLock;

use metrics::MetricColumns;

use super::amount::{Amount, Amounts};
use super::bounds::FlowBounds;
use super::call_graph::{CallGraph, GraphArc};
use super::cycles::{CycleNumber, Topology};
use super::flows::ContextCosts;
use super::inline_costs::InlineCosts;
use super::lower_bounds::LowerBounds;
use super::propagation::Calls;
use crate::filter::FilterSets;
use crate::limits::MOST_LISTED;
use crate::model::Profile;
use crate::report::{Basis, Metric, MetricIndex};
use crate::symbols::{NamedContexts, SymbolId};

/// Costs by function or line, the calls that they flow along, and the meaning of both.
#[derive(Debug)]
pub struct CostGraph {
    pub shape: CostShape,
    pub calls: CallGraph,
    /// Number of calls of each function, if calls were counted; costs then flow along them.
    pub counted: Option<CountedCalls>,
    pub(super) costs: Costs,
    pub sampling: Option<Sampling>,
}

/// The meaning of the numbers.
#[derive(Debug)]
pub struct CostShape {
    pub metrics: Vec<Metric>,
    /// The metric to sort by, which flows along arcs.
    pub primary: MetricIndex,
    /// The metrics are about heap blocks.
    pub is_heap: bool,
    /// The metric of the heap next to it, if it has one: blocks next to bytes.
    pub paired: Option<MetricIndex>,
    /// The cost of the garbage collector while a function is active.
    pub collector: Option<MetricIndex>,
    /// The amounts of samples of the metric to sort by, if it is sampled.
    pub(super) amounts: Option<SampleAmounts>,
    /// The metric is the number of entries of functions and branches.
    pub counts_entries: bool,
    pub totals_from: TotalsFrom,
}

impl CostShape {
    /// Number of sums: those of the metrics, and of the squares of samples if these differ.
    pub(super) fn n_amounts(&self) -> usize {
        self.metrics.len() + usize::from(self.has_weights())
    }

    fn has_weights(&self) -> bool {
        matches!(self.amounts, Some(SampleAmounts::Squares { .. }))
    }
}

/// Costs of functions or lines.
#[derive(Debug)]
pub(super) struct Costs {
    pub(super) self_costs: Amounts,
    pub(super) children: Amounts,
    /// `None` if only possible calls are known.
    pub(super) flows: Option<Flows>,
    pub(super) all: Vec<Amount>,
    pub(super) unattributed: Vec<Amount>,
    /// Total cost of the garbage collector, if recorded.
    pub(super) collected: Option<i128>,
    /// The recorded cost of each context, if there are contexts.
    pub(super) by_context: ContextCosts,
    pub(super) lower_bounds: LowerBounds,
    /// A filter removed costs.
    pub(super) is_filtered: bool,
    /// The part selected by `--focus` and `--ignore`, if any.
    pub(super) focus: Option<FocusPart>,
    /// The costs of inlined parts of functions, if requested.
    pub(super) inlines: Option<InlineCosts>,
}

/// Calls of each function and cycle.
#[derive(Debug)]
pub struct CountedCalls {
    pub(super) topology: Topology,
    pub(super) functions: Box<[Calls]>,
    pub(super) cycles: Box<[CycleCosts]>,
    /// Bounds of the flow along calls, computed on first use.
    pub(super) bounds: OnceLock<FlowBounds>,
}

/// The cost that flows along each arc: self cost of the callee, and cost of its callees.
#[derive(Debug)]
pub(super) struct Flows {
    /// `None` if calls were recorded with total costs only.
    pub(super) self_costs: Option<Amounts>,
    pub(super) children: Amounts,
}

#[derive(Clone, Copy, Debug)]
pub struct ArcCosts {
    /// Self cost of the callee; `None` if only totals of calls were recorded.
    pub self_cost: Option<Amount>,
    /// Cost of its callees, or total cost.
    pub children: Amount,
}

impl ArcCosts {
    pub fn total(self) -> Amount {
        match self.self_cost {
            Some(cost) => cost.plus(self.children),
            None => self.children,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct CycleCosts {
    /// Self cost of its members.
    pub self_cost: Amount,
    /// Cost of callees outside of the cycle.
    pub children: Amount,
    /// Calls from outside, and among its members.
    pub calls: Calls,
}

impl CycleCosts {
    pub fn is_zero_cost(&self) -> bool {
        self.self_cost.is_zero()
            && self.children.is_zero()
            && self.calls.from_others == 0
            && self.calls.from_self == 0
    }
}

/// The source of total costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalsFrom {
    /// Propagated by calls.
    Calls,
    /// Recorded stacks.
    Stacks,
    /// Recorded for functions; the flow along calls is unknown.
    Profile,
    /// Recorded for each call.
    Arcs,
    /// Unknown.
    Nothing,
}

/// The recorded costs that a graph is built from.
struct CostInput<'a> {
    profile: &'a Profile,
    names: &'a NamedContexts,
    filters: &'a FilterSets,
    columns: MetricColumns,
}

impl CostGraph {
    /// The costs of a profile with exact values. `metric` is the one to sort by, if the
    /// profile has it. Linear in contexts, values and possible calls.
    pub fn from_values(
        profile: &Profile,
        names: &NamedContexts,
        filters: &FilterSets,
        metric: Option<&str>,
    ) -> Self {
        let input = |totals_from| CostInput {
            profile,
            names,
            filters,
            columns: MetricColumns::new(profile, totals_from, metric),
        };
        if !profile.costs.calls.is_empty() {
            from_calls::build(input(TotalsFrom::Arcs))
        } else if has_stacks(profile) {
            from_stacks::build(input(TotalsFrom::Stacks))
        } else {
            from_totals::build(input(TotalsFrom::Nothing))
        }
    }

    /// A graph of costs that do not flow along counted calls.
    fn new(shape: CostShape, calls: CallGraph, costs: Costs) -> Self {
        Self { shape, calls, counted: None, costs, sampling: None }
    }

    /// The part selected by `--focus` and `--ignore`, if any.
    pub fn focus(&self) -> Option<&FocusPart> {
        self.costs.focus.as_ref()
    }

    /// Returns whether `--focus` and `--ignore` leave no cost of a profile that has some.
    pub fn leaves_nothing(&self) -> bool {
        let primary = self.shape.primary;
        let mut symbols = (0..).map(SymbolId).take(self.n_nodes());
        self.focus().is_some()
            && !self.all(primary).is_zero()
            && self.unattributed(primary).is_zero()
            && symbols.all(|id| self.self_cost(id, primary).is_zero())
    }

    pub fn n_nodes(&self) -> usize {
        self.calls.n_symbols()
    }

    pub fn self_cost(&self, id: SymbolId, metric: MetricIndex) -> Amount {
        self.costs.self_costs.get(id.index(), metric)
    }

    pub fn children(&self, id: SymbolId, metric: MetricIndex) -> Amount {
        self.costs.children.get(id.index(), metric)
    }

    pub fn total(&self, id: SymbolId, metric: MetricIndex) -> Amount {
        self.self_cost(id, metric).plus(self.children(id, metric))
    }

    /// Returns whether the function has no self cost.
    pub fn is_free(&self, id: SymbolId) -> bool {
        self.shown_metrics().all(|metric| self.self_cost(id, metric).is_zero())
    }

    /// Returns whether a cost or call of the function was recorded.
    pub fn took_part(&self, id: SymbolId) -> bool {
        let mut metrics = 0..self.shape.metrics.len();
        let has_cost = metrics.any(|metric| !self.total(id, metric).is_zero());
        has_cost || self.is_called(id)
    }

    /// Returns whether the metrics are about heap blocks.
    pub fn is_heap(&self) -> bool {
        self.shape.is_heap
    }

    /// Returns whether the metrics are about memory of an allocator: blocks, or their bytes alone.
    pub fn is_of_memory(&self) -> bool {
        self.is_heap() || metric_named(&self.shape.metrics, "peak-bytes").is_some()
    }

    /// Returns whether the self or total cost of a function, or the time outside of functions
    /// (`None`), is a lower bound.
    pub(super) fn is_lower_bound(&self, symbol: Option<SymbolId>) -> bool {
        self.costs.lower_bounds.contains(symbol)
    }

    pub(super) fn has_lower_bounds(&self) -> bool {
        !self.costs.lower_bounds.is_empty()
    }

    /// Returns whether only possible calls were recorded.
    pub fn measures_nothing(&self) -> bool {
        self.metric().basis == Basis::Static
    }

    /// The metric to sort by.
    pub fn metric(&self) -> &Metric {
        &self.shape.metrics[self.shape.primary]
    }

    pub fn shown_metrics(&self) -> impl Iterator<Item = MetricIndex> {
        [Some(self.shape.primary), self.shape.paired].into_iter().flatten()
    }

    /// The flow along an arc; `None` if not recorded.
    pub fn flow(&self, arc: u32, metric: MetricIndex) -> Option<ArcCosts> {
        let flows = self.costs.flows.as_ref()?;
        let arc = arc as usize;
        Some(ArcCosts {
            self_cost: flows.self_costs.as_ref().map(|costs| costs.get(arc, metric)),
            children: flows.children.get(arc, metric),
        })
    }

    /// Cycles, if costs flow along counted calls.
    pub fn topology(&self) -> Option<&Topology> {
        Some(&self.counted.as_ref()?.topology)
    }

    pub fn cycles(&self) -> &[CycleCosts] {
        self.counted.as_ref().map_or(&[], |counted| &counted.cycles)
    }

    pub fn cycle(&self, number: CycleNumber) -> &CycleCosts {
        &self.cycles()[number.index()]
    }

    pub fn cycle_of(&self, id: SymbolId) -> Option<CycleNumber> {
        // Most programs have no cycle: a row of the call graph then needs no look-up.
        let topology = self.topology().filter(|all| !all.cycles.is_empty())?;
        topology.cycle_of[id.index()]
    }

    /// Returns whether a function was called, or is inlined and requested.
    pub fn is_called(&self, id: SymbolId) -> bool {
        let Calls { from_others, from_self } = self.calls_of(id);
        from_others > 0 || from_self > 0 || self.calls.is_inlined(id)
    }

    /// Calls of a function, by others and by itself.
    pub fn calls_of(&self, id: SymbolId) -> Calls {
        let counted = self.counted.as_ref().filter(|_| !self.calls.is_inlined(id));
        counted.map_or(Calls::default(), |counted| counted.functions[id.index()])
    }

    pub fn all(&self, metric: MetricIndex) -> Amount {
        self.costs.all[metric]
    }

    /// Cost outside of functions; 0 with filters.
    pub fn unattributed(&self, metric: MetricIndex) -> Amount {
        self.costs.unattributed[metric]
    }

    pub fn percent(&self, amount: Amount) -> f64 {
        amount.percent_of(self.all(self.shape.primary))
    }

    pub(super) fn is_tail_call(&self, arc: &GraphArc) -> bool {
        self.calls.tail_calls.binary_search(&(arc.caller, arc.callee)).is_ok()
    }

    /// Returns whether there are more possible calls than a reader can use.
    pub fn has_too_many_calls(&self) -> bool {
        let is_possible_only = self.costs.flows.is_none();
        self.calls.is_cut || is_possible_only && self.calls.arcs().len() > MOST_LISTED
    }

    /// Calls of a function or its cycle from other functions.
    pub fn calls_into(&self, id: SymbolId) -> u64 {
        match self.cycle_of(id) {
            Some(cycle) => self.cycle(cycle).calls.from_others,
            None => self.calls_of(id).from_others,
        }
    }

    /// The flow along calls of a function from outside of functions.
    pub fn flow_from_outside(&self, id: SymbolId) -> ArcCosts {
        if let Some(flow) = self.focus().and_then(|part| part.of_unknown_callers(id)) {
            return flow;
        }
        let (self_cost, children) = match self.cycle_of(id) {
            Some(cycle) => {
                let costs = self.cycle(cycle);
                (costs.self_cost, costs.children)
            }
            None => {
                let primary = self.shape.primary;
                (self.self_cost(id, primary), self.children(id, primary))
            }
        };
        let count = self.calls.calls_from_outside[id.index()];
        let share = count as f64 / self.calls_into(id) as f64;
        let part = |amount: Amount| Amount::Ticks(amount.as_f64() * share);
        ArcCosts { self_cost: Some(part(self_cost)), children: part(children) }
    }
}

/// Returns whether values were recorded with call stacks.
pub fn has_stacks(profile: &Profile) -> bool {
    profile.kind.is_some_and(|kind| kind.has_stacks)
        || profile.costs.contexts.iter().any(|c| c.caller.is_some())
}
