//! Rows made into text by several threads, and written in their order.
//!
//! Rows that come in units are made block by block. While the blocks of one batch are
//! written, those of the next are made, so that few of them are in memory at a time. What
//! is a single block needs no threads; rows that have no units come one after another.

use std::io;
use std::ops::Range;

use rayon::prelude::*;

use crate::report::{NameTable, Row, RowUnits, Rows, Text};

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
    write: Option<&'p mut dyn FnMut(&mut B) -> io::Result<()>>,
}

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
    make: &(dyn Fn(&mut B, Part<'_, B>) -> io::Result<()> + Sync),
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
    make: &(dyn Fn(&mut B, Part<'_, B>) -> io::Result<()> + Sync),
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
    let n_blocks = BLOCKS * rayon::current_num_threads();
    let mut n_done = 0;
    let mut make_batch = |blocks: &mut Vec<B>| {
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
    let (mut made, mut next) = (Vec::new(), Vec::new());
    make_batch(&mut made);
    while !made.is_empty() {
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| make_batch(&mut next));
            made.iter_mut().try_for_each(&mut *write)
        })?;
        std::mem::swap(&mut made, &mut next);
    }
    Ok(())
}

/// The units of the block that starts with one of them.
fn next_block(units: &dyn RowUnits, start: usize) -> Range<usize> {
    let (mut end, mut n_rows) = (start, 0);
    while end < units.n_units() && n_rows < ROWS {
        n_rows += units.n_rows_of(end);
        end += 1;
    }
    start..end
}
