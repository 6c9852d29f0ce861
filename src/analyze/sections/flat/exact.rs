//! The columns of values that were recorded of each function.

use super::calls;
use super::columns::{FlatColumn, column, name_of};
use crate::analyze::cost_graph::{CostGraph, Measured, TotalsFrom};
use crate::report::{Cell, Column, MetricIndex, Role};

/// What was recorded of each function, in columns as wide as they have to be.
pub(super) fn exact_columns(costs: &CostGraph) -> Vec<FlatColumn<'_>> {
    let primary = costs.primary;
    let unit = costs.unit(primary);
    let head = |what: &str| [what.to_owned(), unit.clone()];
    let is_timed = costs.ticks_per_unit(primary).is_some();
    // Where ticks are shown in seconds, the ticks themselves stand behind the scenes.
    let id = |id: &str| {
        if is_timed {
            costs.timed_id(id, primary)
        } else {
            id.to_owned()
        }
    };
    let what_of = |metric: MetricIndex| {
        if costs.metrics[metric].id.starts_with("unfreed") {
            "unfreed"
        } else {
            "allocated"
        }
    };
    let has_totals = costs.totals_from != TotalsFrom::Nothing;
    let is_unfreed = costs.measured == Measured::Heap && what_of(primary) == "unfreed";
    let what = if is_unfreed { "unfreed" } else { "self" };
    let self_column = |metric: MetricIndex, what: &str| {
        let id = if metric == primary {
            id("self")
        } else {
            costs.metrics[metric].id.clone().into_owned()
        };
        let head = [what.to_owned(), costs.unit(metric)];
        column(
            Column::shown(id, Role::SelfValue, head).of(metric),
            move |row| costs.readable(row.self_cost(costs, metric), metric),
        )
    };
    let mut columns = vec![
        column(
            Column::shown("percent", Role::Share, head("%").map(|line| line)).of(primary),
            move |row| Cell::Real(costs.percent(row.self_cost(costs, primary))),
        ),
        column(
            Column::shown(id("cumulative"), Role::Cumulative, head("cumulative")).of(primary),
            move |row| {
                row.cumulative
                    .map_or(Cell::Absent, |sum| costs.readable(sum, primary))
            },
        ),
        self_column(primary, what),
    ];
    columns.extend(costs.paired.map(|paired| self_column(paired, what)));
    if has_totals {
        columns.push(column(
            Column::shown(id("total"), Role::Total, head("total")).of(primary),
            move |row| costs.readable(row.total(costs, primary), primary),
        ));
    }
    if let Some(collector) = costs.collector {
        columns.push(column(
            Column::shown(id("collector"), Role::Total, head("collector")).of(collector),
            move |row| costs.readable(row.total(costs, collector), collector),
        ));
    }
    if costs.call_counts.is_some() {
        columns.push(column(
            Column::shown("calls", Role::Calls, ["", "calls"]),
            move |row| match calls(costs, row.called()) {
                0 => Cell::Absent,
                calls => Cell::Integer(calls.into()),
            },
        ));
    }
    if costs.measured == Measured::Heap {
        let others = (0..costs.metrics.len()).filter(|&m| m != primary && Some(m) != costs.paired);
        columns.extend(others.map(|metric| self_column(metric, what_of(metric))));
    }
    columns.push(column(
        Column::shown("name", Role::Name, ["", "name"]),
        |row| name_of(row, None, "<no call stack>"),
    ));
    if costs.measured == Measured::Events {
        // Of many events text shows the one that was chosen.
        let others = (0..costs.metrics.len()).filter(|&metric| metric != primary);
        columns.extend(others.map(|metric| FlatColumn {
            column: Column::hidden(costs.metrics[metric].id.clone(), Role::SelfValue).of(metric),
            cell: Box::new(move |row| row.self_cost(costs, metric).into()),
        }));
    }
    if is_timed {
        columns.push(column(
            Column::hidden("self", Role::SelfValue).of(primary),
            move |row| row.self_cost(costs, primary).into(),
        ));
        if has_totals {
            columns.push(column(
                Column::hidden("total", Role::Total).of(primary),
                move |row| row.total(costs, primary).into(),
            ));
        }
    }
    columns
}
