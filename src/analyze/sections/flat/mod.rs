//! The flat profile: self costs of functions or lines.

mod columns;
mod error;
mod exact;
mod order;
mod sampled;
mod screen;

use std::io;
use std::ops::Range;

use super::Material;
use super::graph::GraphRanks;
use super::table::Columns;
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{CostGraph, Sampling};
use crate::analyze::inline_costs::InlineCost;
use crate::report::number::general;
use crate::report::{Basis, Layout, MetricIndex, Row, RowKind, RowUnits, Rows, Section, SectionId};
use crate::symbols::{SymbolId, SymbolTable};
use columns::columns;
use error::{ranking, uncertainty};
use order::order;

#[derive(Clone, Copy)]
struct FlatRow {
    /// Index of its function, from 0.
    place: usize,
    /// `None` for costs outside of functions.
    symbol: Option<SymbolId>,
    /// The row of all omitted costs.
    is_rest: bool,
    /// The inlined part of the function, if the row is about a part.
    inlined: Option<InlineCost>,
    /// Running sum of self costs; `None` for parts.
    cumulative: Option<Amount>,
}

impl FlatRow {
    fn self_cost(&self, costs: &CostGraph, metric: MetricIndex) -> Amount {
        match self.inlined {
            Some(part) => Amount::Ticks(part.self_ticks),
            None if self.is_rest => costs.left_out(metric),
            None => self_cost(costs, self.symbol, metric),
        }
    }

    fn total(&self, costs: &CostGraph, metric: MetricIndex) -> Amount {
        match self.inlined {
            Some(part) => Amount::Ticks(part.total_ticks),
            None if self.is_rest => costs.left_out(metric),
            None => total(costs, self.symbol, metric),
        }
    }

    /// Returns whether the samples of the row can be distinguished: most bins of inlined code
    /// also span the code around it.
    fn has_samples(&self) -> bool {
        self.inlined.is_none() && !self.is_rest
    }

    /// Calls by other functions, if counted.
    fn calls(&self, costs: &CostGraph) -> Option<u64> {
        Some(calls(costs, self.called())).filter(|&calls| calls > 0)
    }

    /// The function, if the row has its calls.
    fn called(&self) -> Option<SymbolId> {
        self.symbol.filter(|_| self.inlined.is_none())
    }
}

struct FlatRows<'a> {
    costs: &'a CostGraph,
    table: &'a SymbolTable,
    order: Vec<Option<SymbolId>>,
    sums: Vec<Amount>,
    columns: Columns<'a, FlatRow>,
    /// A row has all omitted costs.
    has_rest: bool,
}

/// The flat profile of the functions that `filters` select: by cost, then by the second
/// metric, then by name. In BSD's layout, rows refer to entries by `ranks`.
pub fn flat_section<'a>(material: &Material<'a>, ranks: Option<&'a GraphRanks>) -> Section<'a> {
    let order = order(material);
    let ranks = ranks.filter(|_| material.layout() == Layout::Bsd);
    let ranking = ranking(material, &order);
    let uncertainty = ranking
        .as_ref()
        .map(|ranking| uncertainty(material, &order, ranking));
    let columns = columns(material, &order, ranks, ranking);
    Section {
        id: SectionId::Flat,
        title: "Flat profile:".into(),
        layout: material.layout(),
        summary: summary(material),
        columns: columns.columns(),
        rows: Box::new(FlatRows {
            costs: material.costs,
            table: material.table,
            sums: running_sums(&order, material.costs),
            order,
            columns,
            has_rest: has_rest(material),
        }),
        notes: material.costs.notes_on_time(),
        uncertainty: uncertainty.unwrap_or_default(),
    }
}

impl Rows for FlatRows<'_> {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        self.for_each_of(0..self.n_units(), visit)
    }

    fn in_units(&self) -> Option<&dyn RowUnits> {
        Some(self)
    }
}

/// A function with its parts is a unit, and so is the row of omitted costs.
impl RowUnits for FlatRows<'_> {
    fn n_units(&self) -> usize {
        self.order.len() + usize::from(self.has_rest)
    }

    fn n_rows_of(&self, unit: usize) -> usize {
        let symbol = self.order.get(unit).copied().flatten();
        let parts = symbol.zip(self.costs.inlines.as_ref());
        1 + parts.map_or(0, |(symbol, inlines)| inlines.of(symbol, self.table).len())
    }

    fn for_each_of(
        &self,
        units: Range<usize>,
        visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut cells = Vec::with_capacity(self.columns.0.len());
        let mut show = |kind, row: &FlatRow| {
            self.columns.fill(&mut cells, row);
            let cells = &cells;
            visit(Row { kind, cells })
        };
        let n_rows = self.order.len();
        for place in units.start..units.end.min(n_rows) {
            let symbol = self.order[place];
            let row = FlatRow {
                place,
                symbol,
                is_rest: false,
                inlined: None,
                cumulative: Some(self.sums[place]),
            };
            let kind = match symbol {
                Some(_) => RowKind::Entry,
                None => RowKind::Unattributed,
            };
            show(kind, &row)?;
            let parts = symbol.zip(self.costs.inlines.as_ref());
            let parts = parts.map(|(symbol, inlines)| inlines.of(symbol, self.table));
            for part in parts.unwrap_or_default() {
                let part = FlatRow {
                    inlined: Some(part),
                    cumulative: None,
                    ..row
                };
                show(RowKind::Inline, &part)?;
            }
        }
        if units.end <= n_rows || units.is_empty() {
            return Ok(());
        }
        let left_out = self.costs.left_out(self.costs.primary);
        let before = self.sums.last();
        let rest = FlatRow {
            place: n_rows,
            symbol: None,
            is_rest: true,
            inlined: None,
            cumulative: Some(before.map_or(left_out, |sum| sum.plus(left_out))),
        };
        show(RowKind::Rest, &rest)
    }
}

fn running_sums(order: &[Option<SymbolId>], costs: &CostGraph) -> Vec<Amount> {
    let costs = order
        .iter()
        .map(|&symbol| self_cost(costs, symbol, costs.primary));
    let add = |sum: &mut Option<Amount>, cost| {
        *sum = Some(sum.map_or(cost, |sum| sum.plus(cost)));
        *sum
    };
    costs.scan(None, add).collect()
}

/// Returns whether rows cover a part of all costs, which the omitted costs complete.
fn has_rest(material: &Material<'_>) -> bool {
    let costs = material.costs;
    let is_whole = costs.is_complete && material.filters.flat.is_all();
    let mut metrics = 0..costs.metrics.len();
    is_whole && metrics.any(|metric| !costs.left_out(metric).is_zero())
}

fn self_cost(costs: &CostGraph, symbol: Option<SymbolId>, metric: MetricIndex) -> Amount {
    match symbol {
        Some(symbol) => costs.self_cost(symbol, metric),
        None => costs.unattributed(metric),
    }
}

fn total(costs: &CostGraph, symbol: Option<SymbolId>, metric: MetricIndex) -> Amount {
    match symbol {
        Some(symbol) => costs.total(symbol, metric),
        None => costs.unattributed(metric),
    }
}

fn calls(costs: &CostGraph, symbol: Option<SymbolId>) -> u64 {
    symbol.map_or(0, |symbol| costs.calls_of(symbol).from_others)
}

fn summary(material: &Material<'_>) -> Vec<String> {
    let mut summary = about_all(material);
    summary.extend(material.about_focus(material.costs.primary));
    summary
}

fn about_all(material: &Material<'_>) -> Vec<String> {
    let costs = material.costs;
    let Some(sampling) = &costs.sampling else {
        return material.unless_in_overview(Material::sum_up);
    };
    let unit = costs.unit(costs.primary);
    let all = costs.all(costs.primary);
    if material.options.is_bsd {
        let whole = if all.is_positive() { all.as_f64() } else { 1.0 };
        let share = all.is_positive().then(|| 100.0 / whole);
        return vec![sampling.granularity(share, whole, &unit, "accumulated")];
    }
    let mut summary = material.unless_in_overview(|_| {
        let tick = general(sampling.scale.units_per_tick());
        vec![format!("Each sample counts as {tick} {unit}.")]
    });
    if !all.is_positive() {
        summary.extend([" no time accumulated".to_owned(), String::new()]);
    }
    debug_assert!(costs.metrics[costs.primary].basis == Basis::Sampled);
    summary
}

impl Sampling {
    /// The unit of a tick, and its percentage of the whole.
    pub(in crate::analyze::sections) fn granularity(
        &self,
        share: Option<f64>,
        whole: f64,
        unit: &str,
        what: &str,
    ) -> String {
        let start = format!(
            "granularity: each sample hit covers {} byte(s)",
            self.bytes_per_bin
        );
        match share {
            Some(share) => {
                let total = whole / self.scale.rate;
                format!("{start} for {share:.2}% of {total:.2} {unit}")
            }
            None => format!("{start} no time {what}"),
        }
    }
}
