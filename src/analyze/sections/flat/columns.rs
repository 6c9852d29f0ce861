//! The columns of the flat profile that all kinds of profiles have, and how cells of
//! columns come about.

use super::FlatRow;
use std::sync::Arc;

use super::error::add_error_columns;
use super::exact::exact_columns;
use super::sampled::sampled_columns;
use super::screen::{has_totals, screen_columns, total_percent};
use crate::analyze::cost_graph::CostGraph;
use crate::analyze::sections::graph::{GraphNode, GraphRanks};
use crate::analyze::sections::{Material, name};
use crate::analyze::sureness::Ranking;
use crate::report::{Cell, Column, LOWER_BOUND, Layout, Role};
use crate::symbols::{SymbolId, SymbolTable};

/// A column, and how its cell comes about.
pub(super) struct FlatColumn<'a> {
    pub(super) column: Column,
    pub(super) cell: Box<dyn Fn(&FlatRow) -> Cell + Sync + 'a>,
}

/// The columns; rows refer to entries of the call graph by `ranks`, and are as sure of
/// their places as `ranking` has it.
pub(super) fn columns<'a>(
    material: &Material<'a>,
    order: &[Option<SymbolId>],
    ranks: Option<&'a GraphRanks>,
    ranking: Option<Arc<Ranking>>,
) -> Vec<FlatColumn<'a>> {
    let mut columns = match material.layout() {
        Layout::Table => exact_columns(material.costs),
        layout => sampled_columns(material.costs, material.table, layout, order),
    };
    if let Some(ranking) = ranking {
        add_error_columns(&mut columns, material.costs, ranking);
    }
    if material.costs.inlines.is_some() {
        columns.extend(inline_columns(material.table));
    }
    if material.costs.has_lower_bounds() {
        columns.push(lower_bound_column(material.costs));
    }
    columns.extend(ranks.map(index_column));
    if material.options.is_for_screen && material.layout() != Layout::Bsd {
        columns = screen_columns(columns, material.costs, order);
    } else if material.options.has_all_columns && has_totals(material.costs) {
        let mut share = total_percent(material.costs, material.costs.primary);
        share.column.print = None;
        columns.push(share);
    }
    columns
}

/// The name of what is left out of the costs.
const LEFT_OUT: &str = "<not asked for>";

pub(super) fn column<'a>(
    column: Column,
    cell: impl Fn(&FlatRow) -> Cell + Sync + 'a,
) -> FlatColumn<'a> {
    FlatColumn {
        column,
        cell: Box::new(cell),
    }
}

/// What says where inlined functions were called, and how deep they are nested.
fn inline_columns(table: &SymbolTable) -> Vec<FlatColumn<'_>> {
    let call = |row: &FlatRow| table.inlines()?.get(row.inlined?.id).call;
    vec![
        column(Column::hidden("depth", Role::Other), |row| {
            Cell::integer(row.inlined.map(|part| part.depth))
        }),
        column(Column::hidden("call_file", Role::Source), move |row| {
            let file = call(row).map(|call| table.files().name(call.file));
            file.map_or(Cell::Absent, Cell::text)
        }),
        column(Column::hidden("call_line", Role::Source), move |row| {
            Cell::integer(call(row).map(|call| call.line.get()))
        }),
    ]
}

fn index_column(ranks: &GraphRanks) -> FlatColumn<'_> {
    column(Column::hidden("index", Role::Index), |row| {
        Cell::integer(row.symbol.map(|id| ranks.rank(GraphNode::Function(id))))
    })
}

/// What tells the rows whose time is a lower bound.
fn lower_bound_column(costs: &CostGraph) -> FlatColumn<'_> {
    column(Column::hidden(LOWER_BOUND, Role::Other), |row| {
        Cell::flag(!row.is_rest && costs.is_lower_bound(row.symbol))
    })
}

pub(super) fn name_of(row: &FlatRow, table: Option<&SymbolTable>, nobody: &'static str) -> Cell {
    if let Some(inlines) = table.and_then(SymbolTable::inlines)
        && let Some(part) = row.inlined
    {
        return name(inlines.get(part.id).symbol);
    }
    let nobody = if row.is_rest { LEFT_OUT } else { nobody };
    row.symbol.map_or_else(|| Cell::text(nobody), name)
}
