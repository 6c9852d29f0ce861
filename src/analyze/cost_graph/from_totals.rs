//! Costs from values of functions, and from recorded totals.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::focus::FocusPart;
use super::{CostGraph, CostInput, Costs, TotalsFrom, has_stacks};
use crate::analyze::amount::{Amount, Amounts, add};
use crate::analyze::call_graph::{CallGraph, GraphArc};
use crate::analyze::cycles::find_cycles;
use crate::analyze::flows::ContextCosts;
use crate::analyze::lower_bounds::LowerBounds;
use crate::filter::ArcSet;
use crate::limits::MOST_CALLS;
use crate::model::{Profile, RecordedCosts, SampleKey};
use crate::symbols::NamedContexts;

pub(super) fn build(mut input: CostInput<'_>) -> CostGraph {
    if input.columns.inclusive.is_some() {
        input.columns.shape.totals_from = TotalsFrom::Profile;
    }
    let &CostInput { profile, names, filters, .. } = &input;
    let mut recorded = recorded(&input, None);
    let arcs = possible_arcs(&profile.costs, names, &filters.arcs);
    let is_cut = arcs.is_none();
    let n_symbols = names.table.symbols().len();
    let mut calls = CallGraph::of_arcs(arcs.unwrap_or_default(), n_symbols);
    calls.is_cut = is_cut;
    recorded.costs.children = recorded_children(&input, &recorded);
    recorded.costs.lower_bounds = limit_nested(&input, &calls, &mut recorded.costs);
    recorded.costs.collected = profile.costs.totals.map(|totals| totals.collector.into());
    CostGraph::new(input.columns.shape, calls, recorded.costs)
}

pub(super) struct RecordedTotals {
    /// Self costs, without those of callees.
    pub(super) costs: Costs,
    /// The whole cost, charged or not.
    pub(super) all: Vec<i128>,
}

/// Adds up values by context and by symbol. Values of functions are sums over their contexts,
/// so only the latter are added up, and with `focus`, only its contexts.
pub(super) fn recorded(input: &CostInput<'_>, focus: Option<Box<[bool]>>) -> RecordedTotals {
    let CostInput { profile, names, filters, columns } = input;
    let n_metrics = columns.shape.n_amounts();
    let samples = &profile.costs.samples;
    let mut self_costs = Amounts::exact(names.table.symbols().len(), n_metrics);
    // Only leaks and call stacks need the costs of single contexts, and callgrind may have
    // a number for each of 32 events in five bytes.
    let has_amounts = columns.shape.is_heap || has_stacks(profile);
    let mut amounts = has_amounts.then(|| Amounts::exact(samples.len(), n_metrics));
    let mut contexts = Vec::new();
    let mut row = vec![0; n_metrics];
    let (mut everything, mut charged) = (vec![0; n_metrics], vec![0; n_metrics]);
    let mut is_filtered = false;
    for (key, values) in samples.rows() {
        let Some(context) = key.context() else {
            continue;
        };
        row.fill(0);
        columns.add(&mut row, values);
        add(&mut everything, &row);
        let symbol = names.of(context);
        if !filters.time.contains(symbol) {
            is_filtered = true;
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
    let is_whole = is_exact && !is_filtered && filters.flat.is_all();
    let mut unattributed: Vec<_> = rest.map(|rest| if is_whole { rest } else { 0 }).collect();
    if filters.focus.has_focus() && focus.is_some() {
        unattributed.fill(0);
    }
    let exact = |amounts: &[i128]| amounts.iter().copied().map(Amount::Exact).collect();
    let costs = Costs {
        children: Amounts::exact(0, n_metrics),
        flows: None,
        self_costs,
        all: exact(&all),
        unattributed: exact(&unattributed),
        collected: None,
        by_context: ContextCosts { contexts, amounts },
        lower_bounds: LowerBounds::default(),
        is_filtered,
        focus: focus.map(FocusPart::Stacks),
        inlines: None,
    };
    RecordedTotals { costs, all }
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
pub(super) fn recorded_children(input: &CostInput<'_>, recorded: &RecordedTotals) -> Amounts {
    let CostInput { names, columns, .. } = input;
    let n_symbols = names.table.symbols().len();
    let mut children = Amounts::exact(n_symbols, columns.shape.n_amounts());
    let Some(inclusive) = columns.inclusive else {
        return children;
    };
    for (symbol, [total, collector]) in whole_functions(input, inclusive) {
        children.plus(symbol, 0, Amount::Exact(total));
        if let Some(metric) = columns.shape.collector {
            children.plus(symbol, metric, Amount::Exact(collector));
        }
    }
    for symbol in 0..n_symbols {
        let self_cost = recorded.costs.self_costs.get_exact(symbol, 0);
        let total = children.get_exact(symbol, 0).min(recorded.all[0]).max(self_cost);
        children.set(symbol, 0, total - self_cost);
    }
    children
}

/// The symbol, total and collector's part of each function with recorded totals.
fn whole_functions(
    input: &CostInput<'_>,
    inclusive: usize,
) -> impl Iterator<Item = (usize, [i128; 2])> {
    let CostInput { profile, names, columns, .. } = input;
    profile.costs.samples.rows().filter_map(move |(key, values)| {
        let SampleKey::Function(function) = key else { return None };
        let collector = columns.collected.map_or(0, |column| i128::from(values[column]));
        let total = i128::from(values[inclusive]) + collector;
        Some((names.of_function(function).index(), [total, collector]))
    })
}

/// Limits the totals of symbols whose functions may be active together to the largest of them,
/// and returns these symbols. The sum would count the cost of those inside of others twice.
fn limit_nested(input: &CostInput<'_>, calls: &CallGraph, costs: &mut Costs) -> LowerBounds {
    let columns = &input.columns;
    let Some(inclusive) = columns.inclusive else {
        return LowerBounds::default();
    };
    let mut largest: HashMap<usize, (u64, [i128; 2]), RandomState> = HashMap::default();
    for (symbol, [total, collector]) in whole_functions(input, inclusive) {
        let (n_functions, [most, most_collector]) = largest.entry(symbol).or_default();
        *n_functions += u64::from(total > 0);
        (*most, *most_collector) = ((*most).max(total), (*most_collector).max(collector));
    }
    largest.retain(|_, (n_functions, _)| *n_functions > 1);
    if largest.is_empty() {
        return LowerBounds::default();
    }
    let mut is_recursive: Vec<_> =
        find_cycles(calls).cycle_of.iter().map(|cycle| cycle.is_some() || calls.is_cut).collect();
    for arc in calls.arcs().iter().filter(|arc| arc.is_self_call()) {
        is_recursive[arc.caller.index()] = true;
    }
    largest.retain(|&symbol, _| is_recursive[symbol]);
    let mut are_limited = vec![false; is_recursive.len()];
    for (symbol, (_, [total, collector])) in largest {
        are_limited[symbol] = true;
        let below = total - costs.self_costs.get_exact(symbol, 0);
        let children = costs.children.get_exact(symbol, 0);
        costs.children.set(symbol, 0, children.min(below.max(0)));
        if let Some(metric) = columns.shape.collector {
            costs.children.set(symbol, metric, collector);
        }
    }
    LowerBounds::of_symbols(are_limited)
}

/// The possible calls, by caller and callee; `None` above the maximum.
fn possible_arcs(
    costs: &RecordedCosts,
    names: &NamedContexts,
    set: &ArcSet,
) -> Option<Vec<GraphArc>> {
    if costs.possible_calls.len() > MOST_CALLS {
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
