//! The columns of sampled profiles.

use super::{FlatColumns, FlatRow};
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::CostGraph;
use crate::analyze::scale::{UnfitPrefixes, UnitPrefix};
use crate::analyze::sections::table::Columns;
use crate::report::{Layout, Role};
use crate::symbols::SymbolId;

/// The columns of gprof, and their terms for files.
pub(super) fn sampled_columns(
    costs: &CostGraph,
    layout: Layout,
    order: &[Option<SymbolId>],
) -> FlatColumns {
    let Some(sampling) = &costs.sampling else {
        return Columns::new();
    };
    let metric = costs.shape.primary;
    let rate = sampling.scale.rate;
    let is_bsd = layout == Layout::Bsd;
    let prefix = if is_bsd {
        UnitPrefix::MILLI
    } else {
        let greatest = greatest_cost(costs, order) / rate;
        UnitPrefix::for_greatest(greatest, &UNFIT_PREFIXES)
    };
    let unit = costs.unit(metric);
    let per_call = String::from_utf8_lossy(&prefix.per_call(&sampling.scale)).into_owned();
    let timed = |id: &str| costs.timed_id(id, metric);
    let cost_of_call = move |row: &FlatRow, cost: Amount| {
        let n_calls = row.calls()?;
        Some(prefix.factor * cost.as_f64() / rate / n_calls as f64)
    };
    let (percent_width, decimals, cumulative_width) = if is_bsd { (5, 1, 10) } else { (6, 2, 9) };
    let time_decimals = costs.decimals();
    let timed_width = |width: u8| width + time_decimals - 2;
    let percent_head = if is_bsd { ["%  ", "time"] } else { ["%   ", "time "] };
    let head = |what: &str, unit: &str| [what.to_owned(), unit.to_owned()];
    let cumulative = head("cumulative", &format!("{unit} "));
    let columns = Columns::<FlatRow>::new()
        .shown(Role::Share, "percent", percent_head, move |row| {
            row.costs.percent(row.self_cost(metric))
        })
        .of(metric)
        .printed(percent_width, decimals)
        .shown(Role::Cumulative, timed("cumulative"), cumulative, move |row| {
            row.cumulative.map(|sum| row.costs.timed(sum, metric))
        })
        .of(metric)
        .printed(timed_width(cumulative_width), time_decimals)
        .shown(Role::SelfValue, timed("self"), head("self  ", &unit), move |row| {
            row.costs.timed(row.self_cost(metric), metric)
        })
        .of(metric)
        .printed(timed_width(8), time_decimals)
        .named(Role::Calls, "calls", move |row| row.calls())
        .printed(8, 0)
        .shown(Role::PerCall, "self_per_call", head("self  ", &per_call), move |row| {
            cost_of_call(row, row.self_cost(metric))
        })
        .of(metric)
        .printed(8, 2)
        .shown(Role::PerCall, "total_per_call", head("total ", &per_call), move |row| {
            cost_of_call(row, row.total(metric))
        })
        .of(metric)
        .printed(8, 2)
        .named(Role::Name, "name", |row| row.name("<no function>"))
        .hidden(Role::SelfValue, "self", move |row| row.self_cost(metric))
        .of(metric)
        .hidden(Role::Total, "total", move |row| row.total(metric))
        .of(metric)
        .hidden(Role::Total, timed("total"), move |row| row.costs.timed(row.total(metric), metric))
        .of(metric);
    if !is_bsd {
        return columns;
    }
    columns.hidden(Role::Index, "cycle", move |row| {
        let cycle = row.symbol.and_then(|id| row.costs.cycle_of(id));
        cycle.map(|cycle| cycle.0)
    })
}

/// Units of costs per call that no prefix fits.
const UNFIT_PREFIXES: UnfitPrefixes =
    UnfitPrefixes { idle: UnitPrefix::NONE, beyond: UnitPrefix::NONE };

/// The largest total ticks per call.
fn greatest_cost(costs: &CostGraph, order: &[Option<SymbolId>]) -> f64 {
    let of_calls = order.iter().flatten().filter_map(|&id| {
        let n_calls = costs.calls_of(id).from_others;
        (n_calls > 0).then(|| costs.total(id, costs.shape.primary).as_f64() / n_calls as f64)
    });
    of_calls.fold(0.0, f64::max)
}
