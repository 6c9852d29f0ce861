//! The selected entries in the requested order.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::lines::{FoldedLines, LineFold};
use super::rest::plus;
use super::unit::{RowGroup, SortPosition, name_column};
use crate::report::{Cell, Column, Role, Row, RowKind, RowTable, RowVisitor, Rows, Section};

/// Entries of other rows, and the sum of the omitted ones.
struct ChosenRows {
    rows: Box<dyn Rows>,
    /// The shown entries in order; `None` is the sum.
    entries: Vec<Option<usize>>,
    rest: Vec<Cell>,
    /// Sums of small lines in each entry.
    lines: Option<LineFold>,
    /// The column of the running sum, and the sum of each entry, if it must be recomputed.
    running_sum: Option<(usize, Vec<Cell>)>,
    /// The columns of percentages, to be multiplied by `factor`.
    shares: Box<[usize]>,
    factor: f64,
}

/// Keeps the shown entries of a section in order, and multiplies percentages by `factor`.
pub(super) fn put_rows(
    section: &mut Section,
    units: &[RowGroup],
    rest: Option<Vec<Cell>>,
    lines: Option<LineFold>,
    factor: Option<f64>,
) {
    let rows = std::mem::replace(&mut section.rows, Box::new(RowTable::default()));
    let is_in_order = units.is_sorted_by_key(|unit| unit.place);
    let is_whole = is_in_order && rest.is_none();
    let running_sum = running_sum(&section.columns).filter(|_| !is_whole);
    let is_share = |place: &usize| section.columns[*place].role == Role::Share;
    let shares = (0..section.columns.len()).filter(is_share);
    let shares = shares.filter(|_| factor.is_some()).collect();
    let filled = (0..rows.n_entries()).filter(|&entry| rows.n_rows_of(entry) > 0);
    let filled: Vec<usize> = filled.collect();
    let shown = || units.iter().filter(|unit| unit.is_shown);
    let mut entries: Vec<_> = shown().map(|unit| filled.get(unit.place).copied()).collect();
    if rest.is_some() {
        let starts_with_total = units.first().map(RowGroup::standing) == Some(SortPosition::First);
        let is_total = |unit: &RowGroup| unit.kind == RowKind::Total && !starts_with_total;
        let place = shown().position(is_total).unwrap_or(entries.len());
        entries.insert(place, None);
    }
    // Damaged reports may end in rows that belong to nothing.
    entries.extend(filled.get(units.len()..).unwrap_or_default().iter().copied().map(Some));
    let rest = rest.unwrap_or_default();
    let about_rest = name_column(section).and_then(|name| rest.get(name));
    if let Some(stacks) = &mut section.stacks {
        *stacks = Arc::new(stacks.chosen(&entries, about_rest.unwrap_or(&Cell::Absent)));
    }
    section.rows = Box::new(ChosenRows {
        running_sum: running_sum.map(|(column, of)| {
            (column, running_sums(&*rows, &filled, &entries, &rest, (column, of)))
        }),
        rows,
        entries,
        rest,
        lines,
        shares,
        factor: factor.unwrap_or(1.0),
    });
}

/// Keeps the index rows of these entries.
pub(super) fn keep_indices(section: &mut Section, listed: &HashSet<i128>) {
    let Some(index) = section.column("index") else {
        return;
    };
    let mut rows = RowTable::default();
    let _ = section.rows.for_each(&mut |row| {
        if matches!(&row.cells[index], Cell::Integer(index) if listed.contains(index)) {
            rows.push(row.kind, row.cells.iter().cloned());
        }
        Ok(())
    });
    section.rows = Box::new(rows);
}

impl Rows for ChosenRows {
    fn n_entries(&self) -> usize {
        self.entries.len()
    }

    fn n_rows_of(&self, entry: usize) -> usize {
        self.entries[entry].map_or(1, |entry| self.rows.n_rows_of(entry))
    }

    /// Entries that are not shown are not computed.
    fn for_each_of(&self, entries: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let mut changed = Vec::new();
        let mut show = |entry: usize, row: Row<'_>| {
            if self.running_sum.is_none() && self.shares.is_empty() {
                return visit(row);
            }
            changed.clear();
            changed.extend_from_slice(row.cells);
            if let Some((column, sums)) = &self.running_sum
                && !changed[*column].is_absent()
            {
                changed[*column] = sums[entry].clone();
            }
            for &share in &self.shares {
                match &mut changed[share] {
                    // The omitted rows are not a part of the shown ones.
                    percent if row.kind == RowKind::Rest => *percent = Cell::Absent,
                    Cell::Real(percent) => *percent *= self.factor,
                    _ => {}
                }
            }
            visit(Row { kind: row.kind, cells: &changed })
        };
        for entry in entries {
            match self.entries[entry] {
                Some(of) => self.show_lines(of, &mut |row| show(entry, row))?,
                None => show(entry, Row { kind: RowKind::Rest, cells: &self.rest })?,
            }
        }
        Ok(())
    }
}

impl ChosenRows {
    /// An entry of the original rows, with sums of small lines.
    fn show_lines(&self, entry: usize, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let Some(fold) = &self.lines else {
            return self.rows.for_each_of(entry..entry + 1, visit);
        };
        let mut lines = FoldedLines::new(fold);
        self.rows.for_each_of(entry..entry + 1, &mut |row| lines.push(row, visit))?;
        lines.finish(visit)
    }
}

/// The running sum of each entry, from its own row; absent if that has none. `filled` are the
/// entries with rows.
fn running_sums(
    rows: &dyn Rows,
    filled: &[usize],
    entries: &[Option<usize>],
    rest: &[Cell],
    (column, of): (usize, usize),
) -> Vec<Cell> {
    let term = |cells: &[Cell]| {
        let has_sum = cells.get(column).is_some_and(|sum| !sum.is_absent());
        has_sum.then(|| cells[of].clone())
    };
    let mut terms = vec![None; rows.n_entries()];
    let mut filled = filled.iter();
    // The callback never fails.
    let _ = rows.for_each_head(&mut |row| {
        if let Some(&entry) = filled.next() {
            terms[entry] = term(row.cells);
        }
        Ok(())
    });
    let mut sum = Cell::Absent;
    let sums = entries.iter().map(|entry| {
        let term = entry.map_or_else(|| term(rest), |entry| terms[entry].take());
        term.map_or(Cell::Absent, |term| {
            sum = plus(&sum, &term);
            sum.clone()
        })
    });
    sums.collect()
}

/// The running sum and its terms: the next column of the same metric.
fn running_sum(columns: &[Column]) -> Option<(usize, usize)> {
    let sum = columns.iter().position(|column| column.role == Role::Cumulative)?;
    let metric = columns[sum].metric;
    let of = columns
        .iter()
        .position(|column| column.role == Role::SelfValue && column.metric == metric)?;
    Some((sum, of))
}
