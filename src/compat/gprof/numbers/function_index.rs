//! The index of functions by name.

use super::entries::{GraphReport, Reference};
use crate::analyze::Node;
use crate::symbols::{SymbolId, SymbolTable};

/// Every function with time or calls by name, then every cycle.
#[must_use]
pub(super) fn function_index(
    graph: &GraphReport,
    table: &SymbolTable,
    shows_idle: bool,
) -> Vec<Reference> {
    let is_listed = |&symbol: &SymbolId| {
        let &Node {
            calls, self_ticks, ..
        } = graph.function(symbol);
        shows_idle || calls != 0 || self_ticks != 0.0
    };
    let mut symbols: Vec<_> = table.iter().map(|(id, _)| id).filter(is_listed).collect();
    symbols.sort_by(|&a, &b| table.get(a).name.cmp(&table.get(b).name));
    let functions = symbols.into_iter().map(|symbol| graph.reference(symbol));
    functions.chain(graph.cycles()).collect()
}
