//! Costs from calls recorded with their costs.
//!
//! Costs of calls are inclusive, so the cost of a function's callees is the sum over its
//! calls. Recursive calls include each other:
//!
//! ```text
//! main → walk    100      walk has 10 itself, and its calls of itself have 90 and 80:
//! walk → walk    170      added up, walk would have cost more than all of main
//! ```
//!
//! So calls within a cycle, and direct recursion, do not count; calls from members to
//! functions outside of their cycle do. Other recorded costs raise the totals of members
//! (`recursive_totals`). Linear in contexts, calls and functions.
//!
//! A file may have the totals of functions as well, such as the totals that gprof propagated.
//! They replace the sums. A call whose site is unknown comes from outside of functions.

use std::sync::OnceLock;

use super::from_totals::{recorded, recorded_children};
use super::recursive_totals::RecursiveTotals;
use super::{CostGraph, CostInput, CountedCalls, CycleCosts, Flows, TotalsFrom};
use crate::analyze::amount::{Amount, Amounts};
use crate::analyze::call_graph::{CallGraph, GraphArc};
use crate::analyze::cycles::{Topology, find_cycles};
use crate::analyze::lower_bounds::LowerBounds;
use crate::analyze::propagation::CallCounts;
use crate::model::{Context, ContextId, FunctionId, Interner, Profile};
use crate::report::{Basis, MetricIndex};
use crate::symbols::SymbolId;

pub(super) fn build(mut input: CostInput<'_>) -> CostGraph {
    let has_totals = input.columns.inclusive.is_some();
    if has_totals {
        input.columns.shape.metrics[0].total_basis = Some(Basis::Propagated);
    }
    let mut recorded = recorded(&input, None);
    let n_metrics = input.columns.shape.n_amounts();
    let (calls, callers, costs) = arcs(&input);
    let topology = find_cycles(&calls);
    let recursion = recursion(&calls, &callers);
    let are_functions = recursion.is_none();
    let recursion = recursion.as_ref().unwrap_or(&topology);
    let counts = CallCounts::new(&calls, &topology);
    let mut children = Amounts::exact(calls.n_symbols(), n_metrics);
    let mut of_cycles = Amounts::exact(topology.cycles.len(), n_metrics);
    for (index, arc) in calls.arcs().iter().enumerate() {
        if recursion.are_together(callers[index], arc.callee) {
            continue;
        }
        children.add(arc.caller.index(), costs.row(index));
        if let Some(cycle) = topology.cycle_of[arc.caller.index()] {
            of_cycles.add(cycle.index(), costs.row(index));
        }
    }
    if has_totals {
        children = recorded_children(&input, &recorded);
    } else {
        let totals = RecursiveTotals::new(&input, recursion, are_functions);
        totals.raise(&mut children, &recorded.costs.self_costs, &recorded.all);
        recorded.costs.lower_bounds = LowerBounds::of_symbols(totals.lower_bounds);
    }
    let primary = input.columns.shape.primary;
    let cycles = (0..topology.cycles.len()).map(|index| CycleCosts {
        self_cost: self_cost_of_cycle(&topology, index, &recorded.costs.self_costs, primary),
        children: of_cycles.get(index, primary),
        calls: counts.cycles[index],
    });
    let cycles = cycles.collect();
    // A flat profile alone has calls, but neither callers nor totals.
    if calls.arcs().is_empty() {
        input.columns.shape.totals_from = TotalsFrom::Nothing;
    }
    recorded.costs.children = children;
    recorded.costs.flows = Some(Flows { self_costs: None, children: costs });
    let counted =
        CountedCalls { topology, functions: counts.functions, cycles, bounds: OnceLock::new() };
    let (functions, filters) = (functions(&input), input.filters);
    let graph = CostGraph::new(input.columns.shape, calls, recorded.costs);
    let graph = CostGraph { counted: Some(counted), ..graph };
    graph.focused(&filters.focus, |id| functions[id.index()])
}

/// For each symbol the representative of its function.
fn functions(&CostInput { profile, names, .. }: &CostInput<'_>) -> Vec<SymbolId> {
    let symbols = names.table.iter().map(|(id, _)| id);
    let mut functions: Vec<_> = symbols.collect();
    let contexts = (0..).map(ContextId).zip(profile.costs.contexts.iter());
    for (id, context) in contexts {
        if let Some(function) = context.function {
            functions[names.of(id).index()] = names.of_function(function);
        }
    }
    let all = (0..).map(FunctionId).take(profile.costs.functions.len());
    for function in all {
        let symbol = names.of_function(function);
        functions[symbol.index()] = symbol;
    }
    functions
}

/// The cycles of functions, if symbols are finer: a line that calls its own function is not in a
/// cycle, but its cost is part of the call.
fn recursion(calls: &CallGraph, callers: &[SymbolId]) -> Option<Topology> {
    let arcs = calls.arcs().iter().zip(callers);
    let by_function = arcs.map(|(arc, &caller)| GraphArc { caller, ..*arc });
    let is_by_function = |(arc, &caller): (&GraphArc, &SymbolId)| arc.caller == caller;
    if calls.arcs().iter().zip(callers).all(is_by_function) {
        return None;
    }
    let by_function = CallGraph::of_arcs(by_function.collect(), calls.n_symbols());
    Some(find_cycles(&by_function))
}

/// Returns whether the location of a call is unknown.
fn is_from_outside(profile: &Profile, site: ContextId) -> bool {
    profile.costs.contexts.get(site) == Context::default()
}

/// Recorded calls by their symbols; for each the symbol of the calling function; and a row of
/// costs for each.
fn arcs(input: &CostInput<'_>) -> (CallGraph, Vec<SymbolId>, Amounts) {
    let CostInput { profile, names, filters, columns } = input;
    let mut arcs: Vec<(GraphArc, SymbolId)> = Vec::new();
    let mut numbers = Interner::default();
    let recorded = &profile.costs.calls;
    let n_symbols = names.table.symbols().len();
    let mut from_outside = vec![0u64; n_symbols];
    let mut costs = Amounts::exact(recorded.len(), columns.shape.n_amounts());
    let mut row = vec![0; columns.shape.n_amounts()];
    for (call, values) in recorded.iter() {
        let (caller, callee) = (names.of(call.site), names.of_function(call.callee));
        if is_from_outside(profile, call.site) {
            let count = &mut from_outside[callee.index()];
            *count = count.saturating_add(call.count);
            continue;
        }
        if !filters.arcs.contains(caller, callee) {
            continue;
        }
        let arc = || {
            let function = profile.costs.contexts.get(call.site).function;
            let of_function = function.map_or(caller, |function| names.of_function(function));
            (GraphArc { caller, callee, count: 0 }, of_function)
        };
        let index = numbers.find((caller, callee), &mut arcs, arc) as usize;
        let count = &mut arcs[index].0.count;
        *count = count.saturating_add(call.count);
        row.fill(0);
        columns.add(&mut row, values);
        costs.add(index, &row);
    }
    let mut order: Vec<u32> = (0..).take(arcs.len()).collect();
    order.sort_unstable_by_key(|&index| {
        let (arc, _) = &arcs[index as usize];
        (arc.caller, arc.callee)
    });
    let (sorted, callers) = order.iter().map(|&index| arcs[index as usize]).unzip();
    let mut calls = CallGraph::of_arcs(sorted, n_symbols);
    calls.calls_from_outside = from_outside.into();
    (calls, callers, costs.reordered(&order))
}

fn self_cost_of_cycle(
    topology: &Topology,
    cycle: usize,
    self_costs: &Amounts,
    metric: MetricIndex,
) -> Amount {
    let members = topology.cycles[cycle].members.iter();
    let amounts = members.map(|member| self_costs.get(member.index(), metric));
    amounts.reduce(Amount::plus).unwrap_or(Amount::Exact(0))
}
