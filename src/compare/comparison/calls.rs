//! The section on changed calls.

use super::change::Change;
use super::columns::{SIDES, name_cell, side_columns};
use super::compared::ArcChange;
use super::material::DifferenceMaterial;
use crate::compare::difference::ChangeVerdict;
use crate::report::{Cell, Column, Layout, Print, Role, RowKind, RowTable, Section, SectionId};
use crate::sorting::ColdSort;

/// Calls with a different count or cost, largest difference in count first.
pub fn difference_calls_section(material: &DifferenceMaterial<'_>) -> Section {
    let compared = material.compared;
    let mut arcs: Vec<&ArcChange> = compared.arcs.iter().collect();
    let size = |change: Option<Change>| change.map_or(0.0, |one| one.size());
    arcs.cold_sort_by(|a, b| {
        let by_calls = size(b.calls).total_cmp(&size(a.calls));
        let by_total = size(b.total).total_cmp(&size(a.total));
        by_calls.then(by_total).then_with(|| a.rows.cmp(&b.rows))
    });
    let heads = |id: &str, unit: &str, decimals: u8| {
        let heads = ["old", "new", "change"].map(|word| [word.to_owned(), unit.to_owned()]);
        side_columns(id, heads, Print::new(0, decimals))
    };
    let mut columns = Vec::new();
    let has_calls = arcs.iter().any(|arc| arc.calls.is_some());
    if has_calls {
        columns.extend(heads("calls_", "calls", 2));
    }
    let has_time = arcs.iter().any(|arc| arc.total.is_some());
    if has_time {
        let unit = compared.unit(compared.measure.primary);
        columns.extend(heads("total_", &unit, compared.decimals()));
    }
    columns.push(Column::shown("verdict", Role::Verdict, ["", "verdict"]).printed(0, 0));
    columns.push(Column::shown("caller", Role::Name, ["", "caller"]));
    columns.push(Column::shown("name", Role::Name, ["", "callee"]));
    let mut rows = RowTable::default();
    for arc in arcs {
        let shown = [(has_calls, arc.calls), (has_time, arc.total)];
        let shown = shown.into_iter().filter(|(is_shown, _)| *is_shown);
        let mut cells: Vec<_> = shown
            .flat_map(|(_, change)| SIDES.map(|part| change.as_ref().map_or(Cell::Absent, part)))
            .collect();
        cells.push(Cell::text(verdict(arc, compared.is_by_chance()).id()));
        let (caller, callee) = arc.rows;
        cells.push(caller.map_or_else(|| Cell::text("<unknown>"), name_cell));
        cells.push(name_cell(callee));
        rows.push(RowKind::Entry, cells);
    }
    let is_same = rows.is_empty() && compared.has_arcs == [true, true];
    let notes = unknown_calls(compared.has_arcs).map(str::to_owned);
    let title = "Difference by call:";
    Section {
        summary: is_same.then(|| "Nothing differs.".to_owned()).into_iter().collect(),
        notes: notes.into_iter().collect(),
        ..Section::new(SectionId::DifferenceCalls, title, Layout::Table, columns, rows)
    }
}

/// The sentence if calls cannot be compared.
fn unknown_calls(has_arcs: [bool; 2]) -> Option<&'static str> {
    Some(match has_arcs {
        [true, true] => return None,
        [false, true] => "The old side has no call graph, so calls are not compared.",
        [true, false] => "The new side has no call graph, so calls are not compared.",
        [false, false] => "Neither side has a call graph, so calls are not compared.",
    })
}

/// The verdict on a call: by its count, or if that is unknown or equal, by its cost. Sampled
/// times have no verdict, since they were propagated.
fn verdict(arc: &ArcChange, is_by_chance: bool) -> ChangeVerdict {
    let calls = arc.calls.filter(|calls| !calls.is_none());
    let Some(change) = calls.or(arc.total.filter(|_| !is_by_chance)) else {
        return ChangeVerdict::Same;
    };
    match change.verdict {
        ChangeVerdict::More if change.old.is_zero() => ChangeVerdict::New,
        ChangeVerdict::Less if change.new.is_zero() => ChangeVerdict::Gone,
        verdict => verdict,
    }
}
