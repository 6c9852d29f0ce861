//! The section on differences by function or line.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::columns::{CellOf, columns};
use super::compared::{DifferenceOrder, RowChange};
use super::material::DifferenceMaterial;
use super::notes;
use crate::report::{Layout, RowKind, RowTable, Section, SectionId};

/// The differences, largest first: the program, then changed rows. Empty if nothing differs.
pub fn difference_section(material: &DifferenceMaterial<'_>) -> Section {
    let compared = material.compared;
    let (heads, cells): (Vec<_>, Vec<CellOf<'_>>) = columns(material).into_iter().unzip();
    let n_functions = material.joined.rows.len();
    let is_shown = material.rows_are_tests || !compared.is_same();
    // Another section has the totals of several programs.
    let has_total = is_shown && material.program.is_none();
    let total = has_total.then_some(&compared.total);
    let mut rows = RowTable::default();
    for change in total.into_iter().chain(ordered(material)) {
        let kind = match change.row.cmp(&n_functions) {
            Ordering::Less => RowKind::Entry,
            Ordering::Equal => RowKind::Unattributed,
            Ordering::Greater => RowKind::Total,
        };
        rows.push(kind, cells.iter().map(|cell| cell(change)));
    }
    let title = if material.are_lines() { "Difference by line:" } else { "Difference:" };
    let mut section = Section::new(SectionId::Difference, title, Layout::Table, heads, rows);
    section.summary = notes::summary(material);
    section.notes = notes::notes(material);
    section
}

/// Rows by size of their change.
fn ordered<'m>(material: &DifferenceMaterial<'m>) -> impl Iterator<Item = &'m RowChange> {
    let sizes = |row: &RowChange| {
        let self_costs = row.self_costs.iter().map(|(_, change)| change.size());
        let own = row.primary().size();
        let total = row.total.map_or(0.0, |change| change.size());
        let calls = row.calls.map_or(0.0, |change| change.size());
        let first = match material.order {
            DifferenceOrder::Own => 0.0,
            DifferenceOrder::Total => total,
            DifferenceOrder::Calls => calls,
        };
        [first, own, total, calls, self_costs.sum()]
    };
    let sized = |row: &'m RowChange| (sizes(row), row);
    let mut rows: Vec<_> = rows(material).into_iter().map(sized).collect();
    rows.sort_unstable_by(|(a_sizes, a), (b_sizes, b)| {
        let by_size = a_sizes.iter().zip(b_sizes).map(|(a, b)| b.total_cmp(a));
        // Rows have numbers in the order of their names.
        let by_name = a.row.cmp(&b.row);
        by_size.fold(Ordering::Equal, Ordering::then).then(by_name)
    });
    rows.into_iter().map(|(_, row)| row)
}

fn rows<'m>(material: &DifferenceMaterial<'m>) -> Vec<&'m RowChange> {
    let compared = material.compared;
    let changed = compared.rows.iter();
    if !material.rows_are_tests {
        return changed.collect();
    }
    let refused: HashSet<usize> = material.failures.iter().map(|one| one.row).collect();
    let is_tested =
        |row: &&RowChange| compared.has_share(row, material.order) || refused.contains(&row.row);
    changed.chain(&compared.unchanged).filter(is_tested).collect()
}
