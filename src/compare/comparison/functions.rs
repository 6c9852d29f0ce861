//! The section of what differs by function, or by line.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::change::Change;
use super::columns::{CellOf, columns};
use super::compared::{Compared, RowChange};
use super::gate::Failure;
use super::notes;
use super::order::DifferenceOrder;
use crate::compare::matching::Joined;
use crate::report::{Cell, Layout, MetricIndex, NameTable, RowKind, RowTable, Section, SectionId};
use crate::threads;

/// What a section of differences is made from.
#[derive(Clone, Copy)]
pub struct DifferenceMaterial<'a> {
    /// The numbers.
    pub compared: &'a Compared,
    /// What the rows are about.
    pub joined: &'a Joined,
    /// How rows are in order, and which numbers are shown.
    pub order: DifferenceOrder,
    /// What is refused.
    pub failures: &'a [Failure],
    /// Their names, as people read them.
    pub names: &'a dyn NameTable,
}

/// What differs, from the largest change to the smallest: the program first, then rows
/// in which anything differs at all. Nothing stands there where nothing differs.
#[must_use]
pub fn difference_section(material: &DifferenceMaterial<'_>) -> Section<'static> {
    let compared = material.compared;
    let (heads, cells): (Vec<_>, Vec<_>) = columns(material).into_iter().unzip();
    let ordered = ordered(material);
    let has_total = !ordered.is_empty() || !compared.total.primary().is_none();
    let total = has_total.then_some(&compared.total);
    let ordered: Vec<_> = total.into_iter().chain(ordered).collect();
    let rows = rows(&ordered, &cells, material.joined.rows.len());
    let title = match material.are_lines() {
        true => "Difference by line:",
        false => "Difference:",
    };
    let mut section = Section::new(SectionId::Difference, title, Layout::Table, heads, rows);
    section.summary = notes::summary(material);
    section.notes = notes::notes(material);
    section
}

/// Rows that one thread makes before the next ones. Fewer are not worth several threads.
const PIECE: usize = 1 << 10;

fn rows(changes: &[&RowChange], columns: &[CellOf<'_>], n_functions: usize) -> RowTable {
    let kind = |change: &&RowChange| match change.row.cmp(&n_functions) {
        Ordering::Less => RowKind::Entry,
        Ordering::Equal => RowKind::Unattributed,
        Ordering::Greater => RowKind::Total,
    };
    let mut cells = vec![Cell::Absent; changes.len() * columns.len()];
    let make = |(changes, cells): (&[&RowChange], &mut [Cell])| {
        for (change, cells) in changes.iter().zip(cells.chunks_exact_mut(columns.len())) {
            for (cell, of) in cells.iter_mut().zip(columns) {
                *cell = of(change);
            }
        }
    };
    if changes.len() <= PIECE {
        make((changes, &mut cells));
    } else {
        threads::start();
        let cells = cells.par_chunks_mut(PIECE * columns.len());
        changes.par_chunks(PIECE).zip(cells).for_each(make);
    }
    RowTable::new(changes.iter().map(kind).collect(), cells)
}

impl DifferenceMaterial<'_> {
    pub(super) fn are_lines(&self) -> bool {
        let mut rows = self.joined.rows.iter();
        rows.any(|row| row.shown.is_line)
    }

    /// The unit of a metric, as columns call it.
    pub(super) fn unit(&self, metric: MetricIndex) -> String {
        match self.compared.is_normalized {
            true => "percent".to_owned(),
            false => self.compared.measure.unit(metric).to_owned(),
        }
    }
}

/// Rows by the size of their change.
fn ordered<'m>(material: &DifferenceMaterial<'m>) -> Vec<&'m RowChange> {
    let size = |change: Option<&Change>| change.map_or(0.0, |one| one.change.as_f64().abs());
    let own = |row: &RowChange| size(Some(row.primary()));
    let total = |row: &RowChange| size(row.total.as_ref());
    let calls = |row: &RowChange| size(row.calls.as_ref());
    let others = |row: &RowChange| row.own.iter().map(|(_, one)| size(Some(one))).sum::<f64>();
    let first = |row: &RowChange| match material.order {
        DifferenceOrder::Own => 0.0,
        DifferenceOrder::Total => total(row),
        DifferenceOrder::Calls => calls(row),
    };
    let keyed = |row: &'m RowChange| ([first(row), own(row)], row);
    let mut rows: Vec<_> = material.compared.rows.iter().map(keyed).collect();
    let descending = |a: f64, b: f64| b.total_cmp(&a);
    rows.sort_unstable_by(|([a_first, a_own], a), ([b_first, b_own], b)| {
        descending(*a_first, *b_first)
            .then_with(|| descending(*a_own, *b_own))
            .then_with(|| descending(total(a), total(b)))
            .then_with(|| descending(calls(a), calls(b)))
            .then_with(|| descending(others(a), others(b)))
            // Rows have numbers in the order of their names.
            .then_with(|| a.row.cmp(&b.row))
    });
    rows.into_iter().map(|(_, row)| row).collect()
}
