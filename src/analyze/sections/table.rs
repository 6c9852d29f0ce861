//! Columns with functions that compute their cells, and tables of them.

use std::borrow::Cow;

use crate::report::{Cell, Column, Layout, MetricIndex, Print, Role, RowKind, RowTable};
use crate::report::{Section, SectionId};

/// A column, and the function that computes its cell.
pub(super) struct RowColumn<'a, R> {
    pub(super) column: Column,
    pub(super) cell: Box<dyn Fn(&R) -> Cell + Sync + 'a>,
}

pub(super) struct Columns<'a, R>(pub(super) Vec<RowColumn<'a, R>>);

impl<'a, R> Columns<'a, R> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn with<C: Into<Cell>>(
        mut self,
        column: Column,
        cell: impl Fn(&R) -> C + Sync + 'a,
    ) -> Self {
        let cell = Box::new(move |row: &R| cell(row).into());
        self.0.push(RowColumn { column, cell });
        self
    }

    /// Adds a column that text shows, in automatic width.
    pub(super) fn shown<C: Into<Cell>>(
        self,
        role: Role,
        id: impl Into<Cow<'static, str>>,
        head: [impl Into<Cow<'static, str>>; 2],
        cell: impl Fn(&R) -> C + Sync + 'a,
    ) -> Self {
        self.with(Column::shown(id, role, head), cell)
    }

    /// A column with its name as heading, the part before `_` above the rest.
    pub(super) fn named<C: Into<Cell>>(
        self,
        role: Role,
        id: &'static str,
        cell: impl Fn(&R) -> C + Sync + 'a,
    ) -> Self {
        let (above, below) = id.split_once('_').unwrap_or(("", id));
        self.shown(role, id, [above, below], cell)
    }

    pub(super) fn hidden<C: Into<Cell>>(
        self,
        role: Role,
        id: impl Into<Cow<'static, str>>,
        cell: impl Fn(&R) -> C + Sync + 'a,
    ) -> Self {
        self.with(Column::hidden(id, role), cell)
    }

    pub(super) fn of(mut self, metric: MetricIndex) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.column.metric = Some(metric);
        }
        self
    }

    pub(super) fn printed(mut self, width: u8, decimals: u8) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.column.print = Some(Print::new(width, decimals));
        }
        self
    }

    /// Text shows the last column only on request.
    pub(super) fn on_request(mut self) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.column.print = None;
        }
        self
    }

    pub(super) fn columns(&self) -> Box<[Column]> {
        self.0.iter().map(|one| one.column.clone()).collect()
    }

    /// Replaces the cells of the previous row.
    pub(super) fn fill(&self, cells: &mut Vec<Cell>, row: &R) {
        self.fill_some(cells, row, &[]);
    }

    /// The same for the columns that somebody wants, the same ones as in the previous row; for
    /// all, if `wanted` is empty.
    pub(super) fn fill_some(&self, cells: &mut Vec<Cell>, row: &R, wanted: &[usize]) {
        cells.resize(self.0.len(), Cell::Absent);
        if wanted.is_empty() {
            let columns = cells.iter_mut().zip(&self.0);
            columns.for_each(|(cell, column)| *cell = (column.cell)(row));
        }
        for &place in wanted {
            cells[place] = (self.0[place].cell)(row);
        }
    }

    /// A table of entries, in automatic width.
    pub(super) fn table(
        self,
        id: SectionId,
        title: &'static str,
        rows: impl IntoIterator<Item = R>,
    ) -> Section {
        let rows = rows.into_iter().map(|row| (RowKind::Entry, row));
        self.table_of(id, title, rows)
    }

    /// The same; `None` without rows.
    pub(super) fn table_of_any(
        self,
        id: SectionId,
        title: &'static str,
        rows: Vec<R>,
    ) -> Option<Section> {
        (!rows.is_empty()).then(|| self.table(id, title, rows))
    }

    /// A table with rows of several kinds.
    pub(super) fn table_of(
        self,
        id: SectionId,
        title: &'static str,
        rows: impl IntoIterator<Item = (RowKind, R)>,
    ) -> Section {
        let mut table = RowTable::default();
        for (kind, row) in rows {
            table.push(kind, self.0.iter().map(|column| (column.cell)(&row)));
        }
        Section::new(id, title, Layout::Table, self.columns(), table)
    }
}
