//! Reading runs back from the rows of a section.

use std::collections::HashMap;
use std::sync::Arc;

use super::kept::in_seconds;
use super::runs::RUN;
use super::{CostRow, FunctionCosts};
use crate::analyze::snapped;
use crate::analyze::{Amount, Amounts};
use crate::compare::Measure;
use crate::compare::matching::FunctionName;
use crate::report::{
    Basis, Cell, Column, Input, Metric, MetricIndex, NameId, NameTable, Report, Role, Row, RowKind,
    Section,
};

/// Runs in the making.
pub(super) struct Reading<'r> {
    columns: Columns,
    names: &'r dyn NameTable,
    n_metrics: usize,
    primary: MetricIndex,
    /// Each function once, and its number.
    functions: Vec<FunctionName>,
    pub(super) numbers: HashMap<NameKey, u32>,
    runs: Vec<(Option<i128>, RunReading)>,
    pub(super) is_partial: bool,
}

/// What tells a name of a report from others: its number, or where it is no more than a
/// word, the word.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum NameKey {
    Id(NameId),
    Bare(Arc<[u8]>),
}

impl NameKey {
    pub(super) fn of(cell: &Cell) -> Option<Self> {
        match cell {
            Cell::Name(id) => Some(Self::Id(*id)),
            Cell::Text(name) => Some(Self::Bare((&**name).into())),
            _ => None,
        }
    }
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
    rows: Vec<CostRow>,
    own: Vec<Amount>,
    totals: Vec<Amount>,
}

impl<'r> Reading<'r> {
    pub(super) fn new(report: &'r Report<'_>, section: &Section<'_>) -> Self {
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

    pub(super) fn add(&mut self, row: &Row<'_>) {
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
        self.is_partial |= row.kind == RowKind::Rest;
        let is_entry = row.kind == RowKind::Entry;
        let key = NameKey::of(cell(self.columns.name)).filter(|_| is_entry);
        let number = key.map(|key| self.number(key));
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
                reading.rows.push(CostRow { function, calls });
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

    fn number(&mut self, key: NameKey) -> u32 {
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        self.functions.push(match &key {
            NameKey::Id(id) => function_name(self.names, *id),
            NameKey::Bare(name) => FunctionName {
                name: Arc::clone(name),
                is_line: self.names.are_lines(),
                ..FunctionName::default()
            },
        });
        let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.numbers.insert(key, number);
        number
    }

    /// Adds functions of a call graph that a flat profile leaves out: they cost nothing
    /// themselves, and only what they call does.
    pub(super) fn add_entries(&mut self, graph: &Section<'_>) {
        let Some((name, total)) = graph.column("name").zip(graph.column("total")) else {
            return;
        };
        // Nothing is written, so nothing fails.
        let _ = graph.rows.for_each(&mut |row| {
            let key = NameKey::of(&row.cells[name]);
            let is_entry = row.kind == RowKind::Entry;
            let key = key.filter(|key| is_entry && !self.numbers.contains_key(key));
            let Some((key, total)) = key.zip(Some(amount(&row.cells[total]))) else {
                return Ok(());
            };
            let function = self.number(key);
            if let Some((_, reading)) = self.runs.last_mut() {
                let nothing = total.less(total);
                reading.rows.push(CostRow {
                    function,
                    calls: None,
                });
                reading.own.extend((0..self.n_metrics).map(|_| nothing));
                let primary = self.primary;
                let totals = (0..self.n_metrics).map(|metric| match metric == primary {
                    true => total,
                    false => nothing,
                });
                reading.totals.extend(totals);
            }
            Ok(())
        });
    }

    /// Forgets totals that were shared out by calls: functions without ticks or calls of
    /// their own have some as well, and are not in the flat profile.
    pub(super) fn drop_shared_totals(&mut self, report: &Report<'_>) {
        let metric = report.metrics.get(self.primary);
        if metric.is_some_and(|metric| metric.total_basis == Some(Basis::Propagated)) {
            for (_, reading) in &mut self.runs {
                reading.totals.clear();
            }
        }
    }

    pub(super) fn finish(self, report: &Report<'_>) -> Vec<FunctionCosts> {
        let names: Arc<[FunctionName]> = self.functions.into();
        let seconds = |metric: &Metric| metric.rate.map(|rate| 1.0 / f64::from(rate.max(1)));
        let measure = Measure {
            metrics: report.metrics.iter().map(in_seconds).collect(),
            primary: report.primary,
            seconds_per_tick: report.metrics.iter().map(seconds).collect(),
        };
        let n_profiles = n_runs_of(&report.inputs);
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
                for sum in &mut all {
                    if let Amount::Ticks(ticks) = sum {
                        *ticks = snapped(*ticks);
                    }
                }
                all
            });
            let has_totals = reading.totals.len() == reading.own.len();
            let counts_calls = reading.rows.iter().any(|row| row.calls.is_some());
            FunctionCosts {
                measure: measure.clone(),
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
                counts_calls,
                has_arcs: false,
                arcs: Box::default(),
            }
        };
        self.runs.into_iter().map(tally).collect()
    }
}

/// How many runs profiles are of: one each, without the tables of names that stand among
/// them. Libraries are parts of one run.
fn n_runs_of(inputs: &[Input]) -> u32 {
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

pub(super) fn amount(cell: &Cell) -> Amount {
    match cell {
        Cell::Integer(number) => Amount::Exact(*number),
        Cell::Real(number) => Amount::Ticks(number.clamp(-MOST_TICKS, MOST_TICKS)),
        _ => Amount::Exact(0),
    }
}

/// No sum of ticks that a report claims is more than there are numbers for.
const MOST_TICKS: f64 = 1e100;
