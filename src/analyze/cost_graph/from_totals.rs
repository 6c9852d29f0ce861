//! Costs from values of functions, and from recorded totals.

use std::sync::OnceLock;

use super::metrics::MetricColumns;
use super::{ContextCosts, CostGraph, TotalsFrom, has_stacks};
use crate::analyze::amount::{Amount, Amounts, add};
use crate::analyze::call_graph::{CallGraph, GraphArc};
use crate::analyze::focus::FocusPart;
use crate::filter::{ArcSet, FilterSets};
use crate::model::{Profile, RecordedCosts, SampleKey};
use crate::symbols::NamedContexts;

pub(super) fn build(
    profile: &Profile,
    names: &NamedContexts,
    filters: &FilterSets,
    metric: Option<&str>,
) -> CostGraph {
    let columns = MetricColumns::new(profile, None);
    let recorded = recorded(profile, names, filters, &columns, None);
    let arcs = possible_arcs(&profile.costs, names, &filters.arcs);
    let lacks_calls = arcs.is_none();
    let n_symbols = names.table.symbols().len();
    let calls = CallGraph::of_arcs(arcs.unwrap_or_default(), n_symbols);
    let all = recorded.all[0];
    let children = recorded_children(profile, names, &columns, &recorded.self_costs, all);
    let totals_from = match columns.inclusive {
        Some(_) => TotalsFrom::Profile,
        None => TotalsFrom::Nothing,
    };
    let totals = profile.costs.totals.as_ref();
    CostGraph {
        totals_from,
        collector: columns.collector,
        collected: totals.map(|totals| totals.collector.into()),
        lacks_calls,
        ..recorded.into_graph(columns, metric, calls, children)
    }
}

pub(super) struct RecordedTotals {
    pub(super) self_costs: Amounts,
    pub(super) by_context: ContextCosts,
    /// The whole cost, charged or not.
    pub(super) all: Vec<i128>,
    pub(super) unattributed: Vec<i128>,
    pub(super) is_complete: bool,
    focus: Option<FocusPart>,
}

impl RecordedTotals {
    /// A graph without flow along calls and without totals.
    pub(super) fn into_graph(
        self,
        columns: MetricColumns,
        metric: Option<&str>,
        calls: CallGraph,
        children: Amounts,
    ) -> CostGraph {
        let (primary, paired) = columns.choose(metric);
        CostGraph {
            is_heap: columns.is_heap,
            counts_entries: columns.counts_entries,
            metrics: columns.metrics,
            primary,
            paired,
            collector: None,
            totals_from: TotalsFrom::Nothing,
            calls,
            call_counts: None,
            topology: None,
            cycles: Box::default(),
            least_totals: Box::default(),
            sampling: None,
            inlines: None,
            inlined_parts: None,
            tail_calls: Box::default(),
            collected: None,
            lacks_calls: false,
            is_complete: self.is_complete,
            by_context: self.by_context,
            self_costs: self.self_costs,
            children,
            flows: None,
            bounds: OnceLock::new(),
            focus: self.focus,
            all: self.all.into_iter().map(Amount::Exact).collect(),
            unattributed: self.unattributed.into_iter().map(Amount::Exact).collect(),
        }
    }
}

/// Adds up values by context and by symbol. Values of functions are sums over their contexts,
/// so only the latter are added up, and with `focus`, only its contexts.
pub(super) fn recorded(
    profile: &Profile,
    names: &NamedContexts,
    filters: &FilterSets,
    columns: &MetricColumns,
    focus: Option<Box<[bool]>>,
) -> RecordedTotals {
    let n_metrics = columns.metrics.len();
    let samples = &profile.costs.samples;
    let mut self_costs = Amounts::exact(names.table.symbols().len(), n_metrics);
    // Only leaks and call stacks need the costs of single contexts, and callgrind may have
    // a number for each of 32 events in five bytes.
    let has_amounts = columns.is_heap || has_stacks(profile);
    let mut amounts = has_amounts.then(|| Amounts::exact(samples.len(), n_metrics));
    let mut contexts = Vec::new();
    let mut row = vec![0; n_metrics];
    let (mut everything, mut charged) = (vec![0; n_metrics], vec![0; n_metrics]);
    let mut is_complete = true;
    for (key, values) in samples.rows() {
        let Some(context) = key.context() else {
            continue;
        };
        row.fill(0);
        columns.add(&mut row, values);
        add(&mut everything, &row);
        let symbol = names.of(context);
        if !filters.time.contains(symbol) {
            is_complete = false;
            continue;
        }
        add(&mut charged, &row);
        if focus.as_ref().is_some_and(|has| !has[context.index()]) {
            continue;
        }
        self_costs.add(symbol.index(), &row);
        if let Some(amounts) = &mut amounts {
            amounts.add(contexts.len(), &row);
        }
        contexts.push(context);
    }
    let all = all_of(profile, everything);
    let rest = all.iter().zip(&charged).map(|(all, charged)| all - charged);
    // Recorded totals may be a few ticks off; this is not an error.
    let is_exact = profile.costs.totals.is_none();
    let is_whole = is_exact && is_complete && filters.flat.is_all();
    let mut unattributed: Vec<_> = rest.map(|rest| if is_whole { rest } else { 0 }).collect();
    if filters.focus.has_focus() && focus.is_some() {
        unattributed.fill(0);
    }
    RecordedTotals {
        focus: focus.map(FocusPart::Stacks),
        self_costs,
        by_context: ContextCosts { contexts, amounts },
        all,
        unattributed,
        is_complete,
    }
}

/// The recorded totals, or else the sum of all recorded values. In a trace that sum is
/// complete: every event has a place.
fn all_of(profile: &Profile, recorded: Vec<i128>) -> Vec<i128> {
    let heap = profile.heap.as_ref().filter(|heap| !heap.is_empty());
    if let Some(heap) = heap.filter(|_| profile.history.is_none()) {
        let (allocated, freed) = (&heap.allocated, &heap.freed);
        let (bytes, blocks) = (allocated.n_bytes(), allocated.n_blocks());
        return vec![bytes, blocks, bytes - freed.n_bytes(), blocks - freed.n_blocks()];
    }
    let mut all = recorded;
    if let Some(totals) = &profile.costs.event_totals {
        // Derived events have no totals of their own.
        for (all, &total) in all.iter_mut().zip(totals) {
            *all = i128::from(total).max(*all);
        }
    }
    if let Some(totals) = profile.costs.totals {
        let collector = i128::from(totals.collector);
        all[0] = i128::from(totals.program) + collector;
        if let Some(of_collector) = all.get_mut(1) {
            *of_collector = collector;
        }
    }
    all
}

/// Recorded totals without self cost, and the cost of the garbage collector. Recorded totals may
/// be a few ticks off, and functions with the same name may overlap. So a total is limited to the
/// range from the self cost to the whole.
pub(super) fn recorded_children(
    profile: &Profile,
    names: &NamedContexts,
    columns: &MetricColumns,
    self_costs: &Amounts,
    all: i128,
) -> Amounts {
    let n_symbols = names.table.symbols().len();
    let mut children = Amounts::exact(n_symbols, columns.metrics.len());
    let Some(inclusive) = columns.inclusive else {
        return children;
    };
    for (key, values) in profile.costs.samples.rows() {
        let SampleKey::Function(function) = key else {
            continue;
        };
        let value = |column: usize| i128::from(values[column]);
        let row = children.row_mut(names.of_function(function).index());
        let collector = columns.collected.map_or(0, value);
        row[0] += value(inclusive) + collector;
        if let Some(metric) = columns.collector {
            row[metric] += collector;
        }
    }
    for symbol in 0..n_symbols {
        let self_cost = self_costs.row(symbol)[0];
        let total = &mut children.row_mut(symbol)[0];
        *total = (*total).min(all).max(self_cost) - self_cost;
    }
    children
}

/// Maximum number of possible calls. Shared lists of callees can represent more calls than fit
/// into memory; real programs have far fewer.
const MAX_POSSIBLE: usize = 1 << 22;

/// The possible calls, by caller and callee; `None` above the maximum.
fn possible_arcs(
    costs: &RecordedCosts,
    names: &NamedContexts,
    set: &ArcSet,
) -> Option<Vec<GraphArc>> {
    if costs.possible_calls.len() > MAX_POSSIBLE {
        return None;
    }
    let calls = costs.possible_calls.iter();
    let mut ends: Vec<_> =
        calls.map(|call| (names.of(call.caller), names.of(call.callee))).collect();
    ends.sort_unstable();
    ends.dedup();
    ends.retain(|&(caller, callee)| set.contains(caller, callee));
    let arc = |(caller, callee)| GraphArc { caller, callee, count: 0 };
    Some(ends.into_iter().map(arc).collect())
}
