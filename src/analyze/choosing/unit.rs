//! Entries with their rows, and the numbers that decide about them.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::report::{Cell, Column, Metric, NameTable, Role, Row, RowKind, Section, SectionId};
use crate::sorting::ColdSort;

/// An entry with its callers, callees and members.
pub(super) struct RowGroup {
    pub(super) place: usize,
    pub(super) kind: RowKind,
    /// Its own row has no cost or change.
    pub(super) is_negligible: bool,
    pub(super) about: Cell,
    /// Its index number.
    pub(super) index: Option<i128>,
    /// Its percentage of the whole, if rows have one; for changes, the absolute value.
    pub(super) percent: Option<f64>,
    /// Self cost; 0 for sums.
    pub(super) self_amount: f64,
    pub(super) self_percent: f64,
    key: SortKey,
    pub(super) is_shown: bool,
}

impl RowGroup {
    /// Returns whether it is always shown: costs outside of functions, sums, and rows omitted
    /// earlier.
    pub(super) fn stays(&self) -> bool {
        !matches!(self.kind, RowKind::Entry | RowKind::Cycle)
    }

    /// Its position in any order. A sum of all others in the first row stays there.
    pub(super) fn standing(&self) -> SortPosition {
        match self.kind {
            RowKind::Total if self.place == 0 => SortPosition::First,
            RowKind::Rest | RowKind::Total => SortPosition::Last,
            _ => SortPosition::Among,
        }
    }

    pub(super) fn is_of(&self, kept: &[bool]) -> bool {
        match self.about {
            Cell::Name(id) => kept.get(id.index()) == Some(&true),
            _ => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SortPosition {
    First,
    Among,
    Last,
}

enum SortKey {
    Number(f64),
    Text(Arc<[u8]>),
    Nothing,
}

pub(super) fn units(
    section: &Section,
    sort: Option<usize>,
    names: &dyn NameTable,
) -> Vec<RowGroup> {
    let share = share_of(section, sort);
    let (name, index) = (name_column(section), section.column("index"));
    let [self_amount, self_percent] = self_columns(section);
    let is_negligible = is_negligible(section, sort);
    let has_changes = section.columns.iter().any(is_change);
    let by_change = sort.is_some_and(|sort| is_change(&section.columns[sort]));
    let mut units: Vec<RowGroup> = Vec::with_capacity(section.rows.n_entries());
    let looked_at = section.rows.for_each_head(&mut |row| {
        let cell = |column: Option<usize>| column.map(|column| &row.cells[column]);
        let number = |column: Option<usize>| cell(column).and_then(real);
        let is_sum = matches!(row.kind, RowKind::Cycle | RowKind::Total);
        let own = |column: Option<usize>| number(column.filter(|_| !is_sum)).unwrap_or(0.0);
        units.push(RowGroup {
            place: units.len(),
            kind: row.kind,
            is_negligible: is_negligible(&row),
            about: cell(name).cloned().unwrap_or_default(),
            index: match cell(index) {
                Some(Cell::Integer(index)) => Some(*index),
                _ => None,
            },
            percent: number(share).map(|share| if has_changes { share.abs() } else { share }),
            self_amount: own(self_amount),
            self_percent: own(self_percent),
            key: match sort.map(|sort| key_of(&row.cells[sort], names)) {
                Some(SortKey::Number(number)) if by_change => SortKey::Number(number.abs()),
                key => key.unwrap_or(SortKey::Nothing),
            },
            is_shown: true,
        });
        Ok(())
    });
    debug_assert!(looked_at.is_ok(), "nothing is written");
    units
}

/// The percentage column that decides whether to show a row: the column of totals if rows are
/// sorted by totals, otherwise the first.
pub(super) fn share_of(section: &Section, sort: Option<usize>) -> Option<usize> {
    let by_total = sort.is_some_and(|sort| section.columns[sort].role == Role::Total);
    let of_total = || section.column("total_percent");
    let mut columns = section.columns.iter();
    let first = columns.position(|column| column.role == Role::Share);
    by_total.then(of_total).flatten().or(first)
}

/// Returns whether a column contains changes, which may be negative.
fn is_change(column: &Column) -> bool {
    let is_signed = column.print.is_some_and(|print| print.is_signed);
    column.role == Role::Change || is_signed && column.role != Role::Limit
}

/// For each entry in its original order, whether it is shown.
pub(super) fn shown_by_place(units: &[RowGroup]) -> Box<[bool]> {
    let mut shown = vec![false; units.len()];
    for unit in units {
        shown[unit.place] = unit.is_shown;
    }
    shown.into()
}

/// Sorts entries by key, stably. Rows at the fixed ends stay there.
pub(super) fn sort(units: &mut [RowGroup]) {
    units.cold_sort_by(|a, b| {
        let by_key = match (&a.key, &b.key) {
            (SortKey::Number(a), SortKey::Number(b)) => b.partial_cmp(a).unwrap_or(Ordering::Equal),
            (SortKey::Text(a), SortKey::Text(b)) => a.cmp(b),
            (a, b) => rank(a).cmp(&rank(b)),
        };
        a.standing().cmp(&b.standing()).then(by_key)
    });
}

/// Reverses entries, except for the rows at the fixed ends.
pub(super) fn reverse(units: &mut [RowGroup]) {
    units.reverse();
    units.cold_sort_by(|a, b| match (a.standing(), b.standing()) {
        (SortPosition::Last, SortPosition::Last) => a.place.cmp(&b.place),
        (a, b) => a.cmp(&b),
    });
}

/// Rows without a value in the column come last.
fn rank(key: &SortKey) -> u8 {
    match key {
        SortKey::Number(_) => 0,
        SortKey::Text(_) => 1,
        SortKey::Nothing => 2,
    }
}

fn key_of(cell: &Cell, names: &dyn NameTable) -> SortKey {
    match cell {
        Cell::Name(id) => SortKey::Text(names.name(*id).into()),
        Cell::Text(text) => SortKey::Text(Arc::clone(text)),
        cell => real(cell).map_or(SortKey::Nothing, SortKey::Number),
    }
}

pub(super) fn real(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Real(number) => Some(*number),
        Cell::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// Singular and plural of the rows of a section; `None` if the section cannot be ranked.
pub(super) fn what_rows_are(id: SectionId, are_lines: bool) -> Option<[&'static str; 2]> {
    use SectionId as S;
    Some(match id {
        S::Tree => ["frame", "frames"],
        S::Leaks => ["call stack", "call stacks"],
        S::Sizes | S::TraceSizes => ["size", "sizes"],
        S::TraceUnfreed | S::HeapPeak | S::HeapTemporary | S::HeapGrowth | S::CoverageMissed => {
            ["place", "places"]
        }
        S::TraceLargest | S::TraceLongest | S::TraceReallocated => ["block", "blocks"],
        S::TraceThreads => ["thread", "threads"],
        S::TraceInvalid => ["event", "events"],
        S::Coverage | S::SourceFiles | S::SpreadFiles => ["file", "files"],
        S::DifferenceCalls => ["call", "calls"],
        S::Trend => ["change", "changes"],
        S::Flat | S::Graph | S::Counts | S::Difference | S::Spread if are_lines => {
            ["line", "lines"]
        }
        S::Flat | S::Graph | S::Counts | S::Difference | S::Spread => ["function", "functions"],
        _ => return None,
    })
}

pub(super) fn is_ranking(id: SectionId) -> bool {
    what_rows_are(id, false).is_some()
}

/// Percentage of the whole from which callers without self cost, such as `main`, are kept.
const KEPT_PERCENT: f64 = 50.0;

/// Tests whether a row is negligible: no cost in itself or in the column `sort`, no change, or an
/// unremarkable file.
fn is_negligible(section: &Section, sort: Option<usize>) -> Box<dyn Fn(&Row<'_>) -> bool> {
    let columns = || section.columns.iter().enumerate();
    let are_zero = |row: &Row<'_>, places: &[usize]| {
        let mut costs = places.iter().filter_map(|&place| real(&row.cells[place]));
        costs.all(|cost| cost == 0.0)
    };
    let verdict = columns().find(|(_, column)| {
        column.role == Role::Verdict && (column.print.is_some() || is_of_calls(section))
    });
    if let Some((verdict, _)) = verdict {
        let (failure, counted) = (section.column("failure"), counted(section));
        let by_calls = sort.is_some_and(|sort| section.columns[sort].id.starts_with("calls"));
        let sampled = is_sampled(section) && !by_calls && !is_of_calls(section);
        let is_time = |column: &Column| {
            matches!(column.role, Role::Old | Role::New)
                && column.print.is_some()
                && !column.id.starts_with("calls")
        };
        let times = columns().filter(|(_, column)| is_time(column)).map(|(place, _)| place);
        let times = sampled.then(|| times.collect::<Vec<_>>());
        return Box::new(move |row| {
            let is_shown = match &row.cells[verdict] {
                Cell::Text(word) => !matches!(&**word, b"same" | b"unclear"),
                _ => false,
            };
            // The reason for refusing a change must not be omitted.
            let is_refused = failure.is_some_and(|failure| !row.cells[failure].is_absent());
            // Functions without any sample are many, and their calls change with everything.
            let is_idle = || times.as_ref().is_some_and(|times| are_zero(row, times));
            !is_shown && !is_refused && (are_zero(row, &counted) || is_idle())
        });
    }
    if let (SectionId::SpreadFiles, Some(remarks)) = (section.id, section.column("what")) {
        return Box::new(move |row| row.cells[remarks].is_absent());
    }
    let own = columns().filter(|(_, column)| column.role == Role::SelfValue);
    let own = own.filter(|(_, column)| column.print.is_some());
    let own: Box<[usize]> = own.map(|(place, _)| place).chain(sort).collect();
    let total = section.column("total_percent");
    let runs_most = move |row: &Row<'_>| {
        total.is_some_and(|total| real(&row.cells[total]) >= Some(KEPT_PERCENT))
    };
    Box::new(move |row| are_zero(row, &own) && !runs_most(row))
}

fn is_of_calls(section: &Section) -> bool {
    section.id == SectionId::DifferenceCalls
}

fn is_sampled(section: &Section) -> bool {
    section.columns.iter().any(|column| column.role == Role::Limit)
}

/// The visible columns of exact changes, which verdicts do not cover. Totals only if totals
/// are shown.
fn counted(section: &Section) -> Box<[usize]> {
    let is_sampled = is_sampled(section);
    let shows_totals =
        section.column("total_change").is_some_and(|total| section.columns[total].print.is_some());
    let columns = section.columns.iter().enumerate();
    let changes = columns.filter(|(_, column)| column.role == Role::Change);
    let counted = changes.filter(|(_, column)| match &*column.id {
        _ if is_of_calls(section) => column.id == "calls_change",
        "change" => !is_sampled && !shows_totals,
        "total_change" => !is_sampled && shows_totals,
        "calls_change" => true,
        _ => column.print.is_some(),
    });
    counted.map(|(place, _)| place).collect()
}

pub(super) fn unit_of<'c>(column: &'c Column, metrics: &'c [Metric]) -> &'c str {
    let of_time = column.id.strip_prefix("self_");
    let of_metric = || Some(&*metrics.get(column.metric?)?.unit);
    let unit = of_time.or_else(of_metric);
    unit.unwrap_or(column.head[1].trim())
}

pub(super) fn name_column(section: &Section) -> Option<usize> {
    let columns = || section.columns.iter();
    let with = |role: Role| columns().position(|column| column.role == role);
    let printed = || columns().rposition(|column| column.print.is_some());
    match section.id {
        SectionId::Sizes | SectionId::TraceSizes => section.column("size"),
        _ => with(Role::Name).or(with(Role::Source)).or_else(printed),
    }
}

/// The columns of self cost: in the unit of the metric, and in percent.
pub(super) fn self_columns(section: &Section) -> [Option<usize>; 2] {
    let columns = || section.columns.iter();
    let is_own = |column: &Column| column.role == Role::SelfValue;
    let printed = columns().position(|column| is_own(column) && column.print.is_some());
    let percent = match section.id {
        // The number before an entry is the share of its total.
        SectionId::Graph | SectionId::Tree => section.column("self_percent"),
        // Changes go both ways, so they are not parts of a whole.
        SectionId::Difference | SectionId::DifferenceCalls => None,
        _ => columns().position(|column| column.role == Role::Share),
    };
    [printed.or_else(|| columns().position(is_own)), percent]
}
