//! Columns of exact costs.

use super::{FlatColumns, FlatRow};
use crate::analyze::cost_graph::{CostGraph, TotalsFrom};
use crate::analyze::sections::table::Columns;
use crate::report::{MetricIndex, Role};

/// The recorded values of each function, in automatic width.
pub(super) fn exact_columns(costs: &CostGraph) -> FlatColumns {
    let primary = costs.shape.primary;
    let is_timed = costs.ticks_per_unit(primary).is_some();
    // If text shows ticks in seconds, only files contain the ticks.
    let id = |id: &str| costs.shown_id(id, primary);
    let head = |what: &str| [what.to_owned(), costs.unit(primary)];
    let decimals = |metric| costs.decimals_of(metric);
    let part_of = |metric: MetricIndex| costs.shape.metrics[metric].part_of_heap();
    let has_totals = costs.shape.totals_from != TotalsFrom::Nothing;
    let what = part_of(primary).filter(|_| costs.is_heap()).unwrap_or("self");
    let with_self = |columns: FlatColumns, metric: MetricIndex, what: &str| {
        let id = if metric == primary {
            id("self")
        } else {
            costs.shape.metrics[metric].id.clone().into_owned()
        };
        let head = [what.to_owned(), costs.unit(metric)];
        let columns = columns.shown(Role::SelfValue, id, head, move |row| {
            row.costs.readable(row.self_cost(metric), metric)
        });
        columns.of(metric).printed(0, decimals(metric))
    };
    let with_total = |columns: FlatColumns, metric: MetricIndex, what: &str| {
        let columns = columns.shown(Role::Total, id(what), head(what), move |row| {
            row.costs.readable(row.total(metric), metric)
        });
        columns.of(metric).printed(0, decimals(metric))
    };
    let mut columns = Columns::<FlatRow>::new()
        .shown(Role::Share, "percent", head("%"), move |row| {
            row.costs.percent(row.self_cost(primary))
        })
        .of(primary)
        .shown(Role::Cumulative, id("cumulative"), head("cumulative"), move |row| {
            row.cumulative.map(|sum| row.costs.readable(sum, primary))
        })
        .of(primary)
        .printed(0, decimals(primary));
    for metric in [primary].into_iter().chain(costs.shape.paired) {
        columns = with_self(columns, metric, what);
    }
    if has_totals {
        columns = with_total(columns, primary, "total");
    }
    if let Some(collector) = costs.shape.collector {
        columns = with_total(columns, collector, "collector");
    }
    if costs.counted.is_some() {
        columns = columns.named(Role::Calls, "calls", |row| row.calls());
    }
    let others = || (0..costs.shape.metrics.len()).filter(|&metric| metric != primary);
    if costs.is_heap() {
        for metric in others().filter(|&metric| Some(metric) != costs.shape.paired) {
            let part = part_of(metric).unwrap_or("allocated");
            columns = with_self(columns, metric, part);
            if part == "lifetime" {
                columns = columns.on_request();
            }
        }
    }
    let unnamed = if costs.is_heap() { "<no call stack>" } else { "<no function>" };
    columns = columns.named(Role::Name, "name", |row| row.name(unnamed));
    if !costs.is_heap() {
        // With many metrics, text shows only the chosen one.
        for metric in others().filter(|&metric| Some(metric) != costs.shape.collector) {
            let id = costs.shape.metrics[metric].id.clone();
            let cost = move |row: &FlatRow| row.self_cost(metric);
            columns = columns.hidden(Role::SelfValue, id, cost).of(metric);
        }
    }
    if is_timed {
        let cost = move |row: &FlatRow| row.self_cost(primary);
        columns = columns.hidden(Role::SelfValue, "self", cost).of(primary);
    }
    if is_timed && has_totals {
        let total = move |row: &FlatRow| row.total(primary);
        columns = columns.hidden(Role::Total, "total", total).of(primary);
    }
    columns
}
