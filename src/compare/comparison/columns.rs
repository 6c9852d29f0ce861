//! The columns of what differs, and how their cells come about.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::change::Change;
use super::compared::RowChange;
use super::functions::DifferenceMaterial;
use super::order::DifferenceOrder;
use crate::analyze::Amount;
use crate::report::{Cell, Column, MetricIndex, NameId, Print, Role};

/// A column, and its cell for a row.
pub(super) type CellOf<'a> = Box<dyn Fn(&RowChange) -> Cell + Send + Sync + 'a>;

/// The columns: what functions cost themselves, with what they call, their calls, and what
/// else was measured.
pub(super) fn columns<'a>(material: &DifferenceMaterial<'a>) -> Vec<(Column, CellOf<'a>)> {
    let compared = material.compared;
    let primary = compared.measure.primary;
    let by_total = material.order == DifferenceOrder::Total;
    let mut columns: Vec<(Column, CellOf<'a>)> = Vec::new();
    columns.extend(columns_of("", primary, material, !by_total, |row| {
        Some(row.primary())
    }));
    if compared.total.total.is_some() {
        columns.extend(columns_of("total_", primary, material, by_total, |row| {
            row.total.as_ref()
        }));
    }
    if compared.rows.iter().any(|row| row.calls.is_some()) {
        columns.extend(calls_columns());
    }
    let others = compared.total.own.iter().skip(1).map(|&(metric, _)| metric);
    for metric in others {
        columns.extend(columns_of_another(metric, material));
    }
    let lesser = {
        let total = compared.total.primary();
        total.old.as_f64().abs().min(total.new.as_f64().abs())
    };
    let share = Column::hidden("share", Role::Share).of(primary);
    columns.push((
        share,
        Box::new(move |row| match lesser > 0.0 {
            true => Cell::Real(100.0 * row.primary().change.as_f64().abs() / lesser),
            false => Cell::Absent,
        }),
    ));
    let joined = material.joined;
    let old_name = Column::hidden("old_name", Role::Other);
    columns.push((
        old_name,
        Box::new(move |row| {
            let function = joined.rows.get(row.row);
            let other = function.filter(|function| function.rule.is_some());
            let old = other.and_then(|function| function.old.first());
            old.map_or(Cell::Absent, |old| Cell::text(&*old.name))
        }),
    ));
    let mut reasons: HashMap<usize, String> = HashMap::new();
    for failure in material.failures {
        let said = reasons.entry(failure.row).or_default();
        if !said.is_empty() {
            said.push_str("; ");
        }
        said.push_str(&failure.reason);
    }
    columns.push((
        Column::hidden("failure", Role::Failure),
        Box::new(move |row| {
            let said = reasons.get(&row.row);
            said.map_or(Cell::Absent, |said| Cell::text(&**said))
        }),
    ));
    let n_rows = joined.rows.len();
    columns.push((
        Column::shown("name", Role::Name, ["", "name"]),
        Box::new(move |row| match row.row.cmp(&n_rows) {
            Ordering::Less => Cell::Name(NameId(u32::try_from(row.row).unwrap_or(u32::MAX))),
            Ordering::Equal => Cell::text("<no function>"),
            Ordering::Greater => Cell::text("<all>"),
        }),
    ));
    columns
}

/// Both sides of a number, its change, and what is said of that.
fn columns_of<'a>(
    prefix: &'static str,
    metric: MetricIndex,
    material: &DifferenceMaterial<'a>,
    is_shown: bool,
    of: fn(&RowChange) -> Option<&Change>,
) -> Vec<(Column, CellOf<'a>)> {
    let unit = material.unit(metric);
    let decimals = decimals_of(&unit);
    let what = |word: &str| match prefix.is_empty() {
        true => word.to_owned(),
        false => format!("{word} total"),
    };
    let column = |id: &str, role: Role, head: [String; 2], print: Print| Column {
        print: is_shown.then_some(print),
        ..Column::shown(format!("{prefix}{id}"), role, head).of(metric)
    };
    let amount = Print::new(0, decimals);
    let percent = column(
        "change_percent",
        Role::Other,
        ["change".into(), "%".into()],
        Print::new(0, 1),
    );
    let cell = move |part: fn(&Change) -> Cell| -> CellOf<'a> {
        Box::new(move |row| of(row).map_or(Cell::Absent, part))
    };
    let mut columns = vec![
        (
            column("old", Role::Old, [what("old"), unit.clone()], amount),
            cell(|change| change.old.into()),
        ),
        (
            column("new", Role::New, [what("new"), unit.clone()], amount),
            cell(|change| change.new.into()),
        ),
        (
            column(
                "change",
                Role::Change,
                ["change".into(), unit.clone()],
                amount,
            ),
            cell(|change| change.change.into()),
        ),
        (
            percent.signed(),
            cell(|change| change.percent().map_or(Cell::Absent, Cell::Real)),
        ),
    ];
    if material.compared.own.is_some() {
        let limit = |which: fn((f64, f64)) -> f64| -> CellOf<'a> {
            Box::new(move |row| {
                let interval = of(row).and_then(|change| change.interval);
                let limit = interval.map(which).filter(|limit| limit.is_finite());
                limit.map_or(Cell::Absent, Cell::Real)
            })
        };
        columns.push((
            column("low", Role::Limit, ["change".into(), "from".into()], amount),
            limit(|(low, _)| low),
        ));
        columns.push((
            column("high", Role::Limit, ["".into(), "to".into()], amount),
            limit(|(_, high)| high),
        ));
    }
    columns.push((
        column(
            "verdict",
            Role::Verdict,
            ["".into(), "verdict".into()],
            Print::new(0, 0),
        ),
        cell(|change| Cell::text(change.finding.id())),
    ));
    columns
}

/// Decimals of numbers in a unit.
fn decimals_of(unit: &str) -> u8 {
    match unit {
        "seconds" => 3,
        _ => 2,
    }
}

fn calls_columns<'a>() -> Vec<(Column, CellOf<'a>)> {
    // Of what was called on neither side it is not known that it never ran.
    let is_called = |calls: &Change| !calls.old.is_zero() || !calls.new.is_zero();
    let cell = |part: fn(&Change) -> Amount| -> CellOf<'a> {
        Box::new(move |row| {
            let calls = row.calls.filter(is_called);
            calls.map_or(Cell::Absent, |calls| part(&calls).into())
        })
    };
    let head = |word: &'static str| [word, "calls"];
    vec![
        (
            Column::shown("calls_old", Role::Old, head("old")),
            cell(|calls| calls.old),
        ),
        (
            Column::shown("calls_new", Role::New, head("new")),
            cell(|calls| calls.new),
        ),
        (
            Column {
                print: None,
                ..Column::shown("calls_change", Role::Change, head("change"))
            },
            cell(|calls| calls.change),
        ),
    ]
}

/// A metric beside the primary one: text shows how it changed where there are few.
fn columns_of_another<'a>(
    metric: MetricIndex,
    material: &DifferenceMaterial<'a>,
) -> Vec<(Column, CellOf<'a>)> {
    let metrics = &material.compared.measure.metrics;
    let id = metrics[metric].id.replace('-', "_");
    let is_shown = metrics.len() <= MOST_METRICS_SHOWN && id.starts_with("unfreed");
    let unit = material.unit(metric);
    let cell = |part: fn(&Change) -> Amount| -> CellOf<'a> {
        Box::new(move |row| {
            let mut own = row.own.iter();
            let change = own.find(|(of, _)| *of == metric);
            change.map_or(Cell::Absent, |(_, change)| part(change).into())
        })
    };
    let hidden = |which: &str, role| Column::hidden(format!("{id}_{which}"), role).of(metric);
    let head = ["unfreed".to_owned(), unit];
    let change = Column::shown(format!("{id}_change"), Role::Change, head).of(metric);
    vec![
        (hidden("old", Role::Old), cell(|change| change.old)),
        (hidden("new", Role::New), cell(|change| change.new)),
        (
            Column {
                print: change.print.filter(|_| is_shown),
                ..change
            },
            cell(|change| change.change),
        ),
    ]
}

/// Text shows metrics beside the primary one of profiles that have no more than these.
const MOST_METRICS_SHOWN: usize = 4;
