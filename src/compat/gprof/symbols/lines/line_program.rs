//! Runs a line program: from instructions to places by address.
//!
//! `gimli` can do that too, but skips sequences and rows with descending addresses, which
//! gprof uses.

use std::cmp::Reverse;
use std::num::NonZeroU32;

use gimli::{AttributeValue, LineInstruction, LineProgramHeader};

use super::address_map::AddressMap;
use super::budget::{LineBudget, LineDamage};
use crate::symbols::DebugBytes as Bytes;

/// Number of instructions between two checks of memory. Each adds at most one row.
const INSTRUCTIONS_BETWEEN_LOOKS: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct LineOutput<'s> {
    pub(super) sequences: Vec<Sequence>,
    /// Files defined by the program: name and directory.
    pub(super) more_files: Vec<(AttributeValue<Bytes<'s>>, u64)>,
}

pub(super) fn run<'s>(
    header: &LineProgramHeader<Bytes<'s>>,
    budget: &LineBudget,
) -> Result<LineOutput<'s>, LineDamage> {
    let mut machine = LineMachine {
        header,
        address: 0,
        operation: 0,
        place: first_place(header),
        sequence: Sequence::default(),
        output: LineOutput::default(),
    };
    let mut instructions = header.instructions();
    let mut n_done = 0;
    while let Some(instruction) = instructions.next_instruction(header)? {
        machine.obey(instruction)?;
        n_done += 1;
        if n_done % INSTRUCTIONS_BETWEEN_LOOKS == 0 {
            budget.check_room(0)?;
        }
    }
    budget.check_room(0)?;
    Ok(machine.output)
}

/// The initial file is one for all versions by the standard, but zero for version 5 in gprof,
/// which is visible if a table's file one is a header.
fn first_place(header: &LineProgramHeader<Bytes<'_>>) -> LinePosition {
    LinePosition::new(u64::from(header.version() < 5), 1)
}

struct LineMachine<'h, 's> {
    header: &'h LineProgramHeader<Bytes<'s>>,
    address: u64,
    operation: u64,
    place: LinePosition,
    sequence: Sequence,
    output: LineOutput<'s>,
}

impl<'s> LineMachine<'_, 's> {
    /// gprof ignores statement flags, columns and instruction sets.
    fn obey(&mut self, instruction: LineInstruction<Bytes<'s>>) -> Result<(), LineDamage> {
        use LineInstruction as I;
        let place = self.place;
        match instruction {
            I::Special(opcode) => {
                let adjusted = opcode.wrapping_sub(self.header.opcode_base());
                let lines = i64::from(adjusted % self.header.line_range());
                self.advance_special(adjusted);
                self.add_to_line(i64::from(self.header.line_base()) + lines);
                self.add_row();
            }
            I::Copy => self.add_row(),
            I::AdvancePc(operations) => self.advance(operations),
            I::AdvanceLine(step) => self.add_to_line(step),
            I::SetFile(file) => self.place = LinePosition::new(file, place.line),
            I::ConstAddPc => self.advance_special(255 - self.header.opcode_base()),
            I::FixedAddPc(bytes) => self.move_to(self.address.wrapping_add(bytes.into())),
            I::SetAddress(address) => self.move_to(address),
            I::DefineFile(file) => {
                let file = (file.path_name(), file.directory_index());
                self.output.more_files.push(file);
            }
            I::EndSequence => {
                self.sequence.finish(self.address);
                let sequence = std::mem::take(&mut self.sequence);
                self.output.sequences.push(sequence);
                (self.address, self.operation) = (0, 0);
                self.place = first_place(self.header);
            }
            I::UnknownExtended(opcode, _) => return Err(LineDamage::UnknownOpcode(opcode.0)),
            _ => {}
        }
        Ok(())
    }

    fn add_row(&mut self) {
        let (address, place) = (self.address, self.place);
        self.sequence.add(LineTableRow { address, place });
    }

    fn move_to(&mut self, address: u64) {
        let unused_bits = 64_u32.saturating_sub(u32::from(self.header.address_size()) * 8);
        self.address = address & u64::MAX >> unused_bits.min(63);
        self.operation = 0;
    }

    fn advance_special(&mut self, adjusted_opcode: u8) {
        self.advance((adjusted_opcode / self.header.line_range()).into());
    }

    /// Advances by operations, several of which may share an instruction.
    fn advance(&mut self, operations: u64) {
        let at_once = u64::from(self.header.maximum_operations_per_instruction());
        let (mut instructions, mut operation) = (operations, 0);
        if at_once != 1 {
            let all = self.operation.wrapping_add(operations);
            (instructions, operation) = (all / at_once, all % at_once);
        }
        let length = u64::from(self.header.minimum_instruction_length());
        let bytes = instructions.wrapping_mul(length);
        self.move_to(self.address.wrapping_add(bytes));
        self.operation = operation;
    }

    /// Lines have 32 bits and wrap, as in gprof.
    fn add_to_line(&mut self, step: i64) {
        let wide = i64::from(self.place.line).wrapping_add(step) & i64::from(u32::MAX);
        self.place.line = u32::try_from(wide).unwrap_or(0);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LinePosition {
    /// File register plus one; all files above the maximum are equal.
    file: NonZeroU32,
    /// Zero for code without a line.
    pub(super) line: u32,
}

impl LinePosition {
    pub(super) fn new(file: u64, line: u32) -> LinePosition {
        let file = u32::try_from(file).unwrap_or(u32::MAX);
        LinePosition { file: NonZeroU32::MIN.saturating_add(file), line }
    }

    pub(super) fn file(self) -> u32 {
        self.file.get() - 1
    }
}

/// A row of a line table: code from `address` on belongs to `place`.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineTableRow {
    pub(super) address: u64,
    pub(super) place: LinePosition,
}

/// Consecutive rows with an end.
///
/// After `finish`, rows are strictly ascending. The sequence covers addresses from its first
/// row as written to its end, even if rows lie outside.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    start: u64,
    end: u64,
    rows: Vec<LineTableRow>,
    /// Rows with lower addresses than those before them.
    steps_back: Vec<LineTableRow>,
}

impl Sequence {
    /// Adds the next row. Of consecutive rows at the same address, the last counts.
    pub(super) fn add(&mut self, row: LineTableRow) {
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

    /// Inserts rows with descending addresses; rows in order have priority.
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
    fn append_from(&self, start: u64, places: &mut AddressMap<LinePosition>) {
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

/// Joins all sequences to one table.
///
/// Ordered by start, then larger and later ones first. A sequence within the last one is
/// dropped; one that extends beyond it starts at its end.
pub(super) fn merge(mut sequences: Vec<Sequence>) -> AddressMap<LinePosition> {
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
