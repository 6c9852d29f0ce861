//! Rows that are left out, as one row, so that columns still add up.

use std::io;

use super::number::{counted, fixed};
use super::{Cell, Column, Role, Row, RowKind, RowTable, Rows, Section};

impl Section<'_> {
    /// Leaves out the rows that are not kept, and has their sum as the last row, of the
    /// kind [`RowKind::Rest`]. `what` is what a row is about, one of them and several.
    ///
    /// A row that belongs to the one above it, such as an inline frame, goes with it. A
    /// sum of one row would be as long as that row, which stays. Where no row is kept all
    /// are.
    pub fn fold(&mut self, what: [&str; 2], keeps: impl Fn(&Row<'_>) -> bool + 'static) {
        let mut rest = Rest::new(&self.columns);
        let mut n_kept = 0_usize;
        let counting = for_each_kept(&*self.rows, &keeps, &mut |row, is_kept| {
            match (is_kept, is_part(row.kind)) {
                (true, _) => n_kept += 1,
                (false, false) => rest.add(&row),
                (false, true) => {}
            }
            Ok(())
        });
        if counting.is_err() || n_kept == 0 || rest.n_rows < 2 {
            return;
        }
        let rest = rest.into_cells(&self.columns, what);
        let rows = std::mem::replace(&mut self.rows, Box::new(RowTable::default()));
        self.rows = Box::new(Folded {
            rows,
            keeps: Box::new(keeps),
            rest,
        });
    }
}

/// Rows without those that are left out, and the sum of these.
struct Folded<'a> {
    rows: Box<dyn Rows + 'a>,
    keeps: Box<dyn Fn(&Row<'_>) -> bool>,
    rest: Vec<Cell>,
}

impl Rows for Folded<'_> {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        for_each_kept(&*self.rows, &*self.keeps, &mut |row, is_kept| {
            if is_kept { visit(row) } else { Ok(()) }
        })?;
        visit(Row {
            kind: RowKind::Rest,
            cells: &self.rest,
        })
    }
}

/// Shows all rows, each with whether it is kept.
fn for_each_kept(
    rows: &dyn Rows,
    keeps: &dyn Fn(&Row<'_>) -> bool,
    visit: &mut dyn FnMut(Row<'_>, bool) -> io::Result<()>,
) -> io::Result<()> {
    let mut is_kept = true;
    rows.for_each(&mut |row| {
        if !is_part(row.kind) {
            is_kept = keeps(&row);
        }
        visit(row, is_kept)
    })
}

/// Whether a row belongs to the one above it.
fn is_part(kind: RowKind) -> bool {
    use RowKind as K;
    matches!(kind, K::Inline | K::Frame | K::Callee | K::Member)
}

/// The sum of some rows.
struct Rest {
    n_rows: u32,
    /// For each column whether its cells can be added up.
    adds_up: Box<[bool]>,
    cells: Vec<Cell>,
}

impl Rest {
    fn new(columns: &[Column]) -> Self {
        Self {
            n_rows: 0,
            adds_up: columns.iter().map(adds_up).collect(),
            cells: vec![Cell::Absent; columns.len()],
        }
    }

    fn add(&mut self, row: &Row<'_>) {
        self.n_rows += 1;
        let columns = self.cells.iter_mut().zip(row.cells).zip(&self.adds_up);
        for ((sum, cell), _) in columns.filter(|(_, adds_up)| **adds_up) {
            *sum = match (&*sum, cell) {
                (Cell::Absent, cell) => cell.clone(),
                (Cell::Integer(sum), Cell::Integer(number)) => {
                    Cell::Integer(sum.saturating_add(*number))
                }
                (Cell::Real(sum), Cell::Real(number)) => Cell::Real(sum + number),
                (sum, _) => sum.clone(),
            };
        }
    }

    /// The cells, and in that of the name how many rows these are, and what they cost.
    fn into_cells(mut self, columns: &[Column], [one, many]: [&str; 2]) -> Vec<Cell> {
        let mut what = counted(self.n_rows, &format!("more {one}"), &format!("more {many}"));
        let shown = |role: Role| {
            let mut columns = columns.iter();
            columns.position(|column| column.role == role && column.print.is_some())
        };
        if let Some(column) = shown(Role::SelfValue) {
            let unit = columns[column].head[1].trim();
            match self.cells[column] {
                Cell::Real(sum) => what = format!("{what}, {} {unit}", fixed(sum, 2)),
                Cell::Integer(sum) => what = format!("{what}, {sum} {unit}"),
                _ => {}
            }
        }
        if let Some(column) = shown(Role::Calls)
            && let Cell::Integer(calls) = self.cells[column]
        {
            what = format!("{what}, {}", counted(calls, "call", "calls"));
        }
        let name = columns.iter().position(|column| column.role == Role::Name);
        if let Some(name) = name {
            self.cells[name] = Cell::text(what);
        }
        self.cells
    }
}

/// What rows have in common with others, as totals have, must not count twice.
fn adds_up(column: &Column) -> bool {
    match column.role {
        Role::SelfValue | Role::Calls | Role::Count => true,
        Role::Share => column.id == "percent",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Layout, SectionId};

    /// Seconds, calls and names; no seconds for rows of another kind than `Entry`.
    fn section(rows: &[(RowKind, f64, i128, &str)]) -> Section<'static> {
        let mut table = RowTable::default();
        for &(kind, seconds, calls, name) in rows {
            let cells = [Cell::Real(seconds), Cell::Integer(calls), Cell::text(name)];
            table.push(kind, cells);
        }
        let columns = [
            Column::shown("self", Role::SelfValue, ["self", "seconds"]),
            Column::shown("calls", Role::Calls, ["", "calls"]),
            Column::shown("name", Role::Name, ["", "name"]),
        ];
        Section::new(SectionId::Flat, "", Layout::Table, columns, table)
    }

    fn check(rows: &[(RowKind, f64, i128, &str)], expected: &[&str]) {
        let mut section = section(rows);
        section.fold(["function", "functions"], |row| {
            !matches!(row.cells[0], Cell::Real(0.0))
        });
        let mut found = Vec::new();
        let visited = section.rows.for_each(&mut |row| {
            if let [Cell::Real(seconds), Cell::Integer(calls), Cell::Text(name)] = row.cells {
                let name = String::from_utf8_lossy(name);
                found.push(format!("{} {seconds} {calls} {name}", row.kind.id()));
            }
            Ok(())
        });
        visited.expect("nothing is written");
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_left_out_is_one_row() {
        use RowKind as K;
        check(
            &[
                (K::Entry, 1.5, 3, "a"),
                (K::Entry, 0.0, 4, "b"),
                (K::Inline, 0.5, 9, "in b"),
                (K::Unattributed, 0.25, 0, "nobody"),
                (K::Entry, 0.0, 5, "c"),
            ],
            &[
                "entry 1.5 3 a",
                "unattributed 0.25 0 nobody",
                "rest 0 9 2 more functions, 0.00 seconds, 9 calls",
            ],
        );
    }

    #[test]
    fn a_single_row_is_not_left_out_and_neither_are_all() {
        use RowKind as K;
        check(
            &[(K::Entry, 1.5, 3, "a"), (K::Entry, 0.0, 4, "b")],
            &["entry 1.5 3 a", "entry 0 4 b"],
        );
        check(
            &[(K::Entry, 0.0, 3, "a"), (K::Entry, 0.0, 4, "b")],
            &["entry 0 3 a", "entry 0 4 b"],
        );
    }
}
