//! Runs a line program.
//!
//! `gimli` can do that as well, but leaves out sequences and rows that step back, which
//! gprof does not. Instructions are read here too: most are a byte long, and making a
//! value of each takes longer than obeying it. What is wrong with a program is said in
//! `gimli`'s words.

use gimli::{LineProgramHeader, Reader};

use super::budget::Budget;
use super::damage::Damage;
use super::sequences::{Place, Row, Sequence};
use crate::symbols::DebugBytes as Bytes;

/// Instructions from one look at the memory in use to the next. Each makes a row at most.
const INSTRUCTIONS_BETWEEN_LOOKS: usize = 1024;

/// What a line program computed.
#[derive(Debug, Default)]
pub(super) struct Output<'s> {
    pub(super) sequences: Vec<Sequence>,
    pub(super) more_files: Vec<DefinedFile<'s>>,
}

/// A file that a program itself defined.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DefinedFile<'s> {
    pub(super) name: Bytes<'s>,
    pub(super) directory: u64,
}

pub(super) fn run<'s>(
    header: &LineProgramHeader<Bytes<'s>>,
    budget: &Budget,
) -> Result<Output<'s>, Damage> {
    let mut machine = Machine::new(header);
    let mut rest = header.raw_program_buf();
    while !rest.is_empty() {
        for _ in 0..INSTRUCTIONS_BETWEEN_LOOKS {
            let Some((&opcode, behind)) = rest.slice().split_first() else {
                break;
            };
            rest = Bytes::new(behind, rest.endian());
            if opcode >= machine.opcode_base {
                machine.special(opcode);
            } else if opcode == 0 {
                machine.extended(&mut rest)?;
            } else {
                machine.standard(opcode, &mut rest)?;
            }
        }
        budget.check_room(0)?;
    }
    Ok(machine.output)
}

/// The line machine, as far as file and line depend on it.
struct Machine<'h, 's> {
    header: &'h LineProgramHeader<Bytes<'s>>,
    opcode_base: u8,
    /// How far each special opcode goes, in operations and lines.
    steps: Box<[(u8, i16); 256]>,
    operations_per_instruction: u64,
    minimum_length: u64,
    address_mask: u64,
    registers: Registers,
    sequence: Sequence,
    output: Output<'s>,
}

struct Registers {
    address: u64,
    operation: u64,
    place: Place,
}

impl Registers {
    fn new(header: &LineProgramHeader<Bytes<'_>>) -> Registers {
        Registers {
            address: 0,
            operation: 0,
            // The standard says one for all versions, and gprof zero for the
            // fifth. It shows where a table's file one is a header.
            place: Place::new(u64::from(header.version() < 5), 1),
        }
    }
}

impl<'h, 's> Machine<'h, 's> {
    fn new(header: &'h LineProgramHeader<Bytes<'s>>) -> Self {
        Self {
            header,
            // Zero is never a special one.
            opcode_base: header.opcode_base().max(1),
            steps: steps_of(header),
            operations_per_instruction: header.maximum_operations_per_instruction().into(),
            minimum_length: header.minimum_instruction_length().into(),
            address_mask: address_mask(header.address_size()),
            registers: Registers::new(header),
            sequence: Sequence::default(),
            output: Output::default(),
        }
    }

    fn special(&mut self, opcode: u8) {
        let (operations, lines) = self.steps[usize::from(opcode)];
        self.advance(operations.into());
        let line = &mut self.registers.place.line;
        *line = line.wrapping_add_signed(lines.into());
        self.add_row();
    }

    /// Statement flags, columns and instruction sets are of no interest to gprof.
    fn standard(&mut self, opcode: u8, rest: &mut Bytes<'s>) -> gimli::Result<()> {
        match gimli::DwLns(opcode) {
            gimli::DW_LNS_copy => self.add_row(),
            gimli::DW_LNS_advance_pc => self.advance(unsigned(rest)?),
            gimli::DW_LNS_advance_line => self.add_to_line(rest.read_sleb128()?),
            gimli::DW_LNS_set_file => {
                let line = self.registers.place.line;
                self.registers.place = Place::new(unsigned(rest)?, line);
            }
            gimli::DW_LNS_set_column | gimli::DW_LNS_set_isa => {
                unsigned(rest)?;
            }
            gimli::DW_LNS_negate_stmt
            | gimli::DW_LNS_set_basic_block
            | gimli::DW_LNS_set_prologue_end
            | gimli::DW_LNS_set_epilogue_begin => {}
            gimli::DW_LNS_const_add_pc => self.advance(self.steps[255].0.into()),
            gimli::DW_LNS_fixed_advance_pc => {
                let bytes = rest.read_u16()?;
                self.move_to(self.registers.address.wrapping_add(bytes.into()));
            }
            _ => {
                let mut counts = *self.header.standard_opcode_lengths();
                counts.skip(usize::from(opcode - 1))?;
                for _ in 0..counts.read_u8()? {
                    unsigned(rest)?;
                }
            }
        }
        Ok(())
    }

    fn extended(&mut self, rest: &mut Bytes<'s>) -> Result<(), Damage> {
        let length = rest.read_uleb128()?;
        let length = usize::try_from(length).map_err(|_| gimli::Error::UnsupportedOffset)?;
        let mut inside = rest.split(length)?;
        match gimli::DwLne(inside.read_u8()?) {
            gimli::DW_LNE_end_sequence => {
                self.sequence.finish(self.registers.address);
                let sequence = std::mem::take(&mut self.sequence);
                self.output.sequences.push(sequence);
                self.registers = Registers::new(self.header);
            }
            gimli::DW_LNE_set_address => {
                let address = inside.read_address(self.header.address_size())?;
                self.move_to(address);
            }
            gimli::DW_LNE_define_file if self.header.version() <= 4 => {
                let name = inside.read_null_terminated_slice()?;
                let directory = inside.read_uleb128()?;
                let _time = inside.read_uleb128()?;
                let _size = inside.read_uleb128()?;
                let file = DefinedFile { name, directory };
                self.output.more_files.push(file);
            }
            gimli::DW_LNE_set_discriminator => {
                inside.read_uleb128()?;
            }
            gimli::DwLne(opcode) => return Err(Damage::UnknownOpcode(opcode)),
        }
        Ok(())
    }

    fn add_row(&mut self) {
        let Registers { address, place, .. } = self.registers;
        self.sequence.add(Row { address, place });
    }

    fn move_to(&mut self, address: u64) {
        self.registers.address = address & self.address_mask;
        self.registers.operation = 0;
    }

    /// Moves on by operations, several of which may share an instruction.
    fn advance(&mut self, operations: u64) {
        let mut instructions = operations;
        let mut operation = 0;
        if self.operations_per_instruction != 1 {
            let all = self.registers.operation.wrapping_add(operations);
            instructions = all / self.operations_per_instruction;
            operation = all % self.operations_per_instruction;
        }
        let bytes = instructions.wrapping_mul(self.minimum_length);
        self.move_to(self.registers.address.wrapping_add(bytes));
        self.registers.operation = operation;
    }

    /// Lines are 32 bits wide and wrap, as in gprof.
    fn add_to_line(&mut self, step: i64) {
        let line = &mut self.registers.place.line;
        let wide = i64::from(*line).wrapping_add(step) & i64::from(u32::MAX);
        *line = u32::try_from(wide).unwrap_or(0);
    }
}

/// The steps of opcodes; those below the first special one are not asked for.
fn steps_of(header: &LineProgramHeader<Bytes<'_>>) -> Box<[(u8, i16); 256]> {
    let mut steps = Box::new([(0, 0); 256]);
    for (opcode, step) in (0..=u8::MAX).zip(steps.iter_mut()) {
        let adjusted = opcode.wrapping_sub(header.opcode_base());
        let line_range = header.line_range();
        let lines = i16::from(header.line_base()) + i16::from(adjusted % line_range);
        *step = (adjusted / line_range, lines);
    }
    steps
}

/// Most numbers are a byte long.
fn unsigned(rest: &mut Bytes<'_>) -> gimli::Result<u64> {
    match rest.slice().split_first() {
        Some((&byte, behind)) if byte < 0x80 => {
            *rest = Bytes::new(behind, rest.endian());
            Ok(byte.into())
        }
        _ => rest.read_uleb128(),
    }
}

fn address_mask(address_size: u8) -> u64 {
    let unused_bits = 64_u32.saturating_sub(u32::from(address_size) * 8);
    u64::MAX >> unused_bits.min(63)
}

#[cfg(test)]
mod tests;
