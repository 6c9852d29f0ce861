//! The index of the call graph: entries by name.

use super::graph::{GraphNode, GraphRanks};
use super::{Material, name};
use crate::analyze::cycles::CycleNumber;
use crate::report::{Cell, Column, Role, RowKind, RowTable, Section, SectionId};
use crate::symbols::SymbolId;
use crate::threads;

/// Every function with an entry by name, then every cycle.
#[must_use]
pub fn index_section<'a>(material: &Material<'a>, ranks: &GraphRanks) -> Section<'a> {
    let &Material { costs, table, .. } = material;
    let is_listed = |&id: &SymbolId| {
        // Those that only passed time on stand in the graph alone.
        let is_called = costs.call_counts.is_none()
            || costs.calls_of(id).from_others != 0
            || !costs.is_free(id)
            || material.options.shows_idle;
        ranks.has_entry(GraphNode::Function(id)) && is_called
    };
    let mut symbols: Vec<_> = table.iter().map(|(id, _)| id).filter(is_listed).collect();
    threads::sort_by(&mut symbols, |&a, &b| material.compare_names(a, b));
    let mut rows = RowTable::default();
    for id in symbols {
        let rank = ranks.rank(GraphNode::Function(id));
        rows.push(RowKind::Entry, [Cell::integer(Some(rank)), name(id)]);
    }
    let cycles = (1..).map(CycleNumber).take(costs.cycles.len());
    let is_left_out = |cycle| {
        let is_idle = costs.cycle(cycle).is_idle() && !material.options.shows_idle;
        costs.focus.is_some() && is_idle
    };
    let cycles = cycles.filter(|&cycle| ranks.has_entry(GraphNode::Cycle(cycle)));
    for cycle in cycles.filter(|&cycle| !is_left_out(cycle)) {
        let rank = ranks.rank(GraphNode::Cycle(cycle));
        let spelled = Cell::text(format!("<cycle {}>", cycle.0));
        rows.push(RowKind::Cycle, [Cell::integer(Some(rank)), spelled]);
    }
    let columns = [
        Column::shown("index", Role::Index, ["", "index"]),
        Column::shown("name", Role::Name, ["", "name"]),
    ];
    let title = "Index by function name";
    Section::new(SectionId::Index, title, material.layout(), columns, rows)
}
