//! The index of functions by name.

use super::graph_report::GraphReport;
use super::rows::Reference;
use crate::analyze::Node;
use crate::symbols::SymbolId;

/// Every function with time or calls by name, then every cycle.
#[must_use]
pub(super) fn function_index(
    graph: &GraphReport,
    by_name: &[SymbolId],
    shows_idle: bool,
) -> Vec<Reference> {
    let is_listed = |&symbol: &SymbolId| {
        let &Node {
            calls, self_ticks, ..
        } = graph.function(symbol);
        shows_idle || calls != 0 || self_ticks != 0.0
    };
    let listed = by_name.iter().copied().filter(is_listed);
    let functions = listed.map(|symbol| graph.reference(symbol));
    functions.chain(graph.cycles()).collect()
}
