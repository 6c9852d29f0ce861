//! The columns of sampled profiles.

use super::FlatRow;
use super::calls;
use super::columns::{FlatColumn, column, name_of};
use crate::analyze::cost_graph::CostGraph;
use crate::analyze::scale::{UnfitPrefixes, UnitPrefix};
use crate::report::{Cell, Column, Layout, Role};
use crate::symbols::{SymbolId, SymbolTable};

/// The columns that gprof's users know, and behind the scenes what they were made of.
pub(super) fn sampled_columns<'a>(
    costs: &'a CostGraph,
    table: &'a SymbolTable,
    layout: Layout,
    order: &[Option<SymbolId>],
) -> Vec<FlatColumn<'a>> {
    let Some(sampling) = &costs.sampling else {
        return Vec::new();
    };
    let metric = costs.primary;
    let rate = sampling.scale.rate;
    let is_bsd = layout == Layout::Bsd;
    let prefix = if is_bsd {
        UnitPrefix::MILLI
    } else {
        let greatest = greatest_cost(costs, order) / rate;
        UnitPrefix::for_greatest(greatest, &UNFIT_PREFIXES)
    };
    let unit = format!("{} ", costs.unit(metric));
    let per_call = String::from_utf8_lossy(&prefix.per_call(&sampling.scale)).into_owned();
    let timed = |id: &str| costs.timed_id(id, metric);
    let cost_of_call = move |row: &FlatRow, amount: fn(&CostGraph, SymbolId) -> f64| {
        let symbol = row
            .called()
            .filter(|&id| costs.calls_of(id).from_others > 0);
        symbol.map_or(Cell::Absent, |id| {
            let n_calls = costs.calls_of(id).from_others as f64;
            Cell::Real(prefix.factor * amount(costs, id) / rate / n_calls)
        })
    };
    let (percent_width, decimals, cumulative_width) = if is_bsd { (5, 1, 10) } else { (6, 2, 9) };
    let percent_head = if is_bsd {
        ["%  ", "time"]
    } else {
        ["%   ", "time "]
    };
    let time_head = |what: &str| [what.to_owned(), unit.clone()];
    let mut columns = vec![
        column(
            Column::shown("percent", Role::Share, percent_head)
                .of(metric)
                .printed(percent_width, decimals),
            move |row| Cell::Real(costs.percent(row.self_cost(costs, metric))),
        ),
        column(
            Column::shown(
                timed("cumulative"),
                Role::Cumulative,
                time_head("cumulative"),
            )
            .of(metric)
            .printed(cumulative_width, 2),
            move |row| {
                row.cumulative
                    .map_or(Cell::Absent, |sum| costs.timed(sum, metric))
            },
        ),
        column(
            Column::shown(
                timed("self"),
                Role::SelfValue,
                ["self  ", unit.trim_end()].map(str::to_owned),
            )
            .of(metric)
            .printed(8, 2),
            move |row| costs.timed(row.self_cost(costs, metric), metric),
        ),
        column(
            Column::shown("calls", Role::Calls, ["", "calls"]).printed(8, 0),
            move |row| match calls(costs, row.called()) {
                0 => Cell::Absent,
                calls => Cell::Integer(calls.into()),
            },
        ),
        column(
            Column::shown(
                "self_per_call",
                Role::PerCall,
                ["self  ".to_owned(), per_call.clone()],
            )
            .of(metric)
            .printed(8, 2),
            move |row| cost_of_call(row, |costs, id| costs.self_cost(id, costs.primary).as_f64()),
        ),
        column(
            Column::shown(
                "total_per_call",
                Role::PerCall,
                ["total ".to_owned(), per_call],
            )
            .of(metric)
            .printed(8, 2),
            move |row| cost_of_call(row, |costs, id| costs.total(id, costs.primary).as_f64()),
        ),
        column(
            Column::shown("name", Role::Name, ["", "name"]),
            move |row| name_of(row, Some(table), "<no function>"),
        ),
        column(
            Column::hidden("self", Role::SelfValue).of(metric),
            move |row| row.self_cost(costs, metric).into(),
        ),
        column(
            Column::hidden("total", Role::Total).of(metric),
            move |row| row.total(costs, metric).into(),
        ),
        column(
            Column::hidden(timed("total"), Role::Total).of(metric),
            move |row| costs.timed(row.total(costs, metric), metric),
        ),
    ];
    if is_bsd {
        let hidden = Column::hidden("cycle", Role::Index);
        columns.push(column(hidden, move |row| {
            let cycle = row.symbol.and_then(|id| costs.cycle_of(id));
            Cell::integer(cycle.map(|cycle| cycle.0))
        }));
    }
    columns
}

/// Units of costs per call where no prefix fits.
const UNFIT_PREFIXES: UnfitPrefixes = UnfitPrefixes {
    idle: UnitPrefix::NONE,
    beyond: UnitPrefix::NONE,
};

/// The ticks of a call, with all below it, of the function where they are most.
fn greatest_cost(costs: &CostGraph, order: &[Option<SymbolId>]) -> f64 {
    let of_calls = order.iter().flatten().filter_map(|&id| {
        let n_calls = costs.calls_of(id).from_others;
        (n_calls > 0).then(|| costs.total(id, costs.primary).as_f64() / n_calls as f64)
    });
    of_calls.fold(0.0, f64::max)
}
