//! Uncertainty of self costs.

use std::sync::Arc;

use super::{FlatColumns, FlatRow};
use crate::analyze::cost_graph::{CostGraph, RowSamples, TotalsFrom};
use crate::analyze::sections::Material;
use crate::analyze::sections::table::Columns;
use crate::analyze::sections::uncertainty::{UncertaintyMark, flat_legend, order_sentence, signs};
use crate::analyze::uncertainty::{RankCertainty, Ranking};
use crate::report::{Cell, Column, Role, Uncertainty};
use crate::symbols::SymbolId;

/// Returns whether uncertainties are requested and known.
pub(super) fn has_error(material: &Material<'_>) -> bool {
    material.options.has_error && material.costs.has_samples()
}

/// The certainty of the order of rows; `None` unless requested and sampled. Parts of functions
/// have none, since their samples depend on the costs of calls.
pub(super) fn ranking(material: &Material<'_>, order: &[Option<SymbolId>]) -> Option<Arc<Ranking>> {
    let costs = material.costs;
    let rows = || order.iter().map(|&symbol| costs.mean_samples(symbol)).collect();
    let has_order = has_error(material) && !costs.is_shared_out();
    has_order.then(|| Arc::new(Ranking::new(rows())))
}

pub(super) fn uncertainty(
    material: &Material<'_>,
    order: &[Option<SymbolId>],
    ranking: Option<&Ranking>,
) -> Uncertainty {
    let verdict = ranking.map(|ranking| ranking.verdict(material.options.n_runs.max(1)));
    let rows = || order.iter().enumerate();
    let marks = |(place, &symbol)| marks(place, symbol, material.costs, ranking);
    Uncertainty {
        summary: verdict.and_then(order_sentence).into_iter().collect(),
        legend: flat_legend(material.costs.sampling.is_some(), |mark| {
            rows().flat_map(marks).any(|found| found == mark)
        }),
    }
}

/// Adds limits to self costs, with marks after them, and limits to totals. Only files show limits
/// of propagated totals, like the totals themselves.
pub(super) fn add_error_columns(
    columns: &mut FlatColumns,
    costs: &CostGraph,
    ranking: Option<Arc<Ranking>>,
) {
    let marks = Column::on_request("marks", Role::Marks, ["", ""]);
    let behind_self = limit_columns(costs, ["self_low", "self_high"], CostGraph::samples);
    let behind_self = behind_self.with(marks, move |row| {
        if row.has_samples() {
            signs(self::marks(row.place, row.symbol, &row.costs, ranking.as_deref()))
        } else {
            Cell::Absent
        }
    });
    insert_behind(columns, Role::SelfValue, behind_self);
    if costs.shape.totals_from == TotalsFrom::Nothing {
        return;
    }
    let mut limits = limit_columns(costs, ["total_low", "total_high"], CostGraph::total_samples);
    if costs.shape.totals_from == TotalsFrom::Calls {
        for limit in &mut limits.0 {
            limit.column.role = Role::Other;
        }
    }
    insert_behind(columns, Role::Total, limits);
}

/// Inserts columns after the first one with this role.
fn insert_behind(columns: &mut FlatColumns, role: Role, inserted: FlatColumns) {
    let columns = &mut columns.0;
    let place = columns.iter().position(|column| column.column.role == role);
    let behind = place.map_or(0, |place| place + 1);
    columns.splice(behind..behind, inserted.0);
}

/// Lower and upper limit; a lower bound has no upper limit.
fn limit_columns(
    costs: &CostGraph,
    [low, high]: [&str; 2],
    samples: fn(&CostGraph, Option<SymbolId>) -> RowSamples,
) -> FlatColumns {
    let metric = costs.shape.primary;
    let limit = move |row: &FlatRow, of: fn(&CostGraph, RowSamples) -> f64| {
        let costs = &row.costs;
        let limit = || costs.timed_ticks(of(costs, samples(costs, row.symbol)));
        row.has_samples().then(limit)
    };
    let head = |id: &str, head| Column::on_request(costs.timed_id(id, metric), Role::Limit, head);
    Columns::<FlatRow>::new()
        .with(head(low, ["at ", "least"]), move |row| limit(row, CostGraph::least_ticks))
        .of(metric)
        .with(head(high, ["at ", "most "]), move |row| {
            let most = || limit(row, CostGraph::most_ticks);
            (!row.costs.is_lower_bound(row.symbol)).then(most)
        })
        .of(metric)
}

fn marks(
    place: usize,
    symbol: Option<SymbolId>,
    costs: &CostGraph,
    ranking: Option<&Ranking>,
) -> impl Iterator<Item = UncertaintyMark> + use<> {
    let own = match ranking.map(|ranking| ranking.standing(place)) {
        Some(RankCertainty::Noise) => Some(UncertaintyMark::Noise),
        Some(RankCertainty::Split) => Some(UncertaintyMark::Split),
        Some(RankCertainty::Loose) => Some(UncertaintyMark::Loose),
        Some(RankCertainty::Empty | RankCertainty::Firm) | None => None,
    };
    let is_shared = symbol.zip(costs.flow_bounds()).is_some_and(|(id, bounds)| {
        let (total, bounds) = (costs.total(id, costs.shape.primary), bounds.of_function(id));
        !bounds.are_tight() || !bounds.contain(total.as_f64())
    });
    own.into_iter().chain(is_shared.then_some(UncertaintyMark::SharedOut))
}
