//! How sure a function's own numbers are.

use std::rc::Rc;

use super::FlatRow;
use super::columns::{FlatColumn, column};
use crate::analyze::bounds::TickBounds;
use crate::analyze::cost_graph::{CostGraph, TotalsFrom};
use crate::analyze::sections::Material;
use crate::analyze::sections::sureness::{Mark, flat_legend, order_sentence, signs};
use crate::analyze::sureness::Ranking;
use crate::report::{Cell, Column, Role, Sureness};
use crate::symbols::SymbolId;

/// What is known of the order of rows; `None` where nobody asked, or numbers have no
/// error.
pub(super) fn ranking(material: &Material<'_>, order: &[Option<SymbolId>]) -> Option<Rc<Ranking>> {
    let costs = material.costs;
    let has_error = material.options.has_error && costs.has_samples();
    let rows = || order.iter().map(|&symbol| costs.samples(symbol)).collect();
    has_error.then(|| Rc::new(Ranking::new(rows())))
}

/// What is said of the whole.
pub(super) fn sureness(material: &Material<'_>, ranking: &Ranking) -> Sureness {
    let verdict = ranking.verdict(material.options.n_runs.max(1));
    Sureness {
        summary: order_sentence(verdict).into_iter().collect(),
        legend: flat_legend(material.costs.totals_from == TotalsFrom::Calls),
    }
}

/// The limits of own numbers, and signs. Inlined code has none: most of its bins are
/// those of the code around it too.
pub(super) fn error_columns(costs: &CostGraph, ranking: Rc<Ranking>) -> [FlatColumn<'_>; 3] {
    let metric = costs.primary;
    let limit = move |row: &FlatRow, of: fn(TickBounds) -> f64| match row.inlined {
        Some(_) => Cell::Absent,
        None => costs.timed_ticks(of(costs.self_limits(row.symbol))),
    };
    let column_of = |id: &str, head| {
        Column::on_request(costs.timed_id(id, metric), Role::Limit, head).of(metric)
    };
    [
        column(column_of("self_low", ["at ", "least"]), move |row| {
            limit(row, |limits| limits.low)
        }),
        column(column_of("self_high", ["at ", "most "]), move |row| {
            limit(row, |limits| limits.high)
        }),
        column(
            Column::on_request("marks", Role::Marks, ["", ""]),
            move |row| match row.inlined {
                Some(_) => Cell::Absent,
                None => signs(marks(row, costs, &ranking)),
            },
        ),
    ]
}

fn marks(row: &FlatRow, costs: &CostGraph, ranking: &Ranking) -> impl Iterator<Item = Mark> {
    let own = if ranking.is_noise(row.place) {
        Some(Mark::Noise)
    } else {
        ranking.is_loose(row.place).then_some(Mark::Loose)
    };
    let bounds = row.symbol.zip(costs.flow_bounds());
    let is_shared = bounds.is_some_and(|(id, bounds)| !bounds.of_function(id).are_tight());
    own.into_iter().chain(is_shared.then_some(Mark::SharedOut))
}
