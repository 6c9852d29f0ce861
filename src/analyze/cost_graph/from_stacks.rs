//! Costs from values that were recorded with their call stacks.

use super::from_totals::{Recorded, recorded};
use super::metrics::Columns;
use super::{CostGraph, Flows, TotalsFrom};
use crate::analyze::amount::Amount;
use crate::analyze::call_graph::CallGraph;
use crate::analyze::flows::along_stacks;
use crate::filter::FilterSets;
use crate::model::Profile;
use crate::report::Basis;
use crate::symbols::NamedContexts;

pub(super) fn build(
    profile: &Profile,
    names: &NamedContexts,
    filters: &FilterSets,
    metric: Option<&str>,
) -> CostGraph {
    let columns = Columns::new(profile, Some(Basis::Recorded));
    let Recorded {
        self_costs,
        by_context,
        all,
        unattributed,
        is_complete,
    } = recorded(profile, names, filters, &columns);
    let n_symbols = names.table.symbols().len();
    let n_metrics = columns.metrics.len();
    let along = along_stacks(&profile.costs, &by_context, names, &filters.arcs, n_metrics);
    let mut children = along.totals;
    for symbol in 0..n_symbols {
        subtract(children.row_mut(symbol), self_costs.row(symbol));
    }
    let mut arc_children = along.arc_totals;
    for arc in 0..along.arcs.len() {
        subtract(arc_children.row_mut(arc), along.arc_self_costs.row(arc));
    }
    let (primary, paired) = columns.choose(metric);
    CostGraph {
        measured: columns.measured,
        metrics: columns.metrics,
        primary,
        paired,
        collector: None,
        totals_from: TotalsFrom::Stacks,
        calls: CallGraph::of_arcs(along.arcs, n_symbols),
        call_counts: None,
        topology: None,
        cycles: Box::default(),
        sampling: None,
        inlines: None,
        collected: 0,
        lacks_calls: false,
        is_complete,
        by_context,
        self_costs,
        children,
        flows: Some(Flows {
            self_costs: Some(along.arc_self_costs),
            children: arc_children,
        }),
        all: all.into_iter().map(Amount::Exact).collect(),
        unattributed: unattributed.into_iter().map(Amount::Exact).collect(),
    }
}

fn subtract(from: &mut [i128], amounts: &[i128]) {
    for (from, amount) in from.iter_mut().zip(amounts) {
        *from -= amount;
    }
}
