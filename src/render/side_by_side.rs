//! Rows made into text by several threads, and written in their order.
//!
//! Rows that come in units are made block by block. While the blocks of one batch are
//! written, those of the next are made, so that few of them are in memory at a time. What
//! is a single block needs no threads; rows that have no units come one after another.

use std::io;
use std::ops::Range;

use rayon::prelude::*;

use crate::report::{NameTable, Row, RowUnits, Rows, Text};
use crate::threads;

/// Rows of a block, at least.
const ROWS: usize = 1 << 10;

/// Blocks that each thread makes before the first of them is written.
const BLOCKS: usize = 4;

/// Bytes that are gathered before they are written, where there are no units.
const PIECE: usize = 1 << 16;

/// Text in the making.
pub(super) trait Block: Default + Send {
    /// How many bytes it has.
    fn n_bytes(&self) -> usize;

    /// Forgets them.
    fn empty(&mut self);
}

impl Block for Vec<u8> {
    fn n_bytes(&self) -> usize {
        self.len()
    }

    fn empty(&mut self) {
        self.clear();
    }
}

impl Block for Text {
    fn n_bytes(&self) -> usize {
        self.len()
    }

    fn empty(&mut self) {
        self.clear();
    }
}

/// The rows of a block, or all of them.
pub(super) struct Part<'p, B> {
    rows: PartRows<'p>,
    write: Option<&'p mut Write<'p, B>>,
}

/// What writes a block and empties it.
type Write<'w, B> = dyn FnMut(&mut B) -> io::Result<()> + 'w;

/// What makes blocks.
type Make<'m, B> = dyn Fn(&mut B, Part<'_, B>) -> io::Result<()> + Sync + 'm;

/// What measures a row.
type Measure<'m> = dyn Fn(&Row<'_>, &mut [usize]) + Sync + 'm;

enum PartRows<'p> {
    All(&'p dyn Rows),
    Units(&'p dyn RowUnits, Range<usize>),
}

impl<B: Block> Part<'_, B> {
    /// Shows every row to `visit`, which adds it to the block.
    ///
    /// # Errors
    /// When what was gathered cannot be written.
    pub(super) fn for_each(
        self,
        block: &mut B,
        mut visit: impl FnMut(&mut B, Row<'_>),
    ) -> io::Result<()> {
        let mut write = self.write;
        let mut see = |row: Row<'_>| {
            visit(block, row);
            match &mut write {
                Some(write) if block.n_bytes() >= PIECE => write(block),
                _ => Ok(()),
            }
        };
        match self.rows {
            PartRows::All(rows) => rows.for_each(&mut see),
            PartRows::Units(units, range) => units.for_each_of(range, &mut see),
        }
    }
}

/// Makes text of rows with `make`, and gives it to `write`, which empties blocks.
///
/// # Errors
/// Those of `write`.
pub(super) fn write_rows<B: Block>(
    rows: &dyn Rows,
    names: &dyn NameTable,
    write: &mut dyn FnMut(&mut B) -> io::Result<()>,
    make: &Make<'_, B>,
) -> io::Result<()> {
    if let Some(units) = rows.in_units() {
        return write_units(units, names, write, make);
    }
    let mut block = B::default();
    let part = Part {
        rows: PartRows::All(rows),
        write: Some(&mut *write),
    };
    make(&mut block, part)?;
    write(&mut block)
}

fn write_units<B: Block>(
    units: &dyn RowUnits,
    names: &dyn NameTable,
    write: &mut dyn FnMut(&mut B) -> io::Result<()>,
    make: &Make<'_, B>,
) -> io::Result<()> {
    let make = |range: &Range<usize>, block: &mut B| {
        let part = Part {
            rows: PartRows::Units(units, range.clone()),
            write: None,
        };
        // Nothing is written, so nothing fails.
        let _ = make(block, part);
    };
    let first = next_block(units, 0);
    if first.end == units.n_units() {
        let mut block = B::default();
        make(&first, &mut block);
        return write(&mut block);
    }
    let n_blocks = BLOCKS * threads::start();
    let mut n_done = 0;
    let make_batch = |blocks: &mut Vec<B>| {
        let mut ranges = Vec::with_capacity(n_blocks);
        while n_done < units.n_units() && ranges.len() < n_blocks {
            let range = next_block(units, n_done);
            n_done = range.end;
            ranges.push(range);
        }
        blocks.resize_with(ranges.len(), B::default);
        let are_all_named = names.side_by_side(&mut || {
            let pairs = ranges.par_iter().zip(blocks.par_iter_mut());
            pairs.for_each(|(range, block)| make(range, block));
        });
        if !are_all_named {
            for (range, block) in ranges.iter().zip(blocks) {
                block.empty();
                make(range, block);
            }
        }
    };
    threads::write_batches(make_batch, write)
}

/// The greatest numbers of all rows, in so many columns: `measure` raises those that a row
/// has greater ones of.
///
/// # Errors
/// When rows cannot be had.
pub(super) fn greatest(
    rows: &dyn Rows,
    names: &dyn NameTable,
    n_columns: usize,
    measure: &Measure<'_>,
) -> io::Result<Vec<usize>> {
    if let Some(units) = rows.in_units()
        && next_block(units, 0).end < units.n_units()
    {
        let mut greatest = Vec::new();
        if names.side_by_side(&mut || greatest = greatest_of(units, n_columns, measure)) {
            return Ok(greatest);
        }
    }
    let mut greatest = vec![0; n_columns];
    rows.for_each(&mut |row| {
        measure(&row, &mut greatest);
        Ok(())
    })?;
    Ok(greatest)
}

fn greatest_of(units: &dyn RowUnits, n_columns: usize, measure: &Measure<'_>) -> Vec<usize> {
    let mut blocks = vec![next_block(units, 0)];
    while let Some(last) = blocks.last()
        && last.end < units.n_units()
    {
        blocks.push(next_block(units, last.end));
    }
    let none = || vec![0; n_columns];
    let of_block = |block: Range<usize>| {
        let mut greatest = none();
        // Nothing is written, so nothing fails.
        let _ = units.for_each_of(block, &mut |row| {
            measure(&row, &mut greatest);
            Ok(())
        });
        greatest
    };
    let greater = |mut one: Vec<usize>, other: Vec<usize>| {
        for (one, other) in one.iter_mut().zip(other) {
            *one = other.max(*one);
        }
        one
    };
    threads::start();
    blocks.into_par_iter().map(of_block).reduce(none, greater)
}

/// The units of the block that starts with one of them.
fn next_block(units: &dyn RowUnits, start: usize) -> Range<usize> {
    let (mut end_index, mut n_rows) = (start, 0);
    while end_index < units.n_units() && n_rows < ROWS {
        n_rows += units.n_rows_of(end_index);
        end_index += 1;
    }
    start..end_index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing::NoNames;
    use crate::report::{Cell, RowKind};

    /// A number for each unit, but for every tenth, which has no row.
    struct Numbers(usize);

    impl Rows for Numbers {
        fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
            self.for_each_of(0..self.0, visit)
        }

        fn in_units(&self) -> Option<&dyn RowUnits> {
            Some(self)
        }
    }

    impl RowUnits for Numbers {
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
                visit(Row {
                    kind: RowKind::Entry,
                    cells: &[Cell::Integer(number)],
                })?;
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
        mut write: impl FnMut(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        write_rows(&Numbers(n_units), &NoNames, &mut write, &|text, part| {
            part.for_each(text, |text: &mut Vec<u8>, row| {
                text.extend_from_slice(format!("{}\n", number(&row)).as_bytes());
            })
        })
    }

    #[test]
    fn blocks_are_written_in_the_order_of_their_rows() {
        for n_units in [0, 1, ROWS, 2 * ROWS, 100 * ROWS + 7] {
            let mut all = Vec::new();
            let done = written(n_units, |text| {
                all.append(text);
                Ok(())
            });
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
            let rows = Numbers(n_units);
            let measure = |row: &Row<'_>, greatest: &mut [usize]| {
                greatest[0] = greatest[0].max(number(row));
                greatest[1] = greatest[1].max(10_000_000 - number(row));
            };
            let found = greatest(&rows, &NoNames, 2, &measure).expect("rows are there");
            let expected = match n_units {
                0 => vec![0, 0],
                _ => vec![n_units - 1, 9_999_999],
            };
            assert_eq!(found, expected);
        }
    }
}
