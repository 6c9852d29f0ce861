//! Costs from values recorded with call stacks.

use super::focus::contexts_in;
use super::from_totals::recorded;
use super::{CostGraph, CostInput, Flows};
use crate::analyze::call_graph::CallGraph;
use crate::analyze::flows::along_stacks;

pub(super) fn build(input: CostInput<'_>) -> CostGraph {
    let &CostInput { profile, names, filters, .. } = &input;
    let focus = contexts_in(&profile.costs.contexts, names, filters);
    let mut recorded = recorded(&input, focus);
    let costs = &mut recorded.costs;
    let n_symbols = names.table.symbols().len();
    let n_metrics = input.columns.shape.n_amounts();
    let along = along_stacks(&profile.costs, &costs.by_context, names, &filters.arcs, n_metrics);
    costs.children = along.totals;
    for symbol in 0..n_symbols {
        subtract(costs.children.row_mut(symbol), costs.self_costs.row(symbol));
    }
    let mut children = along.arc_totals;
    for arc in 0..along.arcs.len() {
        subtract(children.row_mut(arc), along.arc_self_costs.row(arc));
    }
    costs.flows = Some(Flows { self_costs: Some(along.arc_self_costs), children });
    CostGraph::new(input.columns.shape, CallGraph::of_arcs(along.arcs, n_symbols), recorded.costs)
}

fn subtract(from: &mut [i128], amounts: &[i128]) {
    for (from, amount) in from.iter_mut().zip(amounts) {
        *from -= amount;
    }
}
