//! Recorded costs next to source lines.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{SourceFile, SourceNumbers, is_of_system, source_columns};
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{CostGraph, TotalsFrom};
use crate::analyze::sections::Material;
use crate::analyze::shared_lines::SharedLines;
use crate::report::{Cell, Column, MetricIndex, Role};
use crate::sorting::ColdSort;
use crate::symbols::FileId;

/// Self and total cost of a line.
struct LineCosts {
    /// Of the shown metrics.
    self_costs: Box<[Amount]>,
    total: Amount,
    /// Has a cost in any metric.
    has_cost: bool,
}

/// The files with costs on a line, by cost, system headers last. Symbols are lines, or functions,
/// which count for their first line.
pub fn cost_sources(material: &Material<'_>, shared: &SharedLines) -> Vec<SourceFile> {
    let &Material { costs, table, filters, .. } = material;
    let primary = costs.shape.primary;
    // Lines of callgrind may omit most of 32 events.
    let shown = shown_metrics(costs);
    let mut files: BTreeMap<FileId, BTreeMap<u32, LineCosts>> = BTreeMap::new();
    for (id, symbol) in table.iter() {
        let Some(source) = symbol.source.filter(|_| filters.annotation.contains(id)) else {
            continue;
        };
        let mut metrics = 0..costs.shape.metrics.len();
        let found = LineCosts {
            self_costs: shown.clone().map(|metric| costs.self_cost(id, metric)).collect(),
            total: costs.total(id, primary),
            has_cost: metrics.any(|metric| !costs.self_cost(id, metric).is_zero()),
        };
        let lines = files.entry(source.file).or_default();
        match lines.get_mut(&source.line.get()) {
            None => {
                lines.insert(source.line.get(), found);
            }
            Some(line) => {
                line.has_cost |= found.has_cost;
                let is_larger = found.self_costs[0].compare(line.self_costs[0]).is_ge();
                for (sum, amount) in line.self_costs.iter_mut().zip(found.self_costs) {
                    // A function and its first branch count the same entries of a line.
                    match costs.shape.counts_entries {
                        true if is_larger => *sum = amount,
                        true => {}
                        false => *sum = sum.plus(amount),
                    }
                }
                let total = shared.total_of(source).unwrap_or(line.total);
                let self_cost = line.self_costs[primary - shown.start];
                line.total = if total.compare(self_cost).is_lt() { self_cost } else { total };
            }
        }
    }
    let is_zero_cost = |line: &LineCosts| !line.has_cost && line.total.is_zero();
    let mut sorted: Vec<_> = files.into_iter().collect();
    sorted.retain(|(_, lines)| !lines.values().all(is_zero_cost));
    let of_file = |lines: &BTreeMap<u32, LineCosts>| {
        let amounts = lines.values().map(|line| line.self_costs[primary - shown.start]);
        amounts.reduce(Amount::plus).unwrap_or(Amount::Exact(0))
    };
    sorted.cold_sort_by(|(a, lines_of_a), (b, lines_of_b)| {
        let by_costs = of_file(lines_of_b).compare(of_file(lines_of_a));
        by_costs.then(a.cmp(b))
    });
    sorted.cold_sort_by_key(|(file, _)| is_of_system(table.files().name(*file)));
    let columns = cost_columns(costs);
    let sources = sorted.into_iter().map(|(file, lines)| {
        let lines = lines.iter().map(|(&line, costs_of_line)| {
            let cells = columns.iter().map(|column| cost_cell(costs, column, costs_of_line));
            (line, cells.collect())
        });
        let columns = columns.iter().map(|(column, _)| column.clone());
        SourceFile {
            file,
            numbers: SourceNumbers::Costs(
                lines.collect(),
                columns.chain(source_columns()).collect(),
            ),
        }
    });
    sources.collect()
}

/// A column, and the metric of its self cost; `None` for the total of the primary metric.
type CostColumn = (Column, Option<MetricIndex>);

/// The metrics whose self costs have columns or decide the order of files.
fn shown_metrics(costs: &CostGraph) -> Range<MetricIndex> {
    let primary = costs.shape.primary;
    let shows_several = costs.is_heap() || costs.shape.counts_entries;
    if shows_several { 0..costs.shape.metrics.len() } else { primary..primary + 1 }
}

fn cost_columns(costs: &CostGraph) -> Vec<CostColumn> {
    let primary = costs.shape.primary;
    let head = |what: &str, metric| [what.to_owned(), costs.unit(metric)];
    let self_column = |id: &str, what: &str, metric: MetricIndex| {
        let column = Column::shown(id.to_owned(), Role::SelfValue, head(what, metric));
        let decimals = costs.decimals_of(metric);
        (column.of(metric).printed(0, decimals), Some(metric))
    };
    let mut columns = Vec::new();
    if costs.shape.totals_from != TotalsFrom::Nothing {
        let total = Column::shown("total", Role::Total, head("total", primary));
        columns.push((total.of(primary).printed(0, costs.decimals()), None));
    }
    if costs.is_heap() {
        let id = |metric: MetricIndex| costs.shape.metrics[metric].id.as_ref();
        columns.extend([
            self_column("self", "self", 0),
            self_column(id(1), "self", 1),
            self_column(id(2), "unfreed", 2),
        ]);
    } else {
        columns.push(self_column("self", "self", primary));
    }
    columns
}

/// A cell next to a line: empty for zero, with a mark for code never entered.
fn cost_cell(costs: &CostGraph, (_, metric): &CostColumn, line: &LineCosts) -> Cell {
    let (amount, metric) = match *metric {
        Some(metric) => (line.self_costs[metric - shown_metrics(costs).start], metric),
        None => (line.total, costs.shape.primary),
    };
    if !amount.is_zero() {
        costs.readable(amount, metric)
    } else if costs.shape.counts_entries {
        Cell::text("#####")
    } else {
        Cell::Absent
    }
}
