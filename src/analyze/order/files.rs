//! The order of object files.

use super::super::call_graph::CallGraph;
use super::placement::{PlacedArcs, Placement};
use super::{OrderArc, OrderNode, OrderedName};
use crate::symbols::{FileMap, SymbolId, SymbolTable};

/// The files with a symbol, by the arcs between them, then those without, by name.
pub fn order_of_files(graph: &CallGraph, table: &SymbolTable, map: &FileMap) -> Vec<OrderedName> {
    let stands_for_file = |symbol: SymbolId| map.has_file(&table.get(symbol).name);
    let recorded = graph.arcs().iter().filter(|arc| !arc.is_self_call());
    let arcs: Vec<_> = OrderArc::all(graph).collect();
    let mut placement = Placement::new(table.symbols().len(), Vec::new(), &arcs);
    // Arcs of other symbols join nothing, but their calls count in shares.
    for (index, arc) in recorded.enumerate() {
        let is_of_files = stands_for_file(arc.caller) && stands_for_file(arc.callee);
        placement.set_arc_placed(index, !is_of_files);
    }
    let as_recorded: Vec<_> = (0..arcs.len()).collect();
    placement.place(&arcs, &as_recorded, PlacedArcs::Busiest);
    let files = table.iter().map(|(id, _)| id);
    placement.put_rest(files.filter(|&id| stands_for_file(id)).map(OrderNode::from));
    let placed = placement.into_order();
    let ids: Vec<_> = table.iter().map(|(id, _)| id).collect();
    let symbols = placed
        .into_iter()
        .map(|node| OrderedName::Symbol(ids[node.0]));
    let others = map.files_without_symbol(table);
    symbols
        .chain(others.map(|name| OrderedName::Other(name.into())))
        .collect()
}
