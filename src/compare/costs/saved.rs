//! Costs in saved reports: the runs of a baseline, or a flat profile with a call graph.

use std::collections::HashMap;
use std::sync::Arc;

use super::{CostArc, CostedFunction, FunctionCosts};
use crate::analyze::{Amount, Amounts, snapped};
use crate::compare::Measure;
use crate::compare::matching::FunctionName;
use crate::report::{
    Basis, Cell, Column, Layout, Metric, MetricIndex, NameId, NameTable, Report, ReportInput, Role,
    Row, RowKind, RowTable, Section, SectionId,
};

/// Why a report has no costs of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotComparable {
    /// It has no flat profile.
    #[error("it has no flat profile")]
    NoFlat,
    /// The request selects only some functions.
    #[error("a saved report cannot be filtered")]
    Unfiltered,
    /// One is by function, the other by line.
    #[error("one side is by function, the other by line")]
    OtherRows,
    /// Some functions are added up in one row.
    #[error("it contains only some functions, and one row for the rest")]
    Partial,
}

/// The number of the run, in addition to the columns of a flat profile.
const RUN: &str = "run";
const GENERATION: &str = "generation";
const N_RUNS: &str = "n_runs";
const PROGRAM: &str = "program";

/// The costs of each function in each run, as a section. The row of the total comes first;
/// `name_of` returns the index of a name.
pub fn runs_section<'t>(
    runs: impl IntoIterator<Item = &'t FunctionCosts>,
    name_of: impl Fn(usize, u32) -> NameId,
) -> Section {
    let mut rows = RowTable::default();
    let mut columns = Vec::new();
    let runs: Vec<&FunctionCosts> = runs.into_iter().collect();
    let has_programs = runs.iter().any(|costs| costs.program.is_some());
    for (run, costs) in runs.into_iter().enumerate() {
        if columns.is_empty() {
            columns = columns_of(&costs.measure);
            columns.extend(has_programs.then(|| Column::hidden(PROGRAM, Role::Other)));
        }
        let program = costs.program.as_deref().map_or(Cell::Absent, Cell::text);
        let program = has_programs.then_some(program);
        let n_metrics = costs.measure.metrics.len();
        let run_cell = Cell::integer(i128::try_from(run).ok());
        let of_run = [run_cell, Cell::Integer(costs.generation.into())];
        let whole = |amounts: &[Amount], n_runs: Cell, name: &str| {
            let amounts = amounts.iter().map(|&amount| Cell::from(amount));
            let cells = of_run.iter().cloned().chain([n_runs]).chain(amounts);
            let cells = cells.chain([Cell::Absent, Cell::Absent, Cell::text(name)]);
            let cells = cells.chain(program.clone());
            cells.collect::<Vec<_>>()
        };
        let n_runs = Cell::Integer(costs.n_runs.into());
        rows.push(RowKind::Total, whole(&costs.all, n_runs, "<all>"));
        if costs.unattributed.iter().any(|amount| !amount.is_zero()) {
            let nobody = whole(&costs.unattributed, Cell::Absent, "<no function>");
            rows.push(RowKind::Unattributed, nobody);
        }
        for (place, row) in costs.rows.iter().enumerate() {
            let self_costs = (0..n_metrics).map(|metric| costs.self_costs.get(place, metric));
            let cells = of_run.iter().cloned().chain([Cell::Absent]);
            let cells = cells.chain(self_costs.map(Cell::from));
            let total = costs.totals.as_ref().map(|totals| totals[place]);
            let cells = cells.chain([
                total.map_or(Cell::Absent, Cell::from),
                Cell::integer(row.calls),
                Cell::Name(name_of(run, row.function)),
            ]);
            let cells = cells.chain(program.clone());
            rows.push(RowKind::Entry, cells);
        }
    }
    Section::new(SectionId::Runs, "Runs:", Layout::Table, columns, rows)
}

fn columns_of(measure: &Measure) -> Vec<Column> {
    let mut columns = vec![
        Column::shown(RUN, Role::Index, ["", "run"]).printed(0, 0),
        Column::hidden(GENERATION, Role::Index),
        Column::shown(N_RUNS, Role::Count, ["", "runs"]).printed(0, 0),
    ];
    for (metric, of) in as_counted(measure).into_iter().enumerate() {
        let id = if metric == measure.primary { "self".to_owned() } else { of.id.into_owned() };
        let head = [id.clone(), of.unit.into_owned()];
        columns.push(Column::shown(id, Role::SelfValue, head).of(metric));
    }
    columns.push(Column::shown("total", Role::Total, ["", "total"]).of(measure.primary));
    columns.push(Column::shown("calls", Role::Calls, ["", "calls"]));
    columns.push(Column::shown("name", Role::Name, ["", "name"]));
    columns
}

/// Metrics in their recorded units.
pub fn as_counted(measure: &Measure) -> Vec<Metric> {
    let metrics = measure.metrics.iter().zip(&measure.seconds_per_tick);
    let counted = metrics.map(|(metric, seconds_per_tick)| Metric {
        unit: match seconds_per_tick {
            Some(_) if metric.rate.is_some() => "ticks".into(),
            _ => metric.unit.clone(),
        },
        ..metric.clone()
    });
    counted.collect()
}

/// The metric in seconds.
pub(super) fn in_seconds(metric: &Metric) -> Metric {
    let is_timed = metric.rate.is_some();
    Metric {
        unit: match &*metric.quantity {
            // A gmon.out may have sampled something else than time.
            quantity if is_timed && metric.id == "ticks" && quantity != "time" => {
                metric.quantity.clone()
            }
            _ if is_timed => "seconds".into(),
            _ => metric.unit.clone(),
        },
        ..metric.clone()
    }
}

impl FunctionCosts {
    /// The runs of a saved report: those of [`runs_section`], or its flat profile as one run.
    ///
    /// # Errors
    /// If it has neither.
    pub fn of_report(report: &Report) -> Result<Vec<Self>, NotComparable> {
        let section = |id| report.sections.iter().find(|section| section.id == id);
        let (of_runs, graph) = match section(SectionId::Runs) {
            Some(runs) => (runs, None),
            None => {
                (section(SectionId::Flat).ok_or(NotComparable::NoFlat)?, section(SectionId::Graph))
            }
        };
        let mut reading =
            SavedRuns { report, functions: Vec::new(), numbers: HashMap::new(), runs: Vec::new() };
        reading.add_runs(of_runs)?;
        let metric = report.metrics.get(report.primary);
        let is_shared = metric.is_some_and(|one| one.total_basis == Some(Basis::Propagated));
        match (graph, of_runs.id) {
            (Some(graph), _) => reading.add_graph(graph),
            // Functions without ticks or calls of their own are not in the flat profile, but have
            // totals that were distributed by calls.
            (None, SectionId::Flat) if is_shared => {
                let runs = reading.runs.iter_mut();
                runs.for_each(|(_, run)| run.totals.clear());
            }
            _ => {}
        }
        Ok(reading.finish())
    }
}

/// Runs read so far.
struct SavedRuns<'r> {
    report: &'r Report,
    /// Functions by number.
    functions: Vec<FunctionName>,
    numbers: HashMap<NameKey, u32>,
    /// With the number of the run in the report.
    runs: Vec<(Option<u64>, SavedRun)>,
}

#[derive(Default)]
struct SavedRun {
    program: Option<Arc<str>>,
    n_runs: Option<u64>,
    generation: Option<u64>,
    all: Option<Vec<Amount>>,
    unattributed: Option<Vec<Amount>>,
    rows: Vec<CostedFunction>,
    /// All metrics of each row.
    self_costs: Vec<Amount>,
    /// The primary metric of each row, if it has totals.
    totals: Vec<Amount>,
    arcs: Vec<CostArc>,
}

/// The key of a name in a report: its index, or its text.
#[derive(PartialEq, Eq, Hash)]
enum NameKey {
    Id(NameId),
    Bare(Arc<[u8]>),
}

impl NameKey {
    fn of(cell: &Cell) -> Option<Self> {
        match cell {
            Cell::Name(id) => Some(Self::Id(*id)),
            Cell::Text(name) => Some(Self::Bare((&**name).into())),
            _ => None,
        }
    }
}

/// Passes the rows of a section, with the cells of these columns.
fn for_each_row<const N: usize>(
    section: &Section,
    columns: [&str; N],
    mut visit: impl FnMut(&Row<'_>, [&Cell; N]),
) {
    let places = columns.map(|id| section.column(id));
    // The callback never fails.
    let _ = section.rows.for_each(&mut |row| {
        let cell = |place: Option<usize>| place.map_or(&Cell::Absent, |place| &row.cells[place]);
        visit(&row, places.map(cell));
        Ok(())
    });
}

impl SavedRuns<'_> {
    fn add_runs(&mut self, section: &Section) -> Result<(), NotComparable> {
        let metrics = 0..self.report.metrics.len();
        let places: Vec<_> = metrics.map(|one| self.self_column(section, one)).collect();
        let columns = [RUN, GENERATION, N_RUNS, PROGRAM, "total", "calls", "name"];
        let mut is_partial = false;
        for_each_row(section, columns, |row, cells| {
            let [run, generation, n_runs, program, total, calls, name] = cells;
            let run = count(run);
            if self.runs.last().is_none_or(|(last, _)| *last != run) {
                self.runs.push((run, SavedRun::default()));
            }
            let of = |place: &Option<usize>| {
                place.map_or(Amount::Exact(0), |place| amount(&row.cells[place]))
            };
            let self_costs: Vec<_> = places.iter().map(of).collect();
            let key = NameKey::of(name).filter(|_| row.kind == RowKind::Entry);
            let function = key.map(|key| self.number(key));
            let Some((_, run)) = self.runs.last_mut() else {
                return;
            };
            match (row.kind, function) {
                (RowKind::Entry, Some(function)) => {
                    let calls = count(calls);
                    run.rows.push(CostedFunction { function, calls });
                    run.self_costs.extend(self_costs);
                    run.totals.extend((!total.is_absent()).then(|| amount(total)));
                }
                (RowKind::Unattributed, _) => run.unattributed = Some(self_costs),
                (RowKind::Total, _) => {
                    run.all = Some(self_costs);
                    run.n_runs = count(n_runs).or(run.n_runs);
                    run.generation = count(generation);
                    if let Cell::Text(program) = program {
                        run.program = Some(String::from_utf8_lossy(program).into());
                    }
                }
                (RowKind::Rest, _) => is_partial = true,
                _ => {}
            }
        });
        if is_partial { Err(NotComparable::Partial) } else { Ok(()) }
    }

    /// The column of self costs: the recorded one, if there are several.
    fn self_column(&self, section: &Section, metric: MetricIndex) -> Option<usize> {
        let id = &self.report.metrics[metric].id;
        let is_counted = |column: &Column| column.id == "self" || column.id == *id;
        let columns = section.columns.iter().enumerate();
        let columns =
            columns.filter(|(_, one)| one.role == Role::SelfValue && one.metric == Some(metric));
        let best = columns.min_by_key(|(_, column)| !is_counted(column));
        best.map(|(place, _)| place)
    }

    fn number(&mut self, key: NameKey) -> u32 {
        let Self { report, functions, .. } = self;
        *self.numbers.entry(key).or_insert_with_key(|key| {
            functions.push(match key {
                NameKey::Id(id) => function_name(&*report.names, *id),
                NameKey::Bare(name) => FunctionName {
                    name: Arc::clone(name),
                    is_line: report.names.are_lines(),
                    ..FunctionName::default()
                },
            });
            u32::try_from(functions.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// Adds the calls of a call graph, and its functions that the flat profile omits because
    /// they have no self cost.
    fn add_graph(&mut self, graph: &Section) {
        let n_metrics = self.report.metrics.len();
        for_each_row(graph, ["name", "total"], |row, [name, total]| {
            let key = NameKey::of(name).filter(|_| row.kind == RowKind::Entry);
            let key = key.filter(|key| !self.numbers.contains_key(key));
            let (Some(key), Some(_)) = (key, graph.column("total")) else {
                return;
            };
            let (function, total) = (self.number(key), amount(total));
            if let Some((_, run)) = self.runs.last_mut() {
                run.rows.push(CostedFunction { function, calls: None });
                let nothing = total.less(total);
                run.self_costs.extend(vec![nothing; n_metrics]);
                run.totals.push(total);
            }
        });
        let (mut arcs, mut caller) = (Vec::new(), None);
        let columns = ["name", "calls", "total"];
        for_each_row(graph, columns, |row, [name, calls, total]| {
            let key = NameKey::of(name);
            let number = key.and_then(|key| self.numbers.get(&key).copied());
            match (row.kind, number) {
                (RowKind::Callee, Some(callee)) if caller.is_some() => arcs.push(CostArc {
                    caller,
                    callee,
                    calls: count(calls),
                    total: (!total.is_absent()).then(|| amount(total)),
                }),
                (RowKind::Entry | RowKind::Cycle, number) => caller = number,
                _ => {}
            }
        });
        arcs.sort_by_key(|arc| (arc.caller, arc.callee));
        if let [(_, run)] = &mut self.runs[..] {
            run.arcs = arcs;
        }
    }

    fn finish(self) -> Vec<FunctionCosts> {
        let names: Arc<[FunctionName]> = self.functions.into();
        let metrics = &self.report.metrics;
        let seconds = |metric: &Metric| metric.per_unit().map(|amount| 1.0 / amount);
        let measure = Measure {
            metrics: metrics.iter().map(in_seconds).collect(),
            primary: self.report.primary,
            seconds_per_tick: metrics.iter().map(seconds).collect(),
        };
        let n_profiles = n_runs_of(&self.report.inputs).max(1);
        let n_metrics = metrics.len();
        let amount = metrics.get(self.report.primary).and_then(|one| one.per_sample);
        let costs = |(_, run): (Option<u64>, SavedRun)| {
            let nothing = || vec![Amount::Exact(0); n_metrics];
            let unattributed = run.unattributed.unwrap_or_else(nothing);
            let all = run.all.unwrap_or_else(|| {
                let mut all = unattributed.clone();
                for row in run.self_costs.chunks_exact(n_metrics.max(1)) {
                    for (sum, &amount) in all.iter_mut().zip(row) {
                        *sum = sum.plus(amount);
                    }
                }
                let snap = |sum| match sum {
                    Amount::Ticks(ticks) => Amount::Ticks(snapped(ticks)),
                    exact @ Amount::Exact(_) => exact,
                };
                all.into_iter().map(snap).collect()
            });
            let costs = FunctionCosts {
                measure: measure.clone(),
                program: run.program,
                n_runs: match run.n_runs {
                    None | Some(0) => n_profiles,
                    Some(n_runs) => u32::try_from(n_runs).unwrap_or(1),
                },
                generation: run.generation.map_or(0, |one| u32::try_from(one).unwrap_or(u32::MAX)),
                all: all.into(),
                unattributed: unattributed.into(),
                names: Arc::clone(&names),
                has_all_names: false,
                amount: amount.unwrap_or(1.0),
                amounts: None,
                self_costs: Amounts::of_cells(
                    run.self_costs.len() / n_metrics.max(1),
                    n_metrics,
                    |row, metric| run.self_costs[row * n_metrics + metric],
                ),
                totals: (run.totals.len() == run.rows.len()).then(|| run.totals.into()),
                counts_calls: run.rows.iter().any(|row| row.calls.is_some()),
                rows: run.rows.into(),
                has_arcs: !run.arcs.is_empty(),
                arcs: run.arcs.into(),
            };
            if costs.program.is_some() { costs.with_own_names() } else { costs }
        };
        self.runs.into_iter().map(|run| costs(run).without_parts()).collect()
    }
}

/// Number of runs in profiles: one each, without tables of names. Libraries belong to one
/// run.
fn n_runs_of(inputs: &[ReportInput]) -> u32 {
    let profiles = || inputs.iter().filter(|input| input.kind == "profile");
    if profiles().any(|input| input.layout == "LD_PROFILE") {
        return 1;
    }
    let runs = profiles().filter(|input| !input.has_only_names());
    u32::try_from(runs.count()).unwrap_or(u32::MAX)
}

fn function_name(names: &dyn NameTable, id: NameId) -> FunctionName {
    let location = names.location(id);
    FunctionName {
        name: names.linkage_name(id).into(),
        file: location.map(|location| location.file.into()),
        line: location.map(|location| location.line),
        is_line: names.are_lines(),
        offset: None,
        object: names.object(id).map(Arc::from),
        is_global: false,
    }
}

fn count(cell: &Cell) -> Option<u64> {
    match cell {
        Cell::Integer(count) => u64::try_from(*count).ok(),
        _ => None,
    }
}

/// Maximum sum of ticks in a saved report.
const MOST_TICKS: f64 = 1e100;

fn amount(cell: &Cell) -> Amount {
    match cell {
        Cell::Integer(number) => Amount::Exact(*number),
        Cell::Real(number) => Amount::Ticks(number.clamp(-MOST_TICKS, MOST_TICKS)),
        _ => Amount::Exact(0),
    }
}
