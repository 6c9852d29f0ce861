//! The call graph: functions with their callers and callees.

mod arcs;
mod cells;
mod ranks;
mod rows;

pub use ranks::GraphRanks;

use std::sync::Arc;

use super::Material;
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{CostGraph, TotalsFrom};
use crate::analyze::sections::uncertainty::graph_legend;
use crate::report::{Section, SectionId, Uncertainty};
pub(super) use ranks::GraphNode;
use rows::GraphRows;

pub fn graph_section(material: &Material<'_>, ranks: &Arc<GraphRanks>) -> Section {
    let rows = GraphRows::new(material, ranks);
    let (heads, layout) = (rows.columns.columns(), material.layout());
    Section {
        summary: summary(material),
        notes: material.costs.notes_on_time(),
        uncertainty: uncertainty(material, &rows),
        ..Section::new(SectionId::Graph, "Call graph", layout, heads, rows)
    }
}

/// The uncertainty of the times of calls, if requested.
fn uncertainty(material: &Material<'_>, rows: &GraphRows) -> Uncertainty {
    if cells::bounds(material).is_none() {
        return Uncertainty::default();
    }
    Uncertainty { summary: Vec::new(), legend: graph_legend(rows.are_shared_out()) }
}

/// The base of percentages: the time of functions, or everything.
fn whole(costs: &CostGraph) -> Amount {
    match &costs.sampling {
        Some(sampling) => Amount::Ticks(sampling.ticks_in_functions),
        None => costs.all(costs.shape.primary),
    }
}

fn summary(material: &Material<'_>) -> Vec<String> {
    let costs = material.costs;
    let mut summary = about_all(material);
    summary.extend(material.about_part(costs.shape.primary, whole(costs), None));
    summary
}

fn about_all(material: &Material<'_>) -> Vec<String> {
    let costs = material.costs;
    let Some(sampling) = &costs.sampling else {
        let mut summary = material.unless_in_overview(Material::sum_up);
        let about_calls = about_calls(costs.shape.totals_from);
        if material.options.is_for_screen() {
            // A terminal breaks lines where it has to.
            summary.push(about_calls.replace('\n', " "));
        } else {
            summary.extend(about_calls.lines().map(str::to_owned));
        }
        return summary;
    };
    let total = sampling.ticks_in_functions;
    let whole = if total > 0.0 { total } else { 1.0 };
    let share = (total > 0.0).then(|| 100.0 / whole);
    let unit = costs.unit(costs.shape.primary);
    vec![sampling.granularity(share, whole, &unit, "propagated")]
}

fn about_calls(totals_from: TotalsFrom) -> &'static str {
    match totals_from {
        TotalsFrom::Stacks => {
            "The cost of a call is the recorded cost of all stacks that contain the call."
        }
        TotalsFrom::Arcs => "The cost of a call includes all functions that it called.",
        TotalsFrom::Profile | TotalsFrom::Nothing | TotalsFrom::Calls => {
            "Calls are those that the compiler saw as possible. What flowed along them was not\n\
             recorded; a tail call stands as one of its caller's caller."
        }
    }
}
