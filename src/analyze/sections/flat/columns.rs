//! Columns of the flat profile for all kinds of profiles.

use std::sync::Arc;

use super::error::{add_error_columns, has_error};
use super::exact::exact_columns;
use super::sampled::sampled_columns;
use super::screen::{has_totals, screen_columns, total_percent};
use super::{FlatColumns, FlatRow};
use crate::analyze::cost_graph::CostGraph;
use crate::analyze::sections::Material;
use crate::analyze::sections::graph::{GraphNode, GraphRanks};
use crate::analyze::sections::uncertainty::guess_mark;
use crate::analyze::uncertainty::Ranking;
use crate::report::{Cell, Column, LOWER_BOUND, Layout, MetricIndex, Role};
use crate::symbols::SymbolId;

/// The columns. Rows refer to call-graph entries by `ranks`; `ranking` has the certainty of
/// their order.
pub(super) fn columns(
    material: &Material<'_>,
    order: &[Option<SymbolId>],
    ranks: Option<&Arc<GraphRanks>>,
    ranking: Option<Arc<Ranking>>,
) -> FlatColumns {
    let costs = &**material.costs;
    let mut columns = match material.layout() {
        Layout::Table => exact_columns(costs),
        layout => sampled_columns(costs, layout, order),
    };
    if let Some(ratio) = material.options.ratio {
        add_ratio(&mut columns, costs, ratio);
    }
    if has_error(material) {
        add_error_columns(&mut columns, costs, ranking);
    }
    if costs.costs.inlines.is_some() {
        columns = with_inlines(columns);
    }
    if costs.has_lower_bounds() {
        columns = columns.hidden(Role::Other, LOWER_BOUND, |row| {
            Cell::flag(row.rest.is_none() && row.costs.is_lower_bound(row.symbol))
        });
    }
    if let Some(ranks) = ranks {
        let ranks = Arc::clone(ranks);
        columns = columns.hidden(Role::Index, "index", move |row| {
            row.symbol.map(|id| ranks.rank(GraphNode::Function(id)))
        });
    }
    if material.marks_guesses() {
        let column = Column::guess(material.shows_marks());
        let guess = FlatColumns::new().with(column, |row| guess_mark(is_guessed(row)));
        insert_before_name(&mut columns, guess);
    }
    if material.options.is_for_screen() && material.layout() != Layout::Bsd {
        return screen_columns(columns, costs, order);
    }
    if material.options.has_all_columns && has_totals(costs) {
        let mut share = total_percent(costs.shape.primary);
        share.0.iter_mut().for_each(|share| share.column.print = None);
        columns.0.extend(share.0);
    }
    columns
}

/// Adds the ratio of two self costs before the name.
fn add_ratio(columns: &mut FlatColumns, costs: &CostGraph, [above, below]: [MetricIndex; 2]) {
    let id = |metric: MetricIndex| &costs.shape.metrics[metric].id;
    let head = [format!("{} /", id(above)), id(below).clone().into_owned()];
    let ratio = FlatColumns::new().shown(Role::Other, "ratio", head, move |row| {
        row.self_cost(above).ratio_to(row.self_cost(below))
    });
    insert_before_name(columns, ratio.printed(0, 4));
}

fn insert_before_name(columns: &mut FlatColumns, inserted: FlatColumns) {
    let name = columns.0.iter().position(|column| column.column.role == Role::Name);
    let name = name.unwrap_or(columns.0.len());
    columns.0.splice(name..name, inserted.0);
}

fn is_guessed(row: &FlatRow) -> bool {
    row.rest.is_none() && row.called().is_some_and(|id| row.costs.is_guessed(id))
}

/// Adds the columns for the call site and the nesting depth of inlined functions.
fn with_inlines(columns: FlatColumns) -> FlatColumns {
    columns
        .hidden(Role::Other, "depth", |row| row.inlined.map(|part| part.depth))
        .hidden(Role::Source, "call_file", |row| Cell::from(call(row).map(|(file, _)| file)))
        .hidden(Role::Source, "call_line", |row| call(row).map(|(_, line)| line))
}

/// The file and the line of the call of inlined code.
fn call(row: &FlatRow) -> Option<(&[u8], u32)> {
    let call = row.table.inlines()?.get(row.inlined?.id).call?;
    Some((row.table.files().name(call.file), call.line.get()))
}
