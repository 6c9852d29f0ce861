//! The columns of the flat profile for a terminal: what functions cost themselves beside
//! what they cost with all that they call, and a bar.

use super::columns::{FlatColumn, column};
use super::{FlatRow, self_cost};
use crate::analyze::cost_graph::{CostGraph, TotalsFrom};
use crate::report::number::duration;
use crate::report::{Cell, Column, MetricIndex, Print, Role};
use crate::symbols::SymbolId;

/// The columns for a terminal, made of those for files: others stand first, and running
/// sums nowhere. What only files have they keep.
pub(super) fn screen_columns<'a>(
    mut columns: Vec<FlatColumn<'a>>,
    costs: &'a CostGraph,
    order: &[Option<SymbolId>],
) -> Vec<FlatColumn<'a>> {
    let metric = costs.primary;
    let mut first = take(&mut columns, |column| column.id == "percent");
    first.iter_mut().for_each(|share| {
        share.column.head = ["self".into(), "%".into()];
        share.column.print = Some(SHARE);
    });
    first.push(bar(costs, order));
    let is_self = |column: &Column| {
        column.role == Role::SelfValue && column.metric == Some(metric) && column.print.is_some()
    };
    first.extend(take(&mut columns, is_self));
    let is_of_self = |column: &Column| matches!(column.role, Role::Limit | Role::Marks);
    first.extend(take(&mut columns, is_of_self));
    if has_totals(costs) {
        first.extend(totals(&mut columns, costs));
    }
    let per_call = per_call(costs);
    for other in &mut columns {
        match other.column.role {
            Role::Cumulative => other.column.print = None,
            // Each row has a unit of its own instead.
            Role::PerCall if !per_call.is_empty() => other.column.print = None,
            _ => {}
        }
    }
    let is_name = |column: &FlatColumn<'_>| column.column.role == Role::Name;
    let name = columns.iter().position(is_name).unwrap_or(columns.len());
    let from_name = columns.split_off(name);
    first.extend(columns.into_iter().chain(per_call).chain(from_name));
    first
}

const SHARE: Print = Print::new(0, 1);

const AMOUNT: Print = Print::new(0, 2);

/// Takes out the columns that fit.
fn take<'a>(
    columns: &mut Vec<FlatColumn<'a>>,
    fits: impl Fn(&Column) -> bool,
) -> Vec<FlatColumn<'a>> {
    let all = std::mem::take(columns);
    let (taken, left) = all.into_iter().partition(|column| fits(&column.column));
    *columns = left;
    taken
}

/// What functions cost with all that they call: the share, and the column of files that
/// has it in units.
fn totals<'a>(columns: &mut Vec<FlatColumn<'a>>, costs: &'a CostGraph) -> Vec<FlatColumn<'a>> {
    let metric = costs.primary;
    let id = match costs.ticks_per_unit(metric) {
        Some(_) => costs.timed_id("total", metric),
        None => "total".to_owned(),
    };
    let mut totals = take(columns, |column| column.id == *id);
    totals.iter_mut().for_each(|total| {
        total.column.head = ["total".into(), costs.unit(metric).into()];
        total.column.print = Some(AMOUNT);
    });
    totals.insert(0, total_percent(costs, metric));
    totals
}

/// Whether totals say more than what functions cost themselves.
pub(super) fn has_totals(costs: &CostGraph) -> bool {
    match costs.totals_from {
        TotalsFrom::Nothing => false,
        TotalsFrom::Calls => !costs.calls.arcs().is_empty(),
        TotalsFrom::Stacks | TotalsFrom::Arcs | TotalsFrom::Profile => true,
    }
}

/// How much the row has of what the first row has.
fn bar<'a>(costs: &'a CostGraph, order: &[Option<SymbolId>]) -> FlatColumn<'a> {
    let metric = costs.primary;
    let greatest = order.first().map(|&first| self_cost(costs, first, metric));
    let greatest = greatest.filter(|greatest| greatest.is_positive());
    column(
        Column::shown("bar", Role::Bar, ["", ""]).of(metric),
        move |row| match greatest {
            Some(greatest) if !row.is_rest => {
                Cell::Real(row.self_cost(costs, metric).as_f64() / greatest.as_f64())
            }
            _ => Cell::Absent,
        },
    )
}

pub(super) fn total_percent(costs: &CostGraph, metric: MetricIndex) -> FlatColumn<'_> {
    let shown = Column::shown("total_percent", Role::Share, ["total", "%"]).of(metric);
    let shown = Column {
        print: Some(SHARE),
        ..shown
    };
    column(shown, move |row| {
        Cell::Real(costs.percent(row.total(costs, metric)))
    })
}

/// Costs of a call, each in the unit that fits it; none where time is in no seconds.
fn per_call(costs: &CostGraph) -> Vec<FlatColumn<'_>> {
    let Some(sampling) = &costs.sampling else {
        return Vec::new();
    };
    let metric = costs.primary;
    if costs.unit(metric) != "seconds" || costs.call_counts.is_none() {
        return Vec::new();
    }
    let rate = sampling.scale.rate;
    let of_call = move |row: &FlatRow, ticks: f64| {
        let calls = row.called().map(|id| costs.calls_of(id).from_others);
        match calls.filter(|&calls| calls > 0) {
            Some(calls) => Cell::text(duration(ticks / rate / calls as f64)),
            None => Cell::Absent,
        }
    };
    let head = |what: &'static str| [what, "/call"];
    let mut columns = vec![column(
        Column::shown("self_of_call", Role::PerCall, head("self")).of(metric),
        move |row| of_call(row, row.self_cost(costs, metric).as_f64()),
    )];
    if has_totals(costs) {
        columns.push(column(
            Column::shown("total_of_call", Role::PerCall, head("total")).of(metric),
            move |row| of_call(row, row.total(costs, metric).as_f64()),
        ));
    }
    columns
}
