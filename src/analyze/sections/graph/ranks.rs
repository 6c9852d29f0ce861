//! The order of functions and cycles, and their index numbers.

use std::cmp::Ordering;

use crate::analyze::cost_graph::{CostGraph, CycleCosts, TotalsFrom};
use crate::analyze::cycles::CycleNumber;
use crate::analyze::sections::Material;
use crate::symbols::{Granularity, SymbolId, SymbolTable};
use crate::threads;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analyze::sections) enum GraphNode {
    Function(SymbolId),
    Cycle(CycleNumber),
}

/// Functions and cycles in order, their index numbers, and which of them have entries.
#[derive(Debug)]
pub struct GraphRanks {
    pub(super) order: Vec<GraphNode>,
    function_ranks: Box<[u32]>,
    cycle_ranks: Box<[u32]>,
    has_entry: Box<[bool]>,
    cycles_have_entries: bool,
}

impl GraphRanks {
    /// Ranks everything by total. Index numbers do not depend on filters.
    pub fn new(material: &Material<'_>) -> Self {
        let arcs_of_note = nodes_with_calls(material);
        let shows_zero_cost = material.options.shows_zero_cost;
        let is_zero_cost = |id: SymbolId| {
            !shows_zero_cost && !arcs_of_note[id.index()] && is_zero_cost(material.costs, id)
        };
        let mut order = order(material);
        if material.costs.counted.is_none() {
            order.retain(|node| !matches!(node, GraphNode::Function(id) if is_zero_cost(*id)));
        }
        let mut function_ranks = vec![0; material.costs.n_nodes()];
        let mut cycle_ranks = vec![0; material.costs.cycles().len()];
        for (rank, node) in (1..).zip(&order) {
            match node {
                GraphNode::Function(id) => function_ranks[id.index()] = rank,
                GraphNode::Cycle(cycle) => cycle_ranks[cycle.index()] = rank,
            }
        }
        let ids = material.table.iter().map(|(id, _)| id);
        let has_entry = ids.map(|id| {
            material.filters.graph.contains(id)
                && can_have_entry(material.table, id)
                && !is_zero_cost(id)
        });
        Self {
            order,
            function_ranks: function_ranks.into(),
            cycle_ranks: cycle_ranks.into(),
            has_entry: has_entry.collect(),
            cycles_have_entries: material.filters.graph.is_all()
                && material.table.granularity() != Granularity::Lines,
        }
    }

    pub(in crate::analyze::sections) fn rank(&self, node: GraphNode) -> u32 {
        match node {
            GraphNode::Function(id) => self.function_ranks[id.index()],
            GraphNode::Cycle(cycle) => self.cycle_ranks[cycle.index()],
        }
    }

    pub(in crate::analyze::sections) fn has_entry(&self, node: GraphNode) -> bool {
        match node {
            GraphNode::Function(id) => self.has_entry[id.index()],
            GraphNode::Cycle(_) => self.cycles_have_entries,
        }
    }
}

/// In profiles by line, only functions have entries.
fn can_have_entry(table: &SymbolTable, id: SymbolId) -> bool {
    match table.granularity() {
        Granularity::Functions => true,
        Granularity::Lines => table.get(id).is_function,
        Granularity::Inlines => table.enclosing_function(id) == id,
    }
}

fn is_zero_cost(costs: &CostGraph, id: SymbolId) -> bool {
    let metrics = || costs.shown_metrics();
    costs.is_free(id)
        && metrics().all(|metric| costs.children(id, metric).is_zero())
        && !costs.is_called(id)
}

/// The functions at the ends of arcs with possible flow.
fn nodes_with_calls(material: &Material<'_>) -> Vec<bool> {
    let costs = material.costs;
    let mut has_call = vec![false; costs.n_nodes()];
    // Counted calls show in the counts.
    if costs.counted.is_none() {
        for (index, arc) in (0..).zip(costs.calls.arcs()) {
            if is_of_note(costs, index) {
                has_call[arc.caller.index()] = true;
                has_call[arc.callee.index()] = true;
            }
        }
    }
    has_call
}

/// Returns whether something may have flowed along an arc.
pub(super) fn is_of_note(costs: &CostGraph, arc: u32) -> bool {
    let flowed = |metric| {
        let flow = costs.flow(arc, metric);
        flow.is_none_or(|flow| !flow.total().is_zero())
    };
    costs.counted.is_some() || costs.shown_metrics().any(flowed)
}

/// By total, then cycles by number before functions. Equal functions: by self cost, or names
/// without leading `_` first and more calls first; finally by name.
fn order(material: &Material<'_>) -> Vec<GraphNode> {
    let &Material { costs, table, .. } = material;
    let functions = table.iter().map(|(id, _)| GraphNode::Function(id));
    let cycles = (1..).map(CycleNumber).take(costs.cycles().len());
    let primary = costs.shape.primary;
    let total = |node: GraphNode| match node {
        GraphNode::Function(id) => costs.total(id, primary),
        GraphNode::Cycle(cycle) => {
            let CycleCosts { self_cost, children, .. } = *costs.cycle(cycle);
            self_cost.plus(children)
        }
    };
    let formatted = |id: SymbolId| &*table.get(id).name;
    let compare_functions = |a: SymbolId, b: SymbolId| {
        if costs.shape.totals_from != TotalsFrom::Calls {
            return costs.self_cost(b, primary).compare(costs.self_cost(a, primary));
        }
        let is_low = |id| formatted(id).starts_with(b"_");
        let calls = |id| costs.calls_of(id).from_others;
        is_low(a).cmp(&is_low(b)).then_with(|| calls(b).cmp(&calls(a)))
    };
    let all = functions.chain(cycles.map(GraphNode::Cycle));
    let mut order: Vec<_> = all.map(|node| (total(node), node)).collect();
    threads::sort_by(&mut order, |&(a_total, a), &(b_total, b)| {
        let by_total = b_total.compare(a_total);
        by_total.then_with(|| match (a, b) {
            (GraphNode::Function(a), GraphNode::Function(b)) => {
                compare_functions(a, b).then_with(|| material.compare_names(a, b))
            }
            (GraphNode::Cycle(a), GraphNode::Cycle(b)) => a.cmp(&b),
            (GraphNode::Cycle(_), GraphNode::Function(_)) => Ordering::Less,
            (GraphNode::Function(_), GraphNode::Cycle(_)) => Ordering::Greater,
        })
    });
    order.into_iter().map(|(_, node)| node).collect()
}
