//! Rows as they were read.

use std::io;

use crate::report::{Cell, Row, RowKind, Rows};

/// Rows in memory, with the cells that are there and not one for each column: a file of
/// many columns and empty rows must not take memory for their product.
#[derive(Debug, Default)]
pub(super) struct RecordedRows {
    n_columns: usize,
    rows: Vec<(RowKind, usize)>,
    /// The cells of all rows with their columns, one row after the other. Rows know where
    /// theirs end.
    cells: Vec<(u32, Cell)>,
}

impl RecordedRows {
    /// No rows yet.
    pub(super) fn new(n_columns: usize) -> Self {
        Self {
            n_columns,
            ..Self::default()
        }
    }

    /// Adds a row. Of two cells in a column, the last one counts.
    pub(super) fn push(&mut self, kind: RowKind, cells: impl IntoIterator<Item = (u32, Cell)>) {
        self.cells.extend(cells);
        self.rows.push((kind, self.cells.len()));
    }
}

impl Rows for RecordedRows {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        let mut row = vec![Cell::Absent; self.n_columns];
        let mut start = 0;
        for &(kind, end) in &self.rows {
            let cells = &self.cells[start..end];
            for (column, cell) in cells {
                row[*column as usize] = cell.clone();
            }
            visit(Row { kind, cells: &row })?;
            for (column, _) in cells {
                row[*column as usize] = Cell::Absent;
            }
            start = end;
        }
        Ok(())
    }
}
