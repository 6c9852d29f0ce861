//! The functions of the flat profile and their order.

use std::cmp::Ordering;

use super::{calls, self_cost, total};
use crate::analyze::cost_graph::{CostGraph, TotalsFrom};
use crate::analyze::sections::Material;
use crate::symbols::SymbolId;
use crate::threads;

/// The rows. Costs outside of functions are sorted by amount, after equal ones.
pub(super) fn order(material: &Material<'_>) -> Vec<Option<SymbolId>> {
    let &Material { costs, table, filters, options } = material;
    let ids = table.iter().map(|(id, _)| id);
    let shows_totals = options.has_all_columns || options.is_for_screen();
    let shown = ids.filter(|&id| {
        filters.flat.contains(id)
            && table.enclosing_function(id) == id
            && (options.shows_zero_cost
                || !is_zero_cost(costs, id, shows_totals)
                || options.has_all_metrics && took_part(costs, id))
    });
    let mut order: Vec<_> = shown.map(Some).collect();
    let mut metrics = 0..costs.shape.metrics.len();
    if metrics.any(|metric| !costs.unattributed(metric).is_zero()) {
        order.push(None);
    }
    let primary = costs.shape.primary;
    // In listings, totals distributed by calls do not distinguish functions.
    let has_totals = options.orders_by_total || costs.shape.totals_from != TotalsFrom::Calls;
    let rank = |a: Option<SymbolId>, b: Option<SymbolId>| {
        let by_total = || {
            if has_totals {
                total(costs, b, primary).compare(total(costs, a, primary))
            } else {
                Ordering::Equal
            }
        };
        let by_paired = || match costs.shape.paired {
            Some(paired) => self_cost(costs, b, paired).compare(self_cost(costs, a, paired)),
            None => calls(costs, b).cmp(&calls(costs, a)),
        };
        by_total().then_with(by_paired)
    };
    let keyed = |symbol| (self_cost(costs, symbol, primary), symbol);
    let mut order: Vec<_> = order.into_iter().map(keyed).collect();
    threads::sort_by(&mut order, |&(a_self, a), &(b_self, b)| {
        let by_name = || match (a, b) {
            (Some(a), Some(b)) => material.compare_names(a, b),
            _ => a.is_none().cmp(&b.is_none()),
        };
        let by_self = b_self.compare(a_self);
        by_self.then_with(|| rank(a, b)).then_with(by_name)
    });
    order.into_iter().map(|(_, symbol)| symbol).collect()
}

/// Returns whether a function has a recorded cost in any metric, or a recorded call.
fn took_part(costs: &CostGraph, id: SymbolId) -> bool {
    let is_called = || !costs.calls.incoming(id).is_empty();
    match costs.shape.totals_from {
        TotalsFrom::Calls => false,
        TotalsFrom::Arcs if is_called() => true,
        _ => costs.took_part(id),
    }
}

/// Returns whether a function has no cost, including its total if that was recorded or
/// requested.
fn is_zero_cost(costs: &CostGraph, id: SymbolId, shows_totals: bool) -> bool {
    let has_totals = shows_totals || costs.shape.totals_from != TotalsFrom::Calls;
    costs.is_free(id)
        && costs.calls_of(id).from_others == 0
        && !costs.calls.is_inlined(id)
        && (!has_totals || costs.total(id, costs.shape.primary).is_zero())
}
