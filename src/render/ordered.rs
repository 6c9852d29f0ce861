//! Renders rows in several threads and writes them in order.

use std::io;
use std::ops::Range;

use crate::report::{Row, Rows, Text};
use crate::threads;

const ROWS: usize = 1 << 10;

/// Buffer size in bytes for the block being written.
const PIECE: usize = 1 << 16;

/// Maximum size in bytes of a block rendered in advance. Larger blocks are rendered again in
/// their turn, and written immediately: one long name may be in many rows.
const LARGEST: usize = 1 << 20;

/// The rows of a block.
pub(super) struct RowRange<'p> {
    rows: &'p dyn Rows,
    entries: Range<usize>,
    /// Writes parts of the block, in its turn.
    write: Option<&'p mut Write<'p>>,
}

/// Writes a block and clears it.
pub(super) type Write<'w> = dyn FnMut(&mut Text) -> io::Result<()> + 'w;

impl RowRange<'_> {
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
        let mut flush = |block: &mut Text| match &mut self.write {
            Some(write) if block.len() >= PIECE => write(block),
            None if block.len() > LARGEST => Err(io::ErrorKind::FileTooLarge.into()),
            _ => Ok(()),
        };
        let mut visit = |row: Row<'_>| {
            visit(block, row, &mut flush)?;
            flush(block)
        };
        self.rows.for_each_of(self.entries, &mut visit)
    }
}

/// Rendered entries, or entries to render again.
#[derive(Default)]
struct RenderedBlock {
    entries: Range<usize>,
    text: Text,
    is_whole: bool,
}

/// Renders rows with `make`, and passes the text to `write`, which clears it.
pub(super) fn write_rows(
    rows: &dyn Rows,
    write: &mut Write<'_>,
    make: &(dyn Fn(&mut Text, RowRange<'_>) -> io::Result<()> + Sync),
) -> io::Result<()> {
    let make_block = |entries: &Range<usize>, block: &mut RenderedBlock| {
        block.entries = entries.clone();
        let part = RowRange { rows, entries: entries.clone(), write: None };
        block.is_whole = make(&mut block.text, part).is_ok();
        if !block.is_whole {
            block.text = Text::default();
        }
    };
    threads::ordered(&blocks_of(rows), make_block, |block: &mut RenderedBlock| {
        if !block.is_whole {
            let entries = block.entries.clone();
            make(&mut block.text, RowRange { rows, entries, write: Some(&mut *write) })?;
        }
        write(&mut block.text)
    })
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

    fn written(
        n_units: usize,
        mut write: impl FnMut(&mut Text) -> io::Result<()>,
    ) -> io::Result<()> {
        write_rows(&TestEntries(n_units), &mut write, &|text, part| {
            part.for_each(text, |text, row| text.word(format!("{}\n", number(&row))))
        })
    }

    #[test]
    fn blocks_are_never_long_however_long_their_rows_are() {
        let (mut all, mut longest) = (Vec::new(), 0);
        let mut write = |text: &mut Text| {
            longest = longest.max(text.len());
            text.write(&mut all)
        };
        let line = |number: usize| format!("{number:05000}\n");
        let done = write_rows(&TestEntries(2 * ROWS), &mut write, &|text, part| {
            part.for_each(text, |text, row| text.word(line(number(&row))))
        });
        assert!(done.is_ok());
        assert!(longest <= LARGEST, "{longest} bytes");
        let shown = (0..2 * ROWS).filter(|unit| !unit.is_multiple_of(10));
        assert_eq!(all, shown.map(line).collect::<String>().into_bytes());
    }

    #[test]
    fn blocks_are_written_in_the_order_of_their_rows() {
        for n_units in [0, 1, ROWS, 2 * ROWS, 100 * ROWS + 7] {
            let mut all = Vec::new();
            let done = written(n_units, |text| text.write(&mut all));
            assert!(done.is_ok());
            let shown = (0..n_units).filter(|unit| !unit.is_multiple_of(10));
            let expected: String = shown.map(|unit| format!("{unit}\n")).collect();
            assert_eq!(String::from_utf8_lossy(&all), expected);
        }
    }

    #[test]
    fn nothing_is_written_behind_what_cannot_be_written() {
        let mut n_written = 0;
        let done = written(100 * ROWS, |_| {
            n_written += 1;
            match n_written {
                3 => Err(io::Error::other("full")),
                _ => Ok(()),
            }
        });
        assert!(done.is_err());
        assert_eq!(n_written, 3);
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
