//! The order of object files.

use super::placement::{PlacedArcs, Placement};
use super::{OrderNode, OrderedFunctions, OrderedName};
use crate::symbols::{FileMap, SymbolTable};

/// The files with a symbol, by the arcs between them, then those without, by name.
pub fn order_of_files(
    nodes: &OrderedFunctions,
    table: &SymbolTable,
    map: &FileMap,
) -> Vec<OrderedName> {
    let stands_for_file = |node: OrderNode| match nodes.name(node) {
        OrderedName::Symbol(id) => map.has_file(&table.get(id).name),
        OrderedName::Other(_) => false,
    };
    let mut placement = Placement::new(nodes);
    // Arcs of other symbols do not join files, but their calls count in shares.
    for (index, arc) in nodes.arcs.iter().enumerate() {
        let is_of_files = stands_for_file(arc.caller) && stands_for_file(arc.callee);
        placement.set_arc_placed(index, !is_of_files);
    }
    let as_recorded: Vec<_> = (0..nodes.arcs.len()).collect();
    placement.place(&nodes.arcs, &as_recorded, PlacedArcs::Busiest);
    let files = table.iter().map(|(id, _)| OrderNode::from(id));
    placement.put_rest(files.filter(|&node| stands_for_file(node)));
    let placed = placement.into_order().into_iter();
    let others = map.files_without_symbol(table);
    placed
        .map(|node| nodes.name(node))
        .chain(others.map(|name| OrderedName::Other(name.into())))
        .collect()
}
