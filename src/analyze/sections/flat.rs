//! The flat profile: what functions, or lines, cost themselves.

use std::cmp::Ordering;
use std::io;

use super::graph::{GraphNode, GraphRanks};
use super::{Material, name};
use crate::analyze::amount::Amount;
use crate::analyze::cost_graph::{CostGraph, Measured, TotalsFrom};
use crate::analyze::inline_costs::InlineCost;
use crate::analyze::scale::{UnfitPrefixes, UnitPrefix};
use crate::report::number::general;
use crate::report::{
    Basis, Cell, Column, LOWER_BOUND, Layout, MetricIndex, Role, Row, RowKind, Rows, Section,
    SectionId,
};
use crate::symbols::{SymbolId, SymbolTable};

/// A row in the making.
#[derive(Clone, Copy)]
struct FlatRow {
    /// The function; `None` for what is in none.
    symbol: Option<SymbolId>,
    /// The part of it that the row is about, if it is not all of it.
    inlined: Option<InlineCost>,
    /// What this row and those above it cost themselves; `None` for parts.
    cumulative: Option<Amount>,
}

impl FlatRow {
    fn self_cost(&self, costs: &CostGraph, metric: MetricIndex) -> Amount {
        match self.inlined {
            Some(part) => Amount::Ticks(part.self_ticks),
            None => self_cost(costs, self.symbol, metric),
        }
    }

    fn total(&self, costs: &CostGraph, metric: MetricIndex) -> Amount {
        match self.inlined {
            Some(part) => Amount::Ticks(part.total_ticks),
            None => total(costs, self.symbol, metric),
        }
    }

    /// The function, where the row has its calls.
    fn called(&self) -> Option<SymbolId> {
        self.symbol.filter(|_| self.inlined.is_none())
    }
}

/// A column, and how its cell comes about.
struct FlatColumn<'a> {
    column: Column,
    cell: Box<dyn Fn(&FlatRow) -> Cell + 'a>,
}

struct FlatRows<'a> {
    costs: &'a CostGraph,
    table: &'a SymbolTable,
    order: Vec<Option<SymbolId>>,
    columns: Vec<FlatColumn<'a>>,
}

/// The flat profile of what `filters` show: from most to least, then by what stands
/// beside it, then by name. Rows of the layout of BSD refer to entries by `ranks`.
#[must_use]
pub fn flat_section<'a>(material: &Material<'a>, ranks: Option<&'a GraphRanks>) -> Section<'a> {
    let order = order(material);
    let mut columns = columns(material, &order);
    if material.costs.inlines.is_some() {
        columns.extend(inline_columns(material.table));
    }
    if material.costs.has_lower_bounds() {
        columns.push(lower_bound_column(material.costs));
    }
    columns.extend(
        ranks
            .filter(|_| material.layout() == Layout::Bsd)
            .map(index_column),
    );
    Section {
        id: SectionId::Flat,
        title: "Flat profile:".into(),
        layout: material.layout(),
        summary: summary(material),
        columns: columns.iter().map(|column| column.column.clone()).collect(),
        rows: Box::new(FlatRows {
            costs: material.costs,
            table: material.table,
            order,
            columns,
        }),
        notes: material.costs.notes_on_time(),
    }
}

impl Rows for FlatRows<'_> {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        let mut cells = Vec::with_capacity(self.columns.len());
        let mut show = |kind, row: &FlatRow| {
            cells.clear();
            cells.extend(self.columns.iter().map(|column| (column.cell)(row)));
            visit(Row {
                kind,
                cells: &cells,
            })
        };
        let mut cumulative: Option<Amount> = None;
        for &symbol in &self.order {
            let self_cost = self_cost(self.costs, symbol, self.costs.primary);
            let sum = cumulative.map_or(self_cost, |sum| sum.plus(self_cost));
            cumulative = Some(sum);
            let row = FlatRow {
                symbol,
                inlined: None,
                cumulative: Some(sum),
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
        Ok(())
    }
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

/// The rows. What is in no function stands where its amount puts it, behind equals.
fn order(material: &Material<'_>) -> Vec<Option<SymbolId>> {
    let &Material {
        costs,
        table,
        filters,
        options,
    } = material;
    let ids = table.iter().map(|(id, _)| id);
    let shown =
        ids.filter(|&id| filters.flat.contains(id) && (options.shows_idle || !is_idle(costs, id)));
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

fn calls(costs: &CostGraph, symbol: Option<SymbolId>) -> u64 {
    symbol.map_or(0, |symbol| costs.calls_of(symbol).from_others)
}

/// Whether there is nothing to say of a function.
fn is_idle(costs: &CostGraph, id: SymbolId) -> bool {
    let has_totals = costs.totals_from != TotalsFrom::Calls;
    costs.is_free(id)
        && costs.calls_of(id).from_others == 0
        && (!has_totals || costs.total(id, costs.primary).is_zero())
}

fn columns<'a>(material: &Material<'a>, order: &[Option<SymbolId>]) -> Vec<FlatColumn<'a>> {
    match material.layout() {
        Layout::Table => exact_columns(material.costs),
        layout => sampled_columns(material.costs, material.table, layout, order),
    }
}

fn column<'a>(column: Column, cell: impl Fn(&FlatRow) -> Cell + 'a) -> FlatColumn<'a> {
    FlatColumn {
        column,
        cell: Box::new(cell),
    }
}

/// What says where inlined functions were called, and how deep they are nested.
fn inline_columns(table: &SymbolTable) -> Vec<FlatColumn<'_>> {
    let call = |row: &FlatRow| table.inlines()?.get(row.inlined?.id).call;
    vec![
        column(Column::hidden("depth", Role::Other), |row| {
            Cell::integer(row.inlined.map(|part| part.depth))
        }),
        column(Column::hidden("call_file", Role::Source), move |row| {
            let file = call(row).map(|call| table.files().name(call.file));
            file.map_or(Cell::Absent, Cell::text)
        }),
        column(Column::hidden("call_line", Role::Source), move |row| {
            Cell::integer(call(row).map(|call| call.line.get()))
        }),
    ]
}

fn name_of(row: &FlatRow, table: Option<&SymbolTable>, nobody: &'static str) -> Cell {
    if let Some(inlines) = table.and_then(SymbolTable::inlines)
        && let Some(part) = row.inlined
    {
        return name(inlines.get(part.id).symbol);
    }
    row.symbol.map_or_else(|| Cell::text(nobody), name)
}

/// The columns that gprof's users know, and behind the scenes what they were made of.
fn sampled_columns<'a>(
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

fn index_column(ranks: &GraphRanks) -> FlatColumn<'_> {
    column(Column::hidden("index", Role::Index), |row| {
        Cell::integer(row.symbol.map(|id| ranks.rank(GraphNode::Function(id))))
    })
}

/// What tells the rows whose time is a lower bound.
fn lower_bound_column(costs: &CostGraph) -> FlatColumn<'_> {
    column(Column::hidden(LOWER_BOUND, Role::Other), |row| {
        Cell::flag(costs.is_lower_bound(row.symbol))
    })
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

/// What was recorded of each function, in columns as wide as they have to be.
fn exact_columns(costs: &CostGraph) -> Vec<FlatColumn<'_>> {
    let primary = costs.primary;
    let unit = costs.unit(primary);
    let head = |what: &str| [what.to_owned(), unit.clone()];
    let is_timed = costs.ticks_per_unit(primary).is_some();
    // Where ticks are shown in seconds, the ticks themselves stand behind the scenes.
    let id = |id: &str| {
        if is_timed {
            costs.timed_id(id, primary)
        } else {
            id.to_owned()
        }
    };
    let what_of = |metric: MetricIndex| {
        if costs.metrics[metric].id.starts_with("unfreed") {
            "unfreed"
        } else {
            "allocated"
        }
    };
    let has_totals = costs.totals_from != TotalsFrom::Nothing;
    let is_unfreed = costs.measured == Measured::Heap && what_of(primary) == "unfreed";
    let what = if is_unfreed { "unfreed" } else { "self" };
    let self_column = |metric: MetricIndex, what: &str| {
        let id = if metric == primary {
            id("self")
        } else {
            costs.metrics[metric].id.clone().into_owned()
        };
        let head = [what.to_owned(), costs.unit(metric)];
        column(
            Column::shown(id, Role::SelfValue, head).of(metric),
            move |row| costs.readable(row.self_cost(costs, metric), metric),
        )
    };
    let mut columns = vec![
        column(
            Column::shown("percent", Role::Share, head("%").map(|line| line)).of(primary),
            move |row| Cell::Real(costs.percent(row.self_cost(costs, primary))),
        ),
        column(
            Column::shown(id("cumulative"), Role::Cumulative, head("cumulative")).of(primary),
            move |row| {
                row.cumulative
                    .map_or(Cell::Absent, |sum| costs.readable(sum, primary))
            },
        ),
        self_column(primary, what),
    ];
    columns.extend(costs.paired.map(|paired| self_column(paired, what)));
    if has_totals {
        columns.push(column(
            Column::shown(id("total"), Role::Total, head("total")).of(primary),
            move |row| costs.readable(row.total(costs, primary), primary),
        ));
    }
    if let Some(collector) = costs.collector {
        columns.push(column(
            Column::shown(id("collector"), Role::Total, head("collector")).of(collector),
            move |row| costs.readable(row.total(costs, collector), collector),
        ));
    }
    if costs.call_counts.is_some() {
        columns.push(column(
            Column::shown("calls", Role::Calls, ["", "calls"]),
            move |row| match calls(costs, row.called()) {
                0 => Cell::Absent,
                calls => Cell::Integer(calls.into()),
            },
        ));
    }
    if costs.measured == Measured::Heap {
        let others = (0..costs.metrics.len()).filter(|&m| m != primary && Some(m) != costs.paired);
        columns.extend(others.map(|metric| self_column(metric, what_of(metric))));
    }
    columns.push(column(
        Column::shown("name", Role::Name, ["", "name"]),
        |row| name_of(row, None, "<no call stack>"),
    ));
    if costs.measured == Measured::Events {
        // Of many events text shows the one that was chosen.
        let others = (0..costs.metrics.len()).filter(|&metric| metric != primary);
        columns.extend(others.map(|metric| FlatColumn {
            column: Column::hidden(costs.metrics[metric].id.clone(), Role::SelfValue).of(metric),
            cell: Box::new(move |row| row.self_cost(costs, metric).into()),
        }));
    }
    if is_timed {
        columns.push(column(
            Column::hidden("self", Role::SelfValue).of(primary),
            move |row| row.self_cost(costs, primary).into(),
        ));
        if has_totals {
            columns.push(column(
                Column::hidden("total", Role::Total).of(primary),
                move |row| row.total(costs, primary).into(),
            ));
        }
    }
    columns
}

fn summary(material: &Material<'_>) -> Vec<String> {
    let costs = material.costs;
    let Some(sampling) = &costs.sampling else {
        return material.sum_up();
    };
    let unit = costs.unit(costs.primary);
    let all = costs.all(costs.primary);
    if material.options.is_bsd {
        let whole = if all.is_positive() { all.as_f64() } else { 1.0 };
        let share = all.is_positive().then(|| 100.0 / whole);
        return vec![sampling.granularity(share, whole, &unit, "accumulated")];
    }
    let mut summary = vec![format!(
        "Each sample counts as {} {unit}.",
        general(sampling.scale.units_per_tick())
    )];
    if !all.is_positive() {
        summary.extend([" no time accumulated".to_owned(), String::new()]);
    }
    debug_assert!(costs.metrics[costs.primary].basis == Basis::Sampled);
    summary
}

impl crate::analyze::cost_graph::Sampling {
    /// What one tick stands for, and which share of the whole it is if there is one.
    pub(super) fn granularity(
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
