//! The section on lasting changes: from which file on a function costs more or less.

use super::FileLabel;
use super::change_points::FALSE_ALARMS;
use super::histories::{Changed, Histories, LastingChange, LastingChanges};
use super::sections::{NO_FUNCTION, file_cell};
use crate::compare::Measure;
use crate::report::number::counted;
use crate::report::{
    Cell, Column, Layout, NameId, NameTable, Role, RowKind, RowTable, Section, SectionId,
};
use crate::sorting::ColdSort;

/// A row for each lasting change: first those of the whole, then by size. `labels` are in order
/// of time.
pub fn trend_section(
    histories: &Histories,
    labels: &[FileLabel],
    measure: &Measure,
    names: &dyn NameTable,
) -> Section {
    let mut found = histories.changes();
    sort(&mut found.changes, names);
    let mut rows = RowTable::default();
    for change in &found.changes {
        let kind = match change.of {
            Changed::All => RowKind::Total,
            Changed::Function(_) => RowKind::Entry,
            Changed::Unattributed => RowKind::Unattributed,
        };
        rows.push(kind, cells_of(change, labels, measure));
    }
    let count = |id| Column::hidden(id, Role::Count);
    let columns = vec![
        measure.column("change", Role::Change, "change").signed(),
        Column::shown("change_percent", Role::Change, ["change", "%"]).printed(0, 1).signed(),
        measure.column("before", Role::Old, "before"),
        measure.column("after", Role::New, "after"),
        count("files_before"),
        count("files_after"),
        count("file_number"),
        Column::shown("first_file", Role::Other, ["since", "file"]).printed(0, 0),
        Column::shown("name", Role::Name, ["", "name"]),
    ];
    let mut summary = vec![order_of(labels)];
    summary.push(about(&found));
    if found.n_needed.is_none() {
        let percent = 100.0 * FALSE_ALARMS;
        summary.push(format!("Chance of a false alarm in this table: at most {percent} %."));
    }
    let title = "Lasting changes:";
    Section { summary, ..Section::new(SectionId::Trend, title, Layout::Table, columns, rows) }
}

/// The whole, functions by the size of the change, then cost outside of functions.
fn sort(changes: &mut [LastingChange], names: &dyn NameTable) {
    let name = |change: &LastingChange| match change.of {
        Changed::Function(id) => names.linkage_name(NameId(id)),
        Changed::All | Changed::Unattributed => b"",
    };
    let rank = |change: &LastingChange| match change.of {
        Changed::All => 0,
        Changed::Function(_) => 1,
        Changed::Unattributed => 2,
    };
    let size = |change: &LastingChange| (change.after - change.before).abs();
    changes.cold_sort_by(|a, b| {
        let by_size = size(b).total_cmp(&size(a));
        let by_name = name(a).cmp(name(b)).then(a.of.cmp(&b.of));
        rank(a).cmp(&rank(b)).then(by_size).then(by_name).then(a.first_file.cmp(&b.first_file))
    });
}

fn cells_of(change: &LastingChange, labels: &[FileLabel], measure: &Measure) -> [Cell; 9] {
    let LastingChange { of, first_file, before, after, n_before, n_after } = *change;
    let shown = |number| Cell::Real(measure.shown(number));
    let percent = (before > 0.0).then(|| 100.0 * (after / before - 1.0));
    [
        shown(after - before),
        percent.map_or(Cell::Absent, Cell::Real),
        shown(before),
        shown(after),
        n_before.into(),
        n_after.into(),
        (first_file + 1).into(),
        file_cell(labels, first_file),
        match of {
            Changed::All => Cell::text("<all>"),
            Changed::Function(id) => Cell::Name(NameId(id)),
            Changed::Unattributed => Cell::text(NO_FUNCTION),
        },
    ]
}

fn order_of(labels: &[FileLabel]) -> String {
    let name = |label: &FileLabel| String::from_utf8_lossy(&label.name).into_owned();
    let n_files = counted(labels.len() as i128, "file", "files");
    match labels {
        [first, .., last] => format!("{n_files}, from {} to {}.", name(first), name(last)),
        _ => format!("{n_files}."),
    }
}

fn about(found: &LastingChanges) -> String {
    // The whole is tested too.
    let functions = counted(found.n_tested.saturating_sub(1) as i128, "function", "functions");
    match (found.n_needed, found.changes.len()) {
        (Some(n_needed), _) => format!(
            "{} too few to find lasting changes of {functions}; {n_needed} are needed.",
            counted(found.n_files as i128, "file is", "files are")
        ),
        (None, 0) => format!("No lasting change among {functions}."),
        (None, n) => {
            format!(
                "{} among {functions}.",
                counted(n as i128, "lasting change", "lasting changes")
            )
        }
    }
}
