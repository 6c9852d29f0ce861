//! The columns of differences.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::change::Change;
use super::compared::{Compared, DifferenceOrder, RowChange};
use super::material::DifferenceMaterial;
use crate::compare::difference::ChangeVerdict;
use crate::report::{Cell, Column, MetricIndex, NameId, Print, Role};

/// Computes the cell of a column for a row.
pub(super) type CellOf<'a> = Box<dyn Fn(&RowChange) -> Cell + 'a>;

/// The columns: self cost, total cost, calls, and other metrics.
pub(super) fn columns<'a>(material: &DifferenceMaterial<'a>) -> Vec<(Column, CellOf<'a>)> {
    let compared = material.compared;
    let primary = compared.measure.primary;
    let by_total = material.order == DifferenceOrder::Total;
    let mut columns: Vec<(Column, CellOf<'a>)> = Vec::new();
    let cost = cost_columns("", compared, !by_total);
    columns.extend(of_change(cost, |row| Some(row.primary())));
    if compared.total.total.is_some() {
        let total = cost_columns("total_", compared, by_total);
        columns.extend(of_change(total, |row| row.total.as_ref()));
    }
    if compared.rows.iter().any(|row| row.calls.is_some()) {
        columns.extend(of_change(calls_columns(), |row| {
            // A function called on neither side may still have run.
            let calls = row.calls.as_ref();
            calls.filter(|calls| !calls.old.is_zero() || !calls.new.is_zero())
        }));
    }
    for &(metric, _) in compared.total.self_costs.iter().skip(1) {
        columns.extend(of_change(other_columns(metric, material), move |row| {
            let mut self_costs = row.self_costs.iter();
            let found = self_costs.find(|(of, _)| *of == metric);
            found.map(|(_, change)| change)
        }));
    }
    let total = compared.total.primary();
    let lesser = total.old.as_f64().abs().min(total.new.as_f64().abs());
    columns.push((
        Column::hidden("share", Role::Share).of(primary),
        Box::new(move |row| real((lesser > 0.0).then(|| 100.0 * row.primary().size() / lesser))),
    ));
    if let Some(own) = &compared.sampled {
        columns.push((
            Column::hidden("visible_percent", Role::Other).of(primary),
            Box::new(move |row| real(own.least_visible_share(row.row).map(|share| 100.0 * share))),
        ));
    }
    let joined = material.joined;
    columns.push((
        Column::hidden("old_name", Role::Other),
        Box::new(move |row| {
            let function = joined.rows.get(row.row);
            let other = function.filter(|function| function.rule.is_some());
            let old = other.and_then(|function| function.old.first());
            old.map_or(Cell::Absent, |old| Cell::text(&*old.name))
        }),
    ));
    let mut reasons: HashMap<usize, Vec<&str>> = HashMap::new();
    for failure in material.failures {
        let of_row = reasons.entry(failure.row).or_default();
        of_row.push(&failure.reason);
    }
    columns.push((
        Column::hidden("failure", Role::Failure),
        Box::new(move |row| {
            let reasons = reasons.get(&row.row);
            reasons.map_or(Cell::Absent, |reasons| Cell::text(reasons.join("; ")))
        }),
    ));
    let n_rows = joined.rows.len();
    columns.push((
        Column::shown("name", Role::Name, ["", "name"]),
        Box::new(move |row| match row.row.cmp(&n_rows) {
            Ordering::Less => name_cell(row.row),
            Ordering::Equal => Cell::text("<no function>"),
            Ordering::Greater => Cell::text("<all>"),
        }),
    ));
    if compared.rows.iter().any(|row| row.calls.is_some()) {
        columns.push((
            Column::hidden("calls_verdict", Role::Other),
            Box::new(|row| row.calls.as_ref().map_or(Cell::Absent, verdict_of_calls)),
        ));
    }
    columns
}

pub(super) fn name_cell(row: usize) -> Cell {
    Cell::Name(NameId(u32::try_from(row).unwrap_or(u32::MAX)))
}

/// A column, and the part of a change it shows.
pub(super) type OfChange = (Column, fn(&Change) -> Cell);

/// The same columns for the changes of rows.
fn of_change<'a>(
    columns: Vec<OfChange>,
    of: impl Fn(&RowChange) -> Option<&Change> + Copy + 'a,
) -> impl Iterator<Item = (Column, CellOf<'a>)> {
    columns.into_iter().map(move |(column, part)| {
        let cell: CellOf<'a> = Box::new(move |row| of(row).map_or(Cell::Absent, part));
        (column, cell)
    })
}

/// Old, new and change of a number, under these headings.
pub(super) fn side_columns(id: &str, heads: [[String; 2]; 3], print: Print) -> [Column; 3] {
    let ids = [("old", Role::Old), ("new", Role::New), ("change", Role::Change)];
    let mut heads = heads.into_iter();
    ids.map(|(word, role)| Column {
        print: Some(print),
        ..Column::shown(format!("{id}{word}"), role, heads.next().unwrap_or_default())
    })
}

/// The cells of these columns.
pub(super) const SIDES: [fn(&Change) -> Cell; 3] =
    [|change| change.old.into(), |change| change.new.into(), |change| change.change.into()];

/// Old, new, change and verdict of the primary metric.
pub(super) fn cost_columns(prefix: &str, compared: &Compared, is_shown: bool) -> Vec<OfChange> {
    let metric = compared.measure.primary;
    let unit = compared.unit(metric);
    let is_of_amounts = compared.sampled.is_some() && compared.is_of_amounts();
    let is_whole = is_of_amounts && !compared.is_normalized;
    let amount = Print::new(0, if is_whole { 0 } else { compared.decimals() });
    let side = |word: &str| {
        if prefix.is_empty() {
            [word.to_owned(), unit.clone()]
        } else {
            [format!("{word} total"), unit.clone()]
        }
    };
    let change = ["change".to_owned(), unit.clone()];
    let sides = side_columns(prefix, [side("old"), side("new"), change], amount);
    let mut columns: Vec<OfChange> = sides.into_iter().zip(SIDES).collect();
    let column = |id: &str, role, head: [&'static str; 2], print| Column {
        print: Some(print),
        ..Column::shown(format!("{prefix}{id}"), role, head)
    };
    let one_decimal = Print::new(0, 1);
    let percent = column("change_percent", Role::Other, ["change", "%"], one_decimal);
    columns.push((percent.signed(), |change| change.percent().map_or(Cell::Absent, Cell::Real)));
    if compared.sampled.is_some() {
        let low = column("low", Role::Limit, ["change", "from"], amount);
        let high = column("high", Role::Limit, ["", "to"], amount);
        columns.push((low, |change| real(change.interval.map(|(low, _)| low))));
        columns.push((high, |change| real(change.interval.map(|(_, high)| high))));
        let hidden = |id: &str| Column::hidden(format!("{prefix}{id}"), Role::Other);
        let on_request: [OfChange; 4] = [
            (hidden("low_percent"), |change| {
                let low = change.interval.map(|(low, _)| low);
                real(low.and_then(|low| change.percent_of_old(low)))
            }),
            (hidden("high_percent"), |change| {
                let high = change.interval.map(|(_, high)| high);
                real(high.and_then(|high| change.percent_of_old(high)))
            }),
            (hidden("p"), |change| real(change.chances.map(|(p, _)| p))),
            (hidden("adjusted_p"), |change| real(change.chances.map(|(_, adjusted)| adjusted))),
        ];
        columns.extend(on_request);
    }
    let verdict = column("verdict", Role::Verdict, ["", "verdict"], Print::new(0, 0));
    columns.push((verdict, |change| Cell::text(change.verdict.id())));
    for (column, _) in &mut columns {
        column.metric = Some(metric);
        column.print = column.print.filter(|_| is_shown);
        // `--error` does not show the limits of hidden columns.
        if !is_shown && column.role == Role::Limit {
            column.role = Role::Other;
        }
    }
    columns
}

/// A number; absent if it is not finite.
fn real(number: Option<f64>) -> Cell {
    let number = number.filter(|number| number.is_finite());
    number.map_or(Cell::Absent, Cell::Real)
}

/// Counts of calls on which the runs of each side agree are exact, so any change is real.
fn verdict_of_calls(calls: &Change) -> Cell {
    match calls.verdict {
        ChangeVerdict::Less => Cell::text("fewer"),
        verdict => Cell::text(verdict.id()),
    }
}

fn calls_columns() -> Vec<OfChange> {
    let heads = ["old", "new", "change"].map(|word| [word.to_owned(), "calls".to_owned()]);
    let [old, new, change] = side_columns("calls_", heads, Print::new(0, 2));
    let change = Column { print: None, ..change };
    [old, new, change].into_iter().zip(SIDES).collect()
}

/// Another metric: if there are few, text shows its change.
fn other_columns(metric: MetricIndex, material: &DifferenceMaterial<'_>) -> Vec<OfChange> {
    let compared = material.compared;
    let metrics = &compared.measure.metrics;
    let id = metrics[metric].id.replace('-', "_");
    const UNFREED: &str = "unfreed";
    let is_shown =
        metrics.len() <= N_METRICS_SHOWN && metrics[metric].part_of_heap() == Some(UNFREED);
    let head = [UNFREED.to_owned(), compared.unit(metric)];
    let change = Column::shown(format!("{id}_change"), Role::Change, head);
    let change = Column { print: change.print.filter(|_| is_shown), ..change };
    let old = Column::hidden(format!("{id}_old"), Role::Old);
    let new = Column::hidden(format!("{id}_new"), Role::New);
    let columns = [old, new, change].map(|column| column.of(metric));
    columns.into_iter().zip(SIDES).collect()
}

/// Maximum number of metrics for which text shows more than the primary one.
const N_METRICS_SHOWN: usize = 4;
