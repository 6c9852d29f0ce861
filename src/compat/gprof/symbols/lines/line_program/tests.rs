//! Programs at random, and what `gimli`'s instructions make of them.

use gimli::{DebugLine, DebugLineOffset, LineInstruction, RunTimeEndian};

use super::*;
use crate::memory::Allowance;

/// A header of the version with the bytes of a program.
fn table(version: u8, max_operations: u8, opcode_base: u8, program: &[u8]) -> Vec<u8> {
    let mut rest = vec![4]; // minimum_instruction_length
    if version >= 4 {
        rest.push(max_operations);
    }
    // default_is_stmt, line_base, line_range
    rest.extend([1, 0xfb, 14, opcode_base]);
    let lengths = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2, 0, 3];
    rest.extend(&lengths[..usize::from(opcode_base - 1)]);
    match version {
        // Names are strings; there are neither directories nor files.
        5 => rest.extend([1, 1, 8, 0, 1, 1, 8, 0]),
        _ => rest.extend([0, 0]),
    }
    let mut bytes = vec![version, 0];
    if version >= 5 {
        bytes.extend([8, 0]);
    }
    bytes.extend(u32::try_from(rest.len()).unwrap().to_le_bytes());
    bytes.extend(rest);
    bytes.extend(program);
    let mut all = u32::try_from(bytes.len()).unwrap().to_le_bytes().to_vec();
    all.extend(bytes);
    all
}

/// Obeys the instructions as `gimli` reads them, one by one.
fn reference<'s>(header: &LineProgramHeader<Bytes<'s>>) -> Result<Output<'s>, Damage> {
    let mut machine = Machine::new(header);
    let mut instructions = header.instructions();
    while let Some(instruction) = instructions.next_instruction(header)? {
        match instruction {
            LineInstruction::EndSequence => {
                machine.sequence.finish(machine.registers.address);
                let sequence = std::mem::take(&mut machine.sequence);
                machine.output.sequences.push(sequence);
                machine.registers = Registers::new(header);
            }
            LineInstruction::UnknownExtended(opcode, _) => {
                return Err(Damage::UnknownOpcode(opcode.0));
            }
            LineInstruction::DefineFile(file) => {
                let gimli::AttributeValue::String(name) = file.path_name() else {
                    panic!("a name stands in the program");
                };
                let directory = file.directory_index();
                machine
                    .output
                    .more_files
                    .push(DefinedFile { name, directory });
            }
            LineInstruction::Special(opcode) => {
                let adjusted = opcode.wrapping_sub(header.opcode_base());
                machine.advance(u64::from(adjusted / header.line_range()));
                let lines = i64::from(adjusted % header.line_range());
                machine.add_to_line(i64::from(header.line_base()) + lines);
                machine.add_row();
            }
            LineInstruction::Copy => machine.add_row(),
            LineInstruction::AdvancePc(operations) => machine.advance(operations),
            LineInstruction::AdvanceLine(step) => machine.add_to_line(step),
            LineInstruction::SetFile(file) => {
                let line = machine.registers.place.line;
                machine.registers.place = Place::new(file, line);
            }
            LineInstruction::ConstAddPc => {
                let adjusted = 255_u8.wrapping_sub(header.opcode_base());
                machine.advance(u64::from(adjusted / header.line_range()));
            }
            LineInstruction::FixedAddPc(bytes) => {
                let address = machine.registers.address.wrapping_add(bytes.into());
                machine.move_to(address);
            }
            LineInstruction::SetAddress(address) => machine.move_to(address),
            _ => {}
        }
    }
    Ok(machine.output)
}

/// Bytes of which most are instructions that compilers write.
fn program(state: &mut u64) -> Vec<u8> {
    let mut random = || {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (*state >> 33).to_le_bytes()
    };
    let n_instructions = random()[0] % 32;
    let mut bytes = Vec::new();
    for _ in 0..n_instructions {
        let [kind, a, b, ..] = random();
        match kind % 8 {
            0 => bytes.push(a % 16),
            1 => bytes.extend([a % 16, b]),
            2 => bytes.extend([0, 1, 1]),
            3 => bytes.extend([0, 9, 2, a, b, 0, 0, 0, 0, 0, 0]),
            4 => bytes.extend([0, 6, 3, b'a', 0, a % 128, 1, b]),
            5 => bytes.extend([0, 2, 4, a % 128]),
            6 => bytes.extend([0, a % 4, b % 8]),
            _ => bytes.extend([a, b]),
        }
    }
    bytes
}

#[test]
fn programs_do_what_gimli_reads_in_them() {
    let budget = Budget::for_bytes(1 << 20, Allowance::of(1 << 30));
    let mut state = 1;
    let (mut n_fine, mut n_rows) = (0, 0);
    for round in 0_u8..=255 {
        for (version, max_operations) in [(2, 1), (4, 1), (4, 3), (5, 1)] {
            let program = program(&mut state);
            let bytes = table(version, max_operations, 10 + round % 6, &program);
            let section = DebugLine::from(Bytes::new(&bytes, RunTimeEndian::Little));
            let read = section.program(DebugLineOffset(0), 8, None, None);
            let read = read.expect("the header is fine");
            let found = run(read.header(), &budget);
            let expected = reference(read.header());
            n_fine += usize::from(found.is_ok());
            n_rows += found.iter().flat_map(|output| &output.sequences).count();
            let (found, expected) = (format!("{found:?}"), format!("{expected:?}"));
            assert_eq!(found, expected, "version {version}: {program:x?}");
        }
    }
    assert!(n_fine > 100 && n_rows > 100, "{n_fine} and {n_rows}");
}
