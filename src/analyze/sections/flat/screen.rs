//! Columns of the flat profile on a terminal: self and total costs, and a bar.

use super::{FlatColumns, FlatRow, self_cost};
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{CostGraph, TotalsFrom};
use crate::analyze::sections::table::{Columns, RowColumn};
use crate::report::number::duration;
use crate::report::{Column, MetricIndex, Print, Role};
use crate::symbols::SymbolId;

/// The columns for a terminal: others first, and no running sums. Columns of files are kept.
pub(super) fn screen_columns(
    columns: FlatColumns,
    costs: &CostGraph,
    order: &[Option<SymbolId>],
) -> FlatColumns {
    let metric = costs.shape.primary;
    let mut columns = columns.0;
    let mut first = take(&mut columns, |column| column.id == "percent");
    first.iter_mut().for_each(|share| {
        share.column.head = ["self".into(), "%".into()];
        share.column.print = Some(SHARE);
    });
    first.extend(bar(costs, order).0);
    let is_self = |column: &Column| {
        column.role == Role::SelfValue && column.metric == Some(metric) && column.print.is_some()
    };
    first.extend(take(&mut columns, is_self));
    let is_of_self =
        |column: &Column| matches!(column.role, Role::Limit | Role::Marks) && !column.is_guess();
    first.extend(take(&mut columns, is_of_self));
    if has_totals(costs) {
        first.extend(totals(&mut columns, costs));
        first.extend(take(&mut columns, Column::is_guess));
    }
    let per_call = per_call(costs).0;
    for other in &mut columns {
        match other.column.role {
            Role::Cumulative => other.column.print = None,
            // Each row has a unit of its own instead.
            Role::PerCall if !per_call.is_empty() => other.column.print = None,
            _ => {}
        }
    }
    let is_name = |column: &FlatColumn| column.column.role == Role::Name;
    let name = columns.iter().position(is_name).unwrap_or(columns.len());
    let from_name = columns.split_off(name);
    first.extend(columns.into_iter().chain(per_call).chain(from_name));
    Columns(first)
}

type FlatColumn = RowColumn<'static, FlatRow>;

const SHARE: Print = Print::new(0, 1);

fn take(columns: &mut Vec<FlatColumn>, fits: impl Fn(&Column) -> bool) -> Vec<FlatColumn> {
    let all = std::mem::take(columns);
    let (taken, left) = all.into_iter().partition(|column| fits(&column.column));
    *columns = left;
    taken
}

/// Total costs: the percentage, and the file column with units.
fn totals(columns: &mut Vec<FlatColumn>, costs: &CostGraph) -> Vec<FlatColumn> {
    let metric = costs.shape.primary;
    let id = costs.shown_id("total", metric);
    let mut totals = take(columns, |column| column.id == *id);
    totals.iter_mut().for_each(|total| {
        total.column.head = ["total".into(), costs.unit(metric).into()];
        total.column.print = Some(Print::new(0, costs.decimals()));
    });
    let mut columns = total_percent(metric).0;
    columns.extend(totals);
    columns
}

/// Returns whether totals differ from self costs.
pub(super) fn has_totals(costs: &CostGraph) -> bool {
    match costs.shape.totals_from {
        TotalsFrom::Nothing => false,
        TotalsFrom::Calls => !costs.calls.arcs().is_empty(),
        TotalsFrom::Stacks | TotalsFrom::Arcs | TotalsFrom::Profile => true,
    }
}

/// The cost of a row relative to the first row.
fn bar(costs: &CostGraph, order: &[Option<SymbolId>]) -> FlatColumns {
    let metric = costs.shape.primary;
    let greatest = order.first().map(|&first| self_cost(costs, first, metric));
    let greatest = greatest.filter(|greatest| greatest.is_positive());
    let columns = Columns::<FlatRow>::new().shown(Role::Bar, "bar", ["", ""], move |row| {
        let greatest = greatest.filter(|_| row.rest.is_none())?;
        Some(row.self_cost(metric).as_f64() / greatest.as_f64())
    });
    columns.of(metric)
}

pub(super) fn total_percent(metric: MetricIndex) -> FlatColumns {
    let columns = Columns::<FlatRow>::new();
    let columns = columns.shown(Role::Share, "total_percent", ["total", "%"], move |row| {
        row.costs.percent(row.total(metric))
    });
    columns.of(metric).printed(SHARE.width, SHARE.decimals)
}

/// Costs per call, each in its own unit; no columns if time is not in seconds.
fn per_call(costs: &CostGraph) -> FlatColumns {
    let metric = costs.shape.primary;
    let columns = Columns::<FlatRow>::new();
    let is_timed = costs.unit(metric) == "seconds" && costs.counted.is_some();
    let Some(sampling) = costs.sampling.as_ref().filter(|_| is_timed) else {
        return columns;
    };
    let rate = sampling.scale.rate;
    let of_call = move |row: &FlatRow, cost: Amount| {
        let calls = row.calls()?;
        Some(duration(cost.as_f64() / rate / calls as f64))
    };
    let head = |what: &'static str| [what, "/call"];
    let columns = columns.shown(Role::PerCall, "self_of_call", head("self"), move |row| {
        of_call(row, row.self_cost(metric))
    });
    let columns = columns.of(metric);
    if !has_totals(costs) {
        return columns;
    }
    let columns = columns.shown(Role::PerCall, "total_of_call", head("total"), move |row| {
        of_call(row, row.total(metric))
    });
    columns.of(metric)
}
