//! The rows of a section by the names of its columns.

use std::collections::HashMap;

use profan::report::{Cell, RowKind, Section};

/// A row of a section.
#[derive(Clone, Debug)]
pub(crate) struct TableRow {
    pub(crate) kind: RowKind,
    cells: HashMap<String, Cell>,
}

impl TableRow {
    /// Whether there is such a column.
    pub(crate) fn has(&self, column: &str) -> bool {
        self.cells.contains_key(column)
    }

    /// The cell of a column.
    pub(crate) fn get(&self, column: &str) -> &Cell {
        let cell = self.cells.get(column);
        cell.unwrap_or_else(|| panic!("there is no column `{column}`"))
    }

    /// A whole number.
    pub(crate) fn integer(&self, column: &str) -> i128 {
        match self.get(column) {
            Cell::Integer(number) => *number,
            other => panic!("`{column}` is {other:?}"),
        }
    }

    /// A number with a fraction.
    pub(crate) fn real(&self, column: &str) -> f64 {
        match self.get(column) {
            Cell::Real(number) => *number,
            other => panic!("`{column}` is {other:?}"),
        }
    }
}

/// All rows of a section.
pub(crate) fn rows_of(section: &Section) -> Vec<TableRow> {
    let ids = section.columns.iter().map(|column| column.id.to_string());
    let ids: Vec<String> = ids.collect();
    let mut rows = Vec::new();
    let visited = section.rows.for_each(&mut |row| {
        assert_eq!(row.cells.len(), ids.len(), "{:?}", section.id);
        let cells = ids.iter().cloned().zip(row.cells.iter().cloned());
        rows.push(TableRow { kind: row.kind, cells: cells.collect() });
        Ok(())
    });
    visited.expect("nothing fails here");
    rows
}
