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
    costs.children.subtract(&costs.self_costs);
    let mut children = along.arc_totals;
    children.subtract(&along.arc_self_costs);
    costs.flows = Some(Flows { self_costs: Some(along.arc_self_costs), children });
    CostGraph::new(input.columns.shape, CallGraph::of_arcs(along.arcs, n_symbols), recorded.costs)
}
