//! The order of object files.

use super::super::GraphReport;
use super::placement::{Extent, Placement};
use super::{NodeId, OrderArc, OrderedName, busiest_first};
use crate::symbols::{FileMap, SymbolId, SymbolTable};

/// The files that symbols stand for, by the arcs between them, then those that
/// none stands for, by name.
pub(super) fn order(report: &GraphReport, table: &SymbolTable, map: &FileMap) -> Vec<OrderedName> {
    let stands_for_file = |symbol: SymbolId| map.has_file(&table.get(symbol).name);
    let arcs: Vec<OrderArc> = report
        .graph()
        .arcs()
        .iter()
        .filter(|arc| !arc.is_self_call())
        .filter(|arc| stands_for_file(arc.caller) && stands_for_file(arc.callee))
        .map(|arc| OrderArc {
            caller: arc.caller.into(),
            callee: arc.callee.into(),
            count: arc.count,
        })
        .collect();
    let mut placement = Placement::new(table.symbols().len(), &arcs);
    let busiest = busiest_first(&arcs, (0..arcs.len()).collect());
    placement.place(&arcs, &busiest, Extent::Busiest);
    let files = table.iter().map(|(id, _)| id);
    placement.put_rest(files.filter(|&id| stands_for_file(id)).map(NodeId::from));
    let placed = placement.into_order();
    let ids: Vec<_> = table.iter().map(|(id, _)| id).collect();
    let symbols = placed
        .into_iter()
        .map(|node| OrderedName::Symbol(ids[node.0]));
    let others = map.files_without_symbol(table);
    symbols
        .chain(others.map(|name| OrderedName::File(name.into())))
        .collect()
}
