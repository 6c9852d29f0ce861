//! Tallies that are kept in reports, and read back.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Tally, TallyArc, TallyRow};
use crate::analyze::amount::{Amount, Amounts};
use crate::analyze::roster::FunctionName;
use crate::report::{
    Cell, Column, Layout, Metric, MetricIndex, NameId, NameTable, Report, Role, Row, RowKind,
    RowTable, Section, SectionId,
};

/// Why a report does not say what each function costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTally {
    /// It has no flat profile.
    #[error("it has no flat profile")]
    NoFlat,
    /// Some functions are added up in one row.
    #[error("it has only some of the functions, and one row for all others")]
    Partial,
}

/// The column of the number of a run.
const RUN: &str = "run";

/// Runs as a section: what each function costs in each of them. The row for the whole
/// stands first; `name_of` gives the number of a name of a run.
#[must_use]
pub fn runs_section<'t>(
    tallies: impl IntoIterator<Item = &'t Tally>,
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

fn columns_of(tally: &Tally) -> Vec<Column> {
    let mut columns = vec![
        Column::shown(RUN, Role::Index, ["", "run"]).printed(0, 0),
        Column::shown("n_runs", Role::Count, ["", "runs"]).printed(0, 0),
    ];
    for (metric, of) in tally.metrics.iter().enumerate() {
        let id = match metric == tally.primary {
            true => "self".to_owned(),
            false => of.id.clone().into_owned(),
        };
        let unit = match tally.seconds_per_tick[metric] {
            Some(_) if of.rate.is_some() => "ticks".to_owned(),
            _ => of.unit.clone().into_owned(),
        };
        let head = [id.clone(), unit];
        columns.push(Column::shown(id, Role::SelfValue, head).of(metric));
    }
    columns.push(Column::shown("total", Role::Total, ["", "total"]).of(tally.primary));
    columns.push(Column::shown("calls", Role::Calls, ["", "calls"]));
    columns.push(Column::shown("name", Role::Name, ["", "name"]));
    columns
}

fn push_run(rows: &mut RowTable, run: usize, tally: &Tally, name_of: &dyn Fn(u32) -> NameId) {
    let run = Cell::integer(i128::try_from(run).ok());
    let n_metrics = tally.metrics.len();
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
        let total = total.map(|totals| totals.get(place, tally.primary));
        cells.push(total.map_or(Cell::Absent, Cell::from));
        cells.push(Cell::integer(row.calls));
        cells.push(Cell::Name(name_of(row.function)));
        rows.push(RowKind::Entry, cells);
    }
}

impl Tally {
    /// The runs of a report that was kept: those of [`runs_section`], or else its flat
    /// profile as one.
    ///
    /// # Errors
    /// When it has neither.
    pub fn of_report(report: &Report<'_>) -> Result<Vec<Self>, NoTally> {
        let section = |id| report.sections.iter().find(|section| section.id == id);
        let of_runs = section(SectionId::Runs).or_else(|| section(SectionId::Flat));
        let of_runs = of_runs.ok_or(NoTally::NoFlat)?;
        let mut reading = Reading::new(report, of_runs);
        // Nothing is written, so nothing fails.
        let _ = of_runs.rows.for_each(&mut |row| {
            reading.add(&row);
            Ok(())
        });
        if reading.is_partial {
            return Err(NoTally::Partial);
        }
        let numbers = std::mem::take(&mut reading.numbers);
        let mut tallies = reading.finish(report);
        if let ([tally], Some(graph)) = (&mut tallies[..], section(SectionId::Graph)) {
            tally.arcs = arcs_of(graph, &numbers);
        }
        Ok(tallies)
    }
}

/// Runs in the making.
struct Reading<'r> {
    columns: Columns,
    names: &'r dyn NameTable,
    n_metrics: usize,
    primary: MetricIndex,
    /// Each function once, and its number.
    functions: Vec<FunctionName>,
    numbers: HashMap<NameId, u32>,
    runs: Vec<(Option<i128>, RunReading)>,
    is_partial: bool,
}

/// Where numbers stand.
struct Columns {
    run: Option<usize>,
    n_runs: Option<usize>,
    own: Vec<Option<usize>>,
    total: Option<usize>,
    calls: Option<usize>,
    name: Option<usize>,
}

#[derive(Default)]
struct RunReading {
    n_runs: u32,
    all: Option<Vec<Amount>>,
    unattributed: Vec<Amount>,
    rows: Vec<TallyRow>,
    own: Vec<Amount>,
    totals: Vec<Amount>,
}

impl<'r> Reading<'r> {
    fn new(report: &'r Report<'_>, section: &Section<'_>) -> Self {
        let metrics = 0..report.metrics.len();
        let own = |metric: MetricIndex| {
            let columns = || section.columns.iter().enumerate();
            let is_own =
                |column: &Column| column.role == Role::SelfValue && column.metric == Some(metric);
            let id = &report.metrics[metric].id;
            let raw = |column: &Column| column.id == "self" || column.id == *id;
            let found = columns().find(|(_, column)| is_own(column) && raw(column));
            let found = found.or_else(|| columns().find(|(_, column)| is_own(column)));
            found.map(|(place, _)| place)
        };
        Self {
            columns: Columns {
                run: section.column(RUN),
                n_runs: section.column("n_runs"),
                own: metrics.map(own).collect(),
                total: section.column("total"),
                calls: section.column("calls"),
                name: section.column("name"),
            },
            names: &*report.names,
            n_metrics: report.metrics.len(),
            primary: report.primary,
            functions: Vec::new(),
            numbers: HashMap::new(),
            runs: Vec::new(),
            is_partial: false,
        }
    }

    fn add(&mut self, row: &Row<'_>) {
        let cell = |place: Option<usize>| place.map_or(&Cell::Absent, |place| &row.cells[place]);
        let run = match cell(self.columns.run) {
            Cell::Integer(run) => Some(*run),
            _ => None,
        };
        if self.runs.last().is_none_or(|(last, _)| *last != run) {
            self.runs.push((run, RunReading::default()));
        }
        let own: Vec<_> = self
            .columns
            .own
            .iter()
            .map(|&place| amount(cell(place)))
            .collect();
        let number = match (row.kind, cell(self.columns.name)) {
            (RowKind::Entry, Cell::Name(id)) => Some(self.number(*id)),
            (RowKind::Rest, _) => {
                self.is_partial = true;
                None
            }
            _ => None,
        };
        let total = cell(self.columns.total);
        let calls = match cell(self.columns.calls) {
            Cell::Integer(calls) => u64::try_from(*calls).ok(),
            _ => None,
        };
        let n_runs = cell(self.columns.n_runs);
        let Some((_, reading)) = self.runs.last_mut() else {
            return;
        };
        match (row.kind, number) {
            (RowKind::Entry, Some(function)) => {
                reading.rows.push(TallyRow { function, calls });
                if !total.is_absent() {
                    let primary = self.primary;
                    let totals = (0..self.n_metrics).map(|metric| {
                        if metric == primary {
                            amount(total)
                        } else {
                            own[metric]
                        }
                    });
                    reading.totals.extend(totals);
                }
                reading.own.extend(own);
            }
            (RowKind::Unattributed, _) => reading.unattributed = own,
            (RowKind::Total, _) => {
                reading.all = Some(own);
                if let Cell::Integer(n_runs) = n_runs {
                    reading.n_runs = u32::try_from(*n_runs).unwrap_or(1);
                }
            }
            _ => {}
        }
    }

    fn number(&mut self, id: NameId) -> u32 {
        let next = u32::try_from(self.functions.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(id).or_insert(next);
        if number == next {
            self.functions.push(function_name(self.names, id));
        }
        number
    }

    fn finish(self, report: &Report<'_>) -> Vec<Tally> {
        let names: Arc<[FunctionName]> = self.functions.into();
        let metrics: Arc<[Metric]> = report.metrics.iter().map(in_seconds).collect();
        let seconds_per_tick: Box<[Option<f64>]> = report
            .metrics
            .iter()
            .map(|metric| metric.rate.map(|rate| 1.0 / f64::from(rate.max(1))))
            .collect();
        let is_profile = |input: &&crate::report::Input| input.kind == "profile";
        let n_profiles = report.inputs.iter().filter(is_profile).count();
        let n_profiles = u32::try_from(n_profiles).unwrap_or(u32::MAX);
        let n_metrics = self.n_metrics;
        let nothing = vec![Amount::Exact(0); n_metrics];
        let tally = |(_, reading): (Option<i128>, RunReading)| {
            let unattributed = match reading.unattributed.is_empty() {
                true => nothing.clone(),
                false => reading.unattributed,
            };
            let all = reading.all.unwrap_or_else(|| {
                let mut all = unattributed.clone();
                for row in reading.own.chunks_exact(n_metrics.max(1)) {
                    for (sum, &amount) in all.iter_mut().zip(row) {
                        *sum = sum.plus(amount);
                    }
                }
                all
            });
            let has_totals = reading.totals.len() == reading.own.len();
            Tally {
                metrics: Arc::clone(&metrics),
                primary: report.primary,
                seconds_per_tick: seconds_per_tick.clone(),
                n_runs: match reading.n_runs {
                    0 => n_profiles.max(1),
                    n_runs => n_runs,
                },
                all: all.into(),
                unattributed: unattributed.into(),
                names: Arc::clone(&names),
                has_all_names: false,
                rows: reading.rows.into(),
                self_costs: Amounts::of_rows(n_metrics, &reading.own),
                totals: has_totals.then(|| Amounts::of_rows(n_metrics, &reading.totals)),
                arcs: Box::default(),
            }
        };
        self.runs.into_iter().map(tally).collect()
    }
}

/// The metric in the unit in which people read it.
pub(super) fn in_seconds(metric: &Metric) -> Metric {
    let is_timed = metric.rate.is_some() && metric.unit == "ticks";
    Metric {
        unit: if is_timed {
            "seconds".into()
        } else {
            metric.unit.clone()
        },
        ..metric.clone()
    }
}

fn function_name(names: &dyn NameTable, id: NameId) -> FunctionName {
    let location = names.location(id);
    FunctionName {
        name: names.linkage_name(id).into(),
        file: location.map(|location| location.file.into()),
        line: location.map(|location| location.line),
        is_line: names.are_lines(),
        object: names.object(id).map(Arc::from),
        is_global: false,
    }
}

fn amount(cell: &Cell) -> Amount {
    match cell {
        Cell::Integer(number) => Amount::Exact(*number),
        Cell::Real(number) => Amount::Ticks(*number),
        _ => Amount::Exact(0),
    }
}

/// The calls below the entries of a call graph.
fn arcs_of(graph: &Section<'_>, numbers: &HashMap<NameId, u32>) -> Box<[TallyArc]> {
    let column = |id| graph.column(id);
    let (Some(name), calls, total) = (column("name"), column("calls"), column("total")) else {
        return Box::default();
    };
    let mut arcs = Vec::new();
    let mut caller = None;
    // Nothing is written, so nothing fails.
    let _ = graph.rows.for_each(&mut |row| {
        let number = match &row.cells[name] {
            Cell::Name(id) => numbers.get(id).copied(),
            _ => None,
        };
        let cell = |place: Option<usize>| place.map_or(&Cell::Absent, |place| &row.cells[place]);
        match (row.kind, number) {
            (RowKind::Callee, Some(callee)) if caller.is_some() => arcs.push(TallyArc {
                caller,
                callee,
                calls: match cell(calls) {
                    Cell::Integer(calls) => u64::try_from(*calls).ok(),
                    _ => None,
                },
                total: match cell(total) {
                    Cell::Absent => None,
                    total => Some(amount(total)),
                },
            }),
            (RowKind::Caller | RowKind::Callee, _) => {}
            (_, number) => caller = number,
        }
        Ok(())
    });
    arcs.sort_by_key(|arc| (arc.caller, arc.callee));
    arcs.into()
}
