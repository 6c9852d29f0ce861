//! Renders rows in several threads and writes them in order.

use std::io;
use std::ops::Range;

use crate::report::in_blocks::{BlockItems, Write, write_blocks};
use crate::report::{Row, Rows, Text};
use crate::threads;

const ROWS: usize = 1 << 10;

/// The rows of a block.
pub(super) struct RowRange<'r, 'p> {
    rows: &'r dyn Rows,
    /// As in [`Rows::for_each_of_columns`].
    wanted: &'r [usize],
    entries: BlockItems<'p>,
}

impl RowRange<'_, '_> {
    /// Passes every row to `visit`, which adds it to the block.
    pub(super) fn for_each(
        self,
        block: &mut Text,
        mut visit: impl FnMut(&mut Text, Row<'_>),
    ) -> io::Result<()> {
        self.for_each_in_pieces(block, |block, row, _| {
            visit(block, row);
            Ok(())
        })
    }

    /// The same for large rows: `visit` also receives a function that writes the block so
    /// far.
    pub(super) fn for_each_in_pieces(
        mut self,
        block: &mut Text,
        mut visit: impl FnMut(&mut Text, Row<'_>, &mut Write<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let entries = self.entries.items.clone();
        let mut flush = |block: &mut Text| self.entries.flush(block);
        let mut visit = |row: Row<'_>| {
            visit(block, row, &mut flush)?;
            flush(block)
        };
        self.rows.for_each_of_columns(entries, self.wanted, &mut visit)
    }
}

/// Renders rows with `make`, and passes the text to `write`, which clears it.
pub(super) fn write_rows(
    rows: &dyn Rows,
    write: &mut Write<'_>,
    make: &(dyn Fn(&mut Text, RowRange<'_, '_>) -> io::Result<()> + Sync),
) -> io::Result<()> {
    write_columns(rows, &[], write, make)
}

/// The same for some columns, as in [`Rows::for_each_of_columns`].
pub(super) fn write_columns(
    rows: &dyn Rows,
    wanted: &[usize],
    write: &mut Write<'_>,
    make: &(dyn Fn(&mut Text, RowRange<'_, '_>) -> io::Result<()> + Sync),
) -> io::Result<()> {
    let make =
        &|text: &mut Text, entries: BlockItems<'_>| make(text, RowRange { rows, wanted, entries });
    write_blocks(&blocks_of(rows), write, make)
}

/// The maxima of all rows in `N` columns; `measure` raises them for a row.
pub(super) fn greatest(
    rows: &dyn Rows,
    n_columns: usize,
    measure: &(dyn Fn(&Row<'_>, &mut [usize]) + Sync),
) -> io::Result<Vec<usize>> {
    let mut greatest = vec![0; n_columns];
    let of_block = |range: &Range<usize>, found: &mut Vec<usize>| {
        found.clear();
        found.resize(n_columns, 0);
        // The callback never fails.
        let _ = rows.for_each_of(range.clone(), &mut |row| {
            measure(&row, found);
            Ok(())
        });
    };
    threads::ordered(&blocks_of(rows), of_block, |found: &mut Vec<usize>| {
        for (greatest, &found) in greatest.iter_mut().zip(&*found) {
            *greatest = found.max(*greatest);
        }
        io::Result::Ok(())
    })?;
    Ok(greatest)
}

/// Entries of each block, in order.
fn blocks_of(rows: &dyn Rows) -> Vec<Range<usize>> {
    threads::blocks(rows.n_entries(), ROWS, |entry| rows.n_rows_of(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Cell, RowKind, RowVisitor};

    /// A number for each entry; every tenth entry has no row.
    struct TestEntries(usize);

    impl Rows for TestEntries {
        fn n_entries(&self) -> usize {
            self.0
        }

        fn n_rows_of(&self, unit: usize) -> usize {
            usize::from(!unit.is_multiple_of(10))
        }

        fn for_each_of(&self, units: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
            for unit in units.filter(|&unit| self.n_rows_of(unit) > 0) {
                let number = i128::try_from(unit).expect("numbers are small");
                visit(Row { kind: RowKind::Entry, cells: &[Cell::Integer(number)] })?;
            }
            Ok(())
        }
    }

    fn number(row: &Row<'_>) -> usize {
        match row.cells[0] {
            Cell::Integer(number) => usize::try_from(number).expect("numbers are small"),
            _ => unreachable!("rows have a number"),
        }
    }

    #[test]
    fn the_greatest_of_all_blocks_are_those_of_all_rows() {
        for n_units in [0, 5, 10 * ROWS + 4] {
            let rows = TestEntries(n_units);
            let measure = |row: &Row<'_>, greatest: &mut [usize]| {
                greatest[0] = greatest[0].max(number(row));
                greatest[1] = greatest[1].max(10_000_000 - number(row));
            };
            let found = greatest(&rows, 2, &measure).expect("rows are there");
            let expected = match n_units {
                0 => vec![0, 0],
                _ => vec![n_units - 1, 9_999_999],
            };
            assert_eq!(found, expected);
        }
    }
}
