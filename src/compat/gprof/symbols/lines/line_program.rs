//! Runs a line program.
//!
//! `gimli` can do that as well, but leaves out sequences and rows that step
//! back, which gprof does not.

use gimli::{LineInstruction, LineProgramHeader};

use super::budget::Budget;
use super::damage::Damage;
use super::sequences::{Place, Row, Sequence};
use crate::symbols::DebugBytes as Bytes;

/// What a line program computed.
#[derive(Default)]
pub(super) struct Output<'s> {
    pub(super) sequences: Vec<Sequence>,
    /// File names that the program itself defined.
    pub(super) more_files: Vec<gimli::FileEntry<Bytes<'s>>>,
}

pub(super) fn run<'s>(
    header: &LineProgramHeader<Bytes<'s>>,
    budget: &Budget,
) -> Result<Output<'s>, Damage> {
    let mut output = Output::default();
    let mut registers = Registers::new(header);
    let mut sequence = Sequence::default();
    let mut instructions = header.instructions();
    while let Some(instruction) = instructions.next_instruction(header)? {
        budget.check_room(0)?;
        match instruction {
            LineInstruction::EndSequence => {
                sequence.finish(registers.address);
                output.sequences.push(std::mem::take(&mut sequence));
                registers = Registers::new(header);
            }
            LineInstruction::UnknownExtended(opcode, _) => {
                return Err(Damage::UnknownOpcode(opcode.0));
            }
            LineInstruction::DefineFile(file) => output.more_files.push(file),
            _ if registers.execute(&instruction, header) => sequence.add(registers.row()),
            _ => {}
        }
    }
    Ok(output)
}

/// The state of the line machine, as far as file and line depend on it.
struct Registers {
    address: u64,
    address_mask: u64,
    operation: u64,
    file: u64,
    line: u32,
}

impl Registers {
    fn new(header: &LineProgramHeader<Bytes<'_>>) -> Registers {
        Registers {
            address: 0,
            address_mask: address_mask(header.address_size()),
            operation: 0,
            // The standard says one for all versions, and gprof zero for the
            // fifth. It shows where a table's file one is a header.
            file: u64::from(header.version() < 5),
            line: 1,
        }
    }

    fn row(&self) -> Row {
        Row {
            address: self.address,
            place: Place::new(self.file, self.line),
        }
    }

    /// Obeys one instruction; says whether it makes a row.
    fn execute(
        &mut self,
        instruction: &LineInstruction<Bytes<'_>>,
        header: &LineProgramHeader<Bytes<'_>>,
    ) -> bool {
        match *instruction {
            LineInstruction::Special(opcode) => {
                let adjusted = opcode.wrapping_sub(header.opcode_base());
                self.advance(u64::from(adjusted / header.line_range()), header);
                let step =
                    i64::from(header.line_base()) + i64::from(adjusted % header.line_range());
                self.add_to_line(step);
                return true;
            }
            LineInstruction::Copy => return true,
            LineInstruction::AdvancePc(operations) => self.advance(operations, header),
            LineInstruction::AdvanceLine(step) => self.add_to_line(step),
            LineInstruction::SetFile(file) => self.file = file,
            LineInstruction::ConstAddPc => {
                let adjusted = 255_u8.wrapping_sub(header.opcode_base());
                self.advance(u64::from(adjusted / header.line_range()), header);
            }
            LineInstruction::FixedAddPc(bytes) => {
                self.move_to(self.address.wrapping_add(bytes.into()))
            }
            LineInstruction::SetAddress(address) => self.move_to(address),
            // Statement flags, columns, discriminators: gprof ignores them.
            _ => {}
        }
        false
    }

    fn move_to(&mut self, address: u64) {
        self.address = address & self.address_mask;
        self.operation = 0;
    }

    /// Moves on by operations, several of which may share an instruction.
    fn advance(&mut self, operations: u64, header: &LineProgramHeader<Bytes<'_>>) {
        let per_instruction = u64::from(header.maximum_operations_per_instruction());
        let operation = self.operation.wrapping_add(operations);
        let instructions = operation / per_instruction;
        let bytes = instructions.wrapping_mul(header.minimum_instruction_length().into());
        self.move_to(self.address.wrapping_add(bytes));
        self.operation = operation % per_instruction;
    }

    /// Lines are 32 bits wide and wrap, as in gprof.
    fn add_to_line(&mut self, step: i64) {
        let wide = i64::from(self.line).wrapping_add(step) & i64::from(u32::MAX);
        self.line = u32::try_from(wide).unwrap_or(0);
    }
}

fn address_mask(address_size: u8) -> u64 {
    let unused_bits = 64_u32.saturating_sub(u32::from(address_size) * 8);
    u64::MAX >> unused_bits.min(63)
}
