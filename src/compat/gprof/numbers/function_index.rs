//! The index of functions by name.

use super::graph_report::GraphReport;
use super::name_order::NameOrder;
use super::rows::GraphNode;
use crate::analyze::Node;

/// Every function with time or calls by name, then every cycle.
#[must_use]
pub(super) fn function_index(
    graph: &GraphReport,
    by_name: &NameOrder,
    shows_idle: bool,
) -> Vec<GraphNode> {
    let is_listed = |node: &Node| shows_idle || node.calls != 0 || node.self_ticks != 0.0;
    // They are large, so each is looked at when it is its turn in memory.
    let is_listed: Vec<bool> = graph.functions().iter().map(is_listed).collect();
    let listed = by_name.symbols.iter().copied();
    let listed = listed.filter(|symbol| is_listed[symbol.index()]);
    let functions = listed.map(GraphNode::Function);
    functions.chain(graph.cycles()).collect()
}
