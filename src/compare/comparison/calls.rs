//! The section of calls that differ.

use super::change::{Change, Finding};
use super::compared::ArcChange;
use super::functions::DifferenceMaterial;
use crate::report::{
    Cell, Column, Layout, NameId, Print, Role, RowKind, RowTable, Section, SectionId,
};

/// Calls of which the number or what flowed along them differs: first those whose number
/// differs most.
#[must_use]
pub fn difference_calls_section(material: &DifferenceMaterial<'_>) -> Section<'static> {
    let compared = material.compared;
    let mut arcs: Vec<&ArcChange> = compared.arcs.iter().collect();
    let size = |change: Option<Change>| change.map_or(0.0, |one| one.change.as_f64().abs());
    arcs.sort_by(|a, b| {
        let by = |of: fn(&ArcChange) -> Option<Change>| size(of(b)).total_cmp(&size(of(a)));
        by(|arc| arc.calls)
            .then_with(|| by(|arc| arc.total))
            .then_with(|| a.rows.cmp(&b.rows))
    });
    let mut rows = RowTable::default();
    let has_calls = arcs.iter().any(|arc| arc.calls.is_some());
    let has_time = arcs.iter().any(|arc| arc.total.is_some());
    for arc in arcs {
        let mut cells = Vec::new();
        if has_calls {
            cells.extend(numbers(arc.calls));
        }
        if has_time {
            cells.extend(numbers(arc.total));
        }
        cells.push(Cell::text(finding(arc, compared.is_by_chance()).id()));
        let (caller, callee) = arc.rows;
        cells.push(caller.map_or_else(|| Cell::text("<unknown>"), name));
        cells.push(name(callee));
        rows.push(RowKind::Entry, cells);
    }
    let mut columns = Vec::new();
    if has_calls {
        columns.extend(heads("calls", "calls", 2));
    }
    if has_time {
        let unit = material.unit(compared.measure.primary);
        let decimals = if unit == "seconds" { 3 } else { 2 };
        columns.extend(heads("total", &unit, decimals));
    }
    columns.push(Column::shown("verdict", Role::Verdict, ["", "verdict"]).printed(0, 0));
    columns.push(Column::shown("caller", Role::Name, ["", "caller"]));
    columns.push(Column::shown("name", Role::Name, ["", "callee"]));
    let is_same = rows.is_empty() && compared.has_arcs == [true, true];
    let title = "Difference by call:";
    let mut section = Section::new(
        SectionId::DifferenceCalls,
        title,
        Layout::Table,
        columns,
        rows,
    );
    if is_same {
        section.summary = vec!["Nothing differs.".to_owned()];
    }
    section.notes = unknown_calls(compared.has_arcs)
        .map(str::to_owned)
        .into_iter()
        .collect();
    section
}

/// What is said where calls cannot be compared.
fn unknown_calls(has_arcs: [bool; 2]) -> Option<&'static str> {
    Some(match has_arcs {
        [true, true] => return None,
        [false, true] => "The old side does not say who called whom, so calls are not compared.",
        [true, false] => "The new side does not say who called whom, so calls are not compared.",
        [false, false] => "Neither side says who called whom.",
    })
}

fn name(row: usize) -> Cell {
    Cell::Name(NameId(u32::try_from(row).unwrap_or(u32::MAX)))
}

fn numbers(change: Option<Change>) -> [Cell; 3] {
    match change {
        None => [Cell::Absent, Cell::Absent, Cell::Absent],
        Some(change) => [change.old, change.new, change.change].map(Cell::from),
    }
}

fn heads(id: &str, unit: &str, decimals: u8) -> [Column; 3] {
    let print = Some(Print::new(0, decimals));
    let words = [
        ("old", Role::Old),
        ("new", Role::New),
        ("change", Role::Change),
    ];
    words.map(|(word, role)| Column {
        print,
        ..Column::shown(
            format!("{id}_{word}"),
            role,
            [word.to_owned(), unit.to_owned()],
        )
    })
}

/// What is said of a call: whether it is made more or less often, or where that was not
/// counted or is the same, whether it costs more or less, by as much as matters. Time
/// that was sampled says nothing: it was shared out.
fn finding(arc: &ArcChange, is_by_chance: bool) -> Finding {
    let calls = arc.calls.filter(|calls| !calls.is_none());
    let Some(change) = calls.or(arc.total.filter(|_| !is_by_chance)) else {
        return Finding::Same;
    };
    match change.finding {
        Finding::More if change.old.is_zero() => Finding::New,
        Finding::Less if change.new.is_zero() => Finding::Gone,
        finding => finding,
    }
}
