//! Renders rows in several threads and writes them in order.

use std::io;
use std::ops::Range;

use crate::report::{Row, RowUnits, Rows, Text};
use crate::threads;

const ROWS: usize = 1 << 10;

/// Buffer size in bytes for the block being written.
const PIECE: usize = 1 << 16;

/// Maximum size in bytes of a block rendered in advance. Larger blocks are rendered again in
/// their turn, and written immediately: one long name may be in many rows.
const LARGEST: usize = 1 << 20;

/// The rows of a block, or all rows.
pub(super) struct RowRange<'p> {
    rows: PartRows<'p>,
    /// Writes parts of the block, in its turn.
    write: Option<&'p mut Write<'p>>,
}

enum PartRows<'p> {
    All(&'p dyn Rows),
    Units(&'p dyn RowUnits, Range<usize>),
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
        match self.rows {
            PartRows::All(rows) => rows.for_each(&mut visit),
            PartRows::Units(units, range) => units.for_each_of(range, &mut visit),
        }
    }
}

/// Rendered units, or units to render again.
#[derive(Default)]
struct RenderedBlock {
    units: Range<usize>,
    text: Text,
    is_whole: bool,
}

/// Renders rows with `make`, and passes the text to `write`, which clears it. Rows without
/// units are rendered sequentially.
pub(super) fn write_rows(
    rows: &dyn Rows,
    write: &mut Write<'_>,
    make: &(dyn Fn(&mut Text, RowRange<'_>) -> io::Result<()> + Sync),
) -> io::Result<()> {
    let write_part = |rows: PartRows<'_>, write: &mut Write<'_>| {
        let mut text = Text::default();
        let part = RowRange { rows, write: Some(&mut *write) };
        make(&mut text, part)?;
        write(&mut text)
    };
    let Some(units) = rows.in_units() else {
        return write_part(PartRows::All(rows), write);
    };
    let make_block = |range: &Range<usize>, block: &mut RenderedBlock| {
        block.units = range.clone();
        let rows = PartRows::Units(units, range.clone());
        block.is_whole = make(&mut block.text, RowRange { rows, write: None }).is_ok();
        if !block.is_whole {
            block.text = Text::default();
        }
    };
    threads::ordered(&blocks_of(units), make_block, |block: &mut RenderedBlock| {
        if block.is_whole {
            return write(&mut block.text);
        }
        write_part(PartRows::Units(units, block.units.clone()), write)
    })
}

/// The maxima of all rows in `N` columns; `measure` raises them for a row.
pub(super) fn greatest(
    rows: &dyn Rows,
    n_columns: usize,
    measure: &(dyn Fn(&Row<'_>, &mut [usize]) + Sync),
) -> io::Result<Vec<usize>> {
    let mut greatest = vec![0; n_columns];
    let Some(units) = rows.in_units() else {
        rows.for_each(&mut |row| {
            measure(&row, &mut greatest);
            Ok(())
        })?;
        return Ok(greatest);
    };
    let of_block = |range: &Range<usize>, found: &mut Vec<usize>| {
        found.clear();
        found.resize(n_columns, 0);
        // The callback never fails.
        let _ = units.for_each_of(range.clone(), &mut |row| {
            measure(&row, found);
            Ok(())
        });
    };
    threads::ordered(&blocks_of(units), of_block, |found: &mut Vec<usize>| {
        for (greatest, &found) in greatest.iter_mut().zip(&*found) {
            *greatest = found.max(*greatest);
        }
        io::Result::Ok(())
    })?;
    Ok(greatest)
}

/// Units of each block, in order.
fn blocks_of(units: &dyn RowUnits) -> Vec<Range<usize>> {
    threads::blocks(units.n_units(), ROWS, |unit| units.n_rows_of(unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Cell, RowKind};

    /// A number for each unit; every tenth unit has no row.
    struct TestUnits(usize);

    impl Rows for TestUnits {
        fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
            self.for_each_of(0..self.0, visit)
        }

        fn in_units(&self) -> Option<&dyn RowUnits> {
            Some(self)
        }
    }

    impl RowUnits for TestUnits {
        fn n_units(&self) -> usize {
            self.0
        }

        fn n_rows_of(&self, unit: usize) -> usize {
            usize::from(!unit.is_multiple_of(10))
        }

        fn for_each_of(
            &self,
            units: Range<usize>,
            visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>,
        ) -> io::Result<()> {
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
        write_rows(&TestUnits(n_units), &mut write, &|text, part| {
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
        let done = write_rows(&TestUnits(2 * ROWS), &mut write, &|text, part| {
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
            let rows = TestUnits(n_units);
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
