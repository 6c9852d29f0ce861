//! Which functions have rows, and in which order.

use std::cmp::Ordering;

use super::{calls, self_cost, total};
use crate::analyze::cost_graph::{CostGraph, TotalsFrom};
use crate::analyze::sections::Material;
use crate::symbols::SymbolId;

/// The rows. What is in no function stands where its amount puts it, behind equals.
pub(super) fn order(material: &Material<'_>) -> Vec<Option<SymbolId>> {
    let &Material {
        costs,
        table,
        filters,
        options,
    } = material;
    let ids = table.iter().map(|(id, _)| id);
    let shown = ids.filter(|&id| {
        filters.flat.contains(id)
            && (options.shows_idle || !is_idle(costs, id, options.has_all_columns))
    });
    let mut order: Vec<_> = shown.map(Some).collect();
    if costs
        .shown_metrics()
        .any(|metric| !costs.unattributed(metric).is_zero())
    {
        order.push(None);
    }
    let primary = costs.primary;
    // Totals that were only shared out tell no functions apart.
    let has_totals = costs.totals_from != TotalsFrom::Calls;
    let rank = |a: Option<SymbolId>, b: Option<SymbolId>| {
        let by_self = self_cost(costs, b, primary).compare(self_cost(costs, a, primary));
        let by_total = || {
            if has_totals {
                total(costs, b, primary).compare(total(costs, a, primary))
            } else {
                Ordering::Equal
            }
        };
        let by_paired = || match costs.paired {
            Some(paired) => self_cost(costs, b, paired).compare(self_cost(costs, a, paired)),
            None => calls(costs, b).cmp(&calls(costs, a)),
        };
        by_self.then_with(by_total).then_with(by_paired)
    };
    order.sort_by(|&a, &b| {
        let by_name = || match (a, b) {
            (Some(a), Some(b)) => material.compare_names(a, b),
            _ => a.is_none().cmp(&b.is_none()),
        };
        rank(a, b).then_with(by_name)
    });
    order
}

/// Whether there is nothing to say of a function, its total included where that was
/// recorded, or is asked for.
fn is_idle(costs: &CostGraph, id: SymbolId, shows_totals: bool) -> bool {
    let has_totals = shows_totals || costs.totals_from != TotalsFrom::Calls;
    costs.is_free(id)
        && costs.calls_of(id).from_others == 0
        && (!has_totals || costs.total(id, costs.primary).is_zero())
}
