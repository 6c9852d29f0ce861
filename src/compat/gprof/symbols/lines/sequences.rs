//! Sequences of line rows, and how gprof settles where they overlap.

use std::cmp::Reverse;
use std::num::NonZeroU32;

use super::address_map::AddressMap;

/// A line of a file, as the line table has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// One more than the file register; all files too high to exist share one.
    file: NonZeroU32,
    /// Zero for code that belongs to no line.
    pub(super) line: u32,
}

impl Place {
    pub(super) fn new(file: u64, line: u32) -> Place {
        let file = u32::try_from(file).unwrap_or(u32::MAX);
        Place {
            file: NonZeroU32::MIN.saturating_add(file),
            line,
        }
    }

    /// The file register.
    pub(super) fn file(self) -> u32 {
        self.file.get() - 1
    }
}

/// One row of a line table: code from `address` on belongs to `place`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) address: u64,
    pub(super) place: Place,
}

/// A run of rows that ends somewhere.
///
/// Once finished, rows are strictly ascending. The sequence covers addresses
/// from its first row as written up to its end, even if rows lie outside.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    start: u64,
    end: u64,
    rows: Vec<Row>,
    /// Rows below the one before them.
    steps_back: Vec<Row>,
}

impl Sequence {
    /// Adds the next row. Of several in a row at one address the last counts.
    pub(super) fn add(&mut self, row: Row) {
        match self.rows.last_mut() {
            None => {
                self.start = row.address;
                self.rows.push(row);
            }
            Some(last) if last.address == row.address => *last = row,
            Some(last) if last.address < row.address => self.rows.push(row),
            Some(_) => self.steps_back.push(row),
        }
    }

    /// Puts rows that step back in their place, where those written in order
    /// have precedence.
    pub(super) fn finish(&mut self, end: u64) {
        self.end = end;
        if self.rows.is_empty() {
            self.start = end;
        }
        if !self.steps_back.is_empty() {
            self.rows.append(&mut self.steps_back);
            self.rows.sort_by_key(|row| row.address);
            self.rows.dedup_by_key(|row| row.address);
        }
    }

    /// Appends the rows from `start` to the end.
    fn append_from(&self, start: u64, places: &mut AddressMap<Place>) {
        let first = self.rows.partition_point(|row| row.address <= start);
        for row in &self.rows[first.saturating_sub(1)..] {
            if row.address >= self.end {
                break;
            }
            places.push(row.address.max(start), Some(row.place));
        }
        places.push(self.end, None);
    }
}

/// Makes one table of all sequences.
///
/// They are taken by start, the larger and then the later first. One that lies
/// inside the last is dropped; one that reaches beyond begins where that ends.
pub(super) fn merge(mut sequences: Vec<Sequence>) -> AddressMap<Place> {
    sequences.reverse();
    sequences.retain(|sequence| sequence.start < sequence.end);
    sequences.sort_by_key(|sequence| (sequence.start, Reverse(sequence.end)));
    // Each piece begins with a row or ends a sequence.
    let n_pieces = sequences.iter().map(|sequence| sequence.rows.len() + 1);
    let mut places = AddressMap::with_capacity(n_pieces.sum());
    let mut covered_up_to = 0;
    for sequence in &sequences {
        if sequence.end > covered_up_to {
            sequence.append_from(sequence.start.max(covered_up_to), &mut places);
            covered_up_to = sequence.end;
        }
    }
    places
}

#[cfg(test)]
mod tests;
