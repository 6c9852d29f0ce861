//! The selected rows in the requested order.

use std::collections::HashSet;
use std::io;

use super::lines::{FoldedLines, LineFold};
use super::rest::plus;
use super::unit::{RowGroup, SortPosition, Splitter, shown_by_place};
use crate::report::{Cell, Column, Role, Row, RowKind, RowTable, Rows, Section};

/// Rows without the omitted ones, and with their sum.
struct ChosenRows {
    rows: Box<dyn Rows>,
    shown: Box<[bool]>,
    rest: Option<Vec<Cell>>,
    /// Sums of small lines in each entry.
    lines: Option<LineFold>,
    /// The row of all costs comes first.
    starts_with_total: bool,
    /// The columns of the running sum and of its terms, if it must be recomputed.
    running_sum: Option<(usize, usize)>,
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
    let (rows, shown): (Box<dyn Rows>, Box<[bool]>) = if is_in_order {
        (rows, shown_by_place(units))
    } else {
        let (rows, n_units) = in_order(&*rows, units);
        (Box::new(rows), vec![true; n_units].into())
    };
    let first = units.first().map(RowGroup::standing);
    section.rows = Box::new(ChosenRows {
        rows,
        shown,
        rest,
        lines,
        starts_with_total: first == Some(SortPosition::First),
        running_sum,
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

/// The rows of the shown entries in their order, and the number of entries.
fn in_order(rows: &dyn Rows, units: &[RowGroup]) -> (RowTable, usize) {
    let mut rows_of_units: Vec<Vec<(RowKind, Vec<Cell>)>> = vec![Vec::new(); units.len()];
    let is_shown = shown_by_place(units);
    let mut splitter = Splitter::default();
    // The callback never fails.
    let _ = rows.for_each(&mut |row| {
        if let Some(unit) = splitter.unit_of(row.kind)
            && is_shown.get(unit) == Some(&true)
        {
            rows_of_units[unit].push((row.kind, row.cells.to_vec()));
        }
        Ok(())
    });
    let mut table = RowTable::default();
    for unit in units {
        for (kind, cells) in std::mem::take(&mut rows_of_units[unit.place]) {
            table.push(kind, cells);
        }
    }
    (table, units.iter().filter(|unit| unit.is_shown).count())
}

impl Rows for ChosenRows {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        let (mut sum, mut changed) = (Cell::Absent, Vec::new());
        let mut show = |kind, cells: &[Cell]| {
            if self.running_sum.is_none() && self.shares.is_empty() {
                return visit(Row { kind, cells });
            }
            changed.clear();
            changed.extend_from_slice(cells);
            if let Some((down, of)) = self.running_sum
                && !cells[down].is_absent()
            {
                sum = plus(&sum, &cells[of]);
                changed[down] = sum.clone();
            }
            for &share in &self.shares {
                match &mut changed[share] {
                    // The omitted rows are not a part of the shown ones.
                    percent if kind == RowKind::Rest => *percent = Cell::Absent,
                    Cell::Real(percent) => *percent *= self.factor,
                    _ => {}
                }
            }
            let cells = &changed;
            visit(Row { kind, cells })
        };
        let mut rest = self.rest.as_ref();
        self.for_each_line(&mut |row| {
            if row.kind == RowKind::Total
                && !self.starts_with_total
                && let Some(cells) = rest.take()
            {
                show(RowKind::Rest, cells)?;
            }
            show(row.kind, row.cells)
        })?;
        match rest {
            Some(cells) => show(RowKind::Rest, cells),
            None => Ok(()),
        }
    }
}

impl ChosenRows {
    /// The rows of shown entries, with sums of small lines.
    fn for_each_line(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        let Some(fold) = &self.lines else {
            return self.for_each_shown(visit);
        };
        let mut lines = FoldedLines::new(fold);
        self.for_each_shown(&mut |row| lines.push(row, visit))?;
        lines.finish(visit)
    }

    /// The rows of shown entries; the others are not computed if the rows have units.
    fn for_each_shown(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        let is_shown = |place: usize| self.shown.get(place) != Some(&false);
        let Some(units) = self.rows.in_units() else {
            let mut splitter = Splitter::default();
            return self.rows.for_each(&mut |row| {
                if splitter.unit_of(row.kind).is_none_or(is_shown) { visit(row) } else { Ok(()) }
            });
        };
        let (mut start, mut place) = (0, 0);
        for unit in 0..units.n_units() {
            if units.n_rows_of(unit) == 0 {
                continue;
            }
            if !is_shown(place) {
                units.for_each_of(start..unit, visit)?;
                start = unit + 1;
            }
            place += 1;
        }
        units.for_each_of(start..units.n_units(), visit)
    }
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
