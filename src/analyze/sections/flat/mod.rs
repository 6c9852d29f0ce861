//! The flat profile: self costs of functions or lines.

mod columns;
mod error;
mod exact;
mod order;
mod sampled;
mod screen;

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::graph::GraphRanks;
use super::table::Columns;
use super::{Material, name};
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{CostGraph, Sampling};
use crate::analyze::inline_costs::InlineCost;
use crate::report::number::general;
use crate::report::{
    Basis, Cell, MetricIndex, Row, RowKind, RowVisitor, Rows, Section, SectionId, decimals_at,
};
use crate::symbols::{SymbolId, SymbolTable};
use columns::columns;
use error::{has_error, ranking, uncertainty};
use order::order;

type FlatColumns = Columns<'static, FlatRow>;

const LEFT_OUT: &str = "<everything else>";

struct FlatRow {
    costs: Arc<CostGraph>,
    table: Arc<SymbolTable>,
    /// Index of its function, from 0.
    place: usize,
    /// `None` for costs outside of functions.
    symbol: Option<SymbolId>,
    /// The costs of each metric outside of the rows above, if the row shows these.
    rest: Option<Arc<[Amount]>>,
    /// The part of it that the row is about, if it is not all of it.
    inlined: Option<InlineCost>,
    /// Running sum of self costs; `None` for parts.
    cumulative: Option<Amount>,
}

impl FlatRow {
    fn self_cost(&self, metric: MetricIndex) -> Amount {
        match (self.inlined, &self.rest) {
            (Some(part), _) => Amount::Ticks(part.self_ticks),
            (None, Some(rest)) => rest[metric],
            (None, None) => self_cost(&self.costs, self.symbol, metric),
        }
    }

    fn total(&self, metric: MetricIndex) -> Amount {
        match (self.inlined, &self.rest) {
            (Some(part), _) => Amount::Ticks(part.total_ticks),
            (None, Some(rest)) => rest[metric],
            (None, None) => total(&self.costs, self.symbol, metric),
        }
    }

    /// Returns whether the samples of the row can be distinguished: most bins of inlined code
    /// also span the code around it.
    fn has_samples(&self) -> bool {
        self.inlined.is_none() && self.rest.is_none()
    }

    /// Calls by other functions, if counted.
    fn calls(&self) -> Option<u64> {
        Some(calls(&self.costs, self.called())).filter(|&calls| calls > 0)
    }

    /// The name of the function or part, or `nobody` for costs outside of functions.
    fn name(&self, nobody: &'static str) -> Cell {
        if let Some((inlines, part)) = self.table.inlines().zip(self.inlined) {
            return name(inlines.get(part.id).symbol);
        }
        let nobody = if self.rest.is_some() { LEFT_OUT } else { nobody };
        self.symbol.map_or_else(|| Cell::text(nobody), name)
    }

    /// The function, if the row has its calls.
    fn called(&self) -> Option<SymbolId> {
        self.symbol.filter(|_| self.inlined.is_none())
    }
}

struct FlatRows {
    costs: Arc<CostGraph>,
    table: Arc<SymbolTable>,
    order: Vec<Option<SymbolId>>,
    sums: Vec<Amount>,
    columns: FlatColumns,
    /// The costs of each metric that filters exclude from all rows, if any.
    rest: Option<Arc<[Amount]>>,
}

/// The flat profile of the functions that `filters` select: by cost, then by the second
/// metric, then by name. In BSD's layout, rows refer to entries by `ranks`.
pub fn flat_section(material: &Material<'_>, ranks: Option<&Arc<GraphRanks>>) -> Section {
    let order = order(material);
    let ranking = ranking(material, &order);
    let uncertainty =
        has_error(material).then(|| uncertainty(material, &order, ranking.as_deref()));
    let columns = columns(material, &order, ranks, ranking);
    let heads = columns.columns();
    let rows = FlatRows {
        costs: Arc::clone(material.costs),
        table: Arc::clone(material.table),
        sums: running_sums(&order, material.costs),
        rest: rest(material, &order),
        order,
        columns,
    };
    Section {
        summary: summary(material),
        notes: material.costs.notes_on_time(),
        uncertainty: uncertainty.unwrap_or_default(),
        ..Section::new(SectionId::Flat, "Flat profile:", material.layout(), heads, rows)
    }
}

impl FlatRows {
    fn parts_of(&self, symbol: Option<SymbolId>) -> Vec<InlineCost> {
        symbol.map_or(Vec::new(), |symbol| self.costs.parts_of(symbol, &self.table))
    }
}

/// A function with its parts is an entry, and so is the row of omitted costs.
impl Rows for FlatRows {
    fn n_entries(&self) -> usize {
        self.order.len() + usize::from(self.rest.is_some())
    }

    fn n_rows_of(&self, entry: usize) -> usize {
        let symbol = self.order.get(entry).copied().flatten();
        1 + self.parts_of(symbol).len()
    }

    fn for_each_of(&self, entries: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let mut cells = Vec::with_capacity(self.columns.0.len());
        let mut show = |kind, row: &FlatRow| {
            self.columns.fill(&mut cells, row);
            let cells = &cells;
            visit(Row { kind, cells })
        };
        let n_rows = self.order.len();
        let mut row = FlatRow {
            costs: Arc::clone(&self.costs),
            table: Arc::clone(&self.table),
            place: 0,
            symbol: None,
            rest: None,
            inlined: None,
            cumulative: None,
        };
        for place in entries.start..entries.end.min(n_rows) {
            let symbol = self.order[place];
            (row.place, row.symbol) = (place, symbol);
            (row.inlined, row.cumulative) = (None, Some(self.sums[place]));
            let kind = match symbol {
                Some(_) => RowKind::Entry,
                None => RowKind::Unattributed,
            };
            show(kind, &row)?;
            for part in self.parts_of(symbol) {
                (row.inlined, row.cumulative) = (Some(part), None);
                show(RowKind::Inline, &row)?;
            }
        }
        let Some(rest) = self.rest.as_ref().filter(|_| entries.end > n_rows) else {
            return Ok(());
        };
        let amount = rest[self.costs.shape.primary];
        let before = self.sums.last();
        let cumulative = before.map_or(amount, |sum| sum.plus(amount));
        (row.place, row.symbol, row.rest) = (n_rows, None, Some(Arc::clone(rest)));
        (row.inlined, row.cumulative) = (None, Some(cumulative));
        show(RowKind::Rest, &row)
    }
}

fn running_sums(order: &[Option<SymbolId>], costs: &CostGraph) -> Vec<Amount> {
    let costs = order.iter().map(|&symbol| self_cost(costs, symbol, costs.shape.primary));
    let add = |sum: &mut Option<Amount>, cost| {
        *sum = Some(sum.map_or(cost, |sum| sum.plus(cost)));
        *sum
    };
    costs.scan(None, add).collect()
}

/// The costs of each metric that filters exclude from the rows, if any.
fn rest(material: &Material<'_>, order: &[Option<SymbolId>]) -> Option<Arc<[Amount]>> {
    let costs = material.costs;
    let is_filtered = costs.costs.is_filtered || !material.filters.flat.is_all();
    if !is_filtered && costs.focus().is_none() {
        return None;
    }
    let rest = (0..costs.shape.metrics.len()).map(|metric| {
        let shown = order.iter().map(|&symbol| self_cost(costs, symbol, metric));
        let all = costs.all(metric);
        match shown.fold(all, Amount::less) {
            Amount::Ticks(rest) if rest.abs() <= 1e-12 * all.as_f64() => Amount::Ticks(0.0),
            rest => rest.without_rounding(),
        }
    });
    let rest: Arc<[Amount]> = rest.collect();
    rest.iter().any(|amount| !amount.is_zero()).then_some(rest)
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
    summary.extend(material.about_focus(material.costs.shape.primary));
    summary
}

fn about_all(material: &Material<'_>) -> Vec<String> {
    let costs = material.costs;
    let Some(sampling) = &costs.sampling else {
        return material.unless_in_overview(Material::sum_up);
    };
    let unit = costs.unit(costs.shape.primary);
    let all = costs.all(costs.shape.primary);
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
    debug_assert!(costs.metric().basis == Basis::Sampled);
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
        let start = format!("granularity: each sample hit covers {} byte(s)", self.bytes_per_bin);
        match share {
            Some(share) => {
                let total = whole / self.scale.rate;
                let decimals = usize::from(decimals_at(self.scale.rate));
                format!("{start} for {share:.2}% of {total:.decimals$} {unit}")
            }
            None => format!("{start} no time {what}"),
        }
    }
}
