//! Runs as a section of a report, to be kept.

use super::FunctionCosts;
use crate::analyze::Amount;
use crate::report::{Cell, Column, Layout, NameId, Role, RowKind, RowTable, Section, SectionId};

/// The column of the number of a run.
pub(super) const RUN: &str = "run";

/// Runs as a section: what each function costs in each of them. The row for the whole
/// stands first; `name_of` gives the number of a name of a run.
#[must_use]
pub fn runs_section<'t>(
    tallies: impl IntoIterator<Item = &'t FunctionCosts>,
    name_of: impl Fn(usize, u32) -> NameId,
) -> Section<'static> {
    let mut rows = RowTable::default();
    let mut columns = Vec::new();
    for (run, tally) in tallies.into_iter().enumerate() {
        if columns.is_empty() {
            columns = columns_of(tally);
        }
        push_run(&mut rows, run, tally, &|function| name_of(run, function));
    }
    Section::new(SectionId::Runs, "Runs:", Layout::Table, columns, rows)
}

fn columns_of(tally: &FunctionCosts) -> Vec<Column> {
    let mut columns = vec![
        Column::shown(RUN, Role::Index, ["", "run"]).printed(0, 0),
        Column::shown("n_runs", Role::Count, ["", "runs"]).printed(0, 0),
    ];
    for (metric, of) in tally.measure.metrics.iter().enumerate() {
        let id = match metric == tally.measure.primary {
            true => "self".to_owned(),
            false => of.id.clone().into_owned(),
        };
        let unit = match tally.measure.seconds_per_tick[metric] {
            Some(_) if of.rate.is_some() => "ticks".to_owned(),
            _ => of.unit.clone().into_owned(),
        };
        let head = [id.clone(), unit];
        columns.push(Column::shown(id, Role::SelfValue, head).of(metric));
    }
    columns.push(Column::shown("total", Role::Total, ["", "total"]).of(tally.measure.primary));
    columns.push(Column::shown("calls", Role::Calls, ["", "calls"]));
    columns.push(Column::shown("name", Role::Name, ["", "name"]));
    columns
}

fn push_run(
    rows: &mut RowTable,
    run: usize,
    tally: &FunctionCosts,
    name_of: &dyn Fn(u32) -> NameId,
) {
    let run = Cell::integer(i128::try_from(run).ok());
    let n_metrics = tally.measure.metrics.len();
    let whole = |amounts: &[Amount], n_runs: Cell, name: &str| {
        let mut cells = vec![run.clone(), n_runs];
        cells.extend(amounts.iter().map(|&amount| Cell::from(amount)));
        cells.extend([Cell::Absent, Cell::Absent, Cell::text(name)]);
        cells
    };
    let n_runs = Cell::Integer(tally.n_runs.into());
    rows.push(RowKind::Total, whole(&tally.all, n_runs, "<all>"));
    if tally.unattributed.iter().any(|amount| !amount.is_zero()) {
        let nobody = whole(&tally.unattributed, Cell::Absent, "<no function>");
        rows.push(RowKind::Unattributed, nobody);
    }
    for (place, row) in tally.rows.iter().enumerate() {
        let mut cells = vec![run.clone(), Cell::Absent];
        cells.extend((0..n_metrics).map(|metric| tally.self_costs.get(place, metric).into()));
        let total = tally.totals.as_ref();
        let total = total.map(|totals| totals.get(place, tally.measure.primary));
        cells.push(total.map_or(Cell::Absent, Cell::from));
        cells.push(Cell::integer(row.calls));
        cells.push(Cell::Name(name_of(row.function)));
        rows.push(RowKind::Entry, cells);
    }
}
