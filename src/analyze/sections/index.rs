//! The index of the call graph: entries by name.

use super::graph::{GraphNode, GraphRanks};
use super::table::Columns;
use super::{Material, name};
use crate::analyze::cycles::CycleNumber;
use crate::report::Role::{Index, Name};
use crate::report::{RowKind, Section, SectionId};
use crate::symbols::SymbolId;
use crate::threads;

/// Functions with an entry by name, then cycles.
pub fn index_section(material: &Material<'_>, ranks: &GraphRanks) -> Section {
    let &Material { costs, table, .. } = material;
    let is_listed = |&id: &SymbolId| {
        // Functions that only pass on time are in the graph alone.
        let is_called = costs.counted.is_none()
            || costs.calls_of(id).from_others != 0
            || costs.calls.is_inlined(id)
            || !costs.is_free(id)
            || material.options.shows_zero_cost;
        ranks.has_entry(GraphNode::Function(id)) && is_called
    };
    let mut symbols: Vec<_> = table.iter().map(|(id, _)| id).filter(is_listed).collect();
    threads::sort_by(&mut symbols, |&a, &b| material.compare_names(a, b));
    let cycles = (1..).map(CycleNumber).take(costs.cycles().len());
    let is_left_out = |cycle| {
        let is_zero_cost = costs.cycle(cycle).is_zero_cost() && !material.options.shows_zero_cost;
        costs.focus().is_some() && is_zero_cost
    };
    let cycles = cycles.filter(|&cycle| ranks.has_entry(GraphNode::Cycle(cycle)));
    let functions = symbols.into_iter().map(GraphNode::Function);
    let functions = functions.map(|node| (RowKind::Entry, node));
    let cycles = cycles.filter(|&cycle| !is_left_out(cycle));
    let cycles = cycles.map(|cycle| (RowKind::Cycle, GraphNode::Cycle(cycle)));
    let columns = Columns::<GraphNode>::new()
        .named(Index, "index", |&node| ranks.rank(node))
        .named(Name, "name", |&node| match node {
            GraphNode::Function(id) => name(id),
            GraphNode::Cycle(cycle) => format!("<cycle {}>", cycle.0).into(),
        });
    let (id, title) = (SectionId::Index, "Index by function name");
    Section { layout: material.layout(), ..columns.table_of(id, title, functions.chain(cycles)) }
}
