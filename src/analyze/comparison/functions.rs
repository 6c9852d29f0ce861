//! The section of what differs by function, or by line.

use std::cmp::Ordering;

use super::change::Change;
use super::columns::columns;
use super::compared::{Compared, RowChange};
use super::gate::Failure;
use super::notes;
use super::order::DifferenceOrder;
use crate::analyze::roster::Joined;
use crate::report::{Layout, MetricIndex, NameTable, RowKind, RowTable, Section, SectionId};

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
    let columns = columns(material);
    let mut rows = RowTable::default();
    let mut push = |kind: RowKind, row: &RowChange| {
        rows.push(kind, columns.iter().map(|(_, cell)| cell(row)));
    };
    let ordered = ordered(material);
    if !ordered.is_empty() || !compared.total.primary().is_none() {
        push(RowKind::Total, &compared.total);
    }
    for row in ordered {
        let kind = match material.joined.rows.get(row.row) {
            Some(_) => RowKind::Entry,
            None => RowKind::Unattributed,
        };
        push(kind, row);
    }
    let title = match material.are_lines() {
        true => "Difference by line:",
        false => "Difference:",
    };
    let heads = columns.into_iter().map(|(column, _)| column);
    let heads: Vec<_> = heads.collect();
    let mut section = Section::new(SectionId::Difference, title, Layout::Table, heads, rows);
    section.summary = notes::summary(material);
    section.notes = notes::notes(material);
    section
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
    let mut rows: Vec<&RowChange> = material.compared.rows.iter().collect();
    let size = |change: Option<&Change>| change.map_or(0.0, |one| one.change.as_f64().abs());
    let own = |row: &RowChange| size(Some(row.primary()));
    let total = |row: &RowChange| size(row.total.as_ref());
    let calls = |row: &RowChange| size(row.calls.as_ref());
    let others = |row: &RowChange| row.own.iter().map(|(_, one)| size(Some(one))).sum::<f64>();
    let descending = |a: f64, b: f64| b.total_cmp(&a);
    rows.sort_by(|a, b| {
        let first = match material.order {
            DifferenceOrder::Own => Ordering::Equal,
            DifferenceOrder::Total => descending(total(a), total(b)),
            DifferenceOrder::Calls => descending(calls(a), calls(b)),
        };
        first
            .then_with(|| descending(own(a), own(b)))
            .then_with(|| descending(total(a), total(b)))
            .then_with(|| descending(calls(a), calls(b)))
            .then_with(|| descending(others(a), others(b)))
            // Rows have numbers in the order of their names.
            .then_with(|| a.row.cmp(&b.row))
    });
    rows
}
