//! Which functions call the hook that `-pg` plants: those whose calls are counted.

use std::collections::BTreeSet;

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use object::Architecture;
use object::read::{Object, ObjectSection};

use super::code::hook_slots;
use super::executable::{Executable, ExecutableError, hook_name, is_code};
use super::mentions::mentions;
use super::static_calls::{Piece, aarch64, bytes_of, pieces};
use super::table::SymbolTable;

/// The hook is called this close to the start of a function.
const MAX_PROLOGUE: usize = 128;

/// For each symbol, whether its code calls the hook. `None` where calls of the machine
/// cannot be read.
///
/// # Errors
/// When the executable is damaged.
pub fn hooked_functions(
    executable: &Executable,
    table: &SymbolTable,
) -> Result<Option<Box<[bool]>>, ExecutableError> {
    let object = executable.parse()?;
    let machine = match object.architecture() {
        Architecture::X86_64 | Architecture::X86_64_X32 => Machine::X86 { bits: 64 },
        Architecture::I386 => Machine::X86 { bits: 32 },
        Architecture::Aarch64 | Architecture::Aarch64_Ilp32 => Machine::AArch64,
        _ => return Ok(None),
    };
    let code = pieces(&object, |section| is_code(section));
    let hooks = Hooks::of(&object, machine);
    let calls_hook = |symbol: &super::Symbol| {
        let body = bytes_of(&code, &symbol.range);
        body.is_some_and(|body| hooks.are_called_by(&prologue(&body), machine))
    };
    Ok(Some(table.symbols().iter().map(calls_hook).collect()))
}

#[derive(Clone, Copy)]
enum Machine {
    X86 { bits: u32 },
    AArch64,
}

/// Where calls lead that end up in the hook.
struct Hooks {
    /// Words that the dynamic linker fills with its address.
    slots: BTreeSet<u64>,
    /// Where position-independent code of i386 finds the table of such words: its
    /// register `ebx` points there.
    table: Option<u64>,
    /// Itself, and stubs of the linker's that jump by such a word.
    entries: BTreeSet<u64>,
}

impl Hooks {
    fn of(object: &object::File<'_>, machine: Machine) -> Self {
        let symbols = mentions(object).into_iter();
        let defined = symbols.filter(|symbol| !symbol.is_undefined);
        let named = defined.filter(|symbol| hook_name(symbol.name).is_some());
        let mut hooks = Self {
            entries: named.map(|symbol| symbol.address).collect(),
            slots: hook_slots(object).into_iter().map(|slot| slot.0).collect(),
            table: [".got.plt", ".got"].iter().find_map(|name| {
                let section = object.section_by_name(name)?;
                Some(section.address())
            }),
        };
        let is_of_stubs = |section: &object::Section<'_, '_>| {
            section.name().is_ok_and(|name| name.starts_with(".plt"))
        };
        for piece in pieces(object, is_of_stubs) {
            let stubs = match machine {
                Machine::X86 { bits } => hooks.x86_stubs(&piece, bits),
                Machine::AArch64 => aarch64_stubs(&piece, &hooks.slots),
            };
            hooks.entries.extend(stubs);
        }
        hooks
    }

    /// Stubs that jump by one of the words. A mark for indirect jumps may stand in front.
    fn x86_stubs(&self, code: &Piece<'_>, bits: u32) -> Vec<u64> {
        /// `endbr64`.
        const MARK_SIZE: u64 = 4;
        let jumps = instructions(code, bits);
        let jumps = jumps.filter(|instruction| instruction.mnemonic() == Mnemonic::Jmp);
        let by_slot = jumps.filter(|jump| {
            let slot = self.memory(jump);
            slot.is_some_and(|slot| self.slots.contains(&slot))
        });
        let starts = by_slot.map(|jump| jump.ip());
        starts
            .flat_map(|start| [start, start.wrapping_sub(MARK_SIZE)])
            .collect()
    }

    /// The word that an instruction takes its target from, where that is a fixed one.
    fn memory(&self, instruction: &Instruction) -> Option<u64> {
        let is_memory = instruction.op0_kind() == OpKind::Memory;
        if !is_memory || instruction.memory_index() != Register::None {
            return None;
        }
        let place = instruction.memory_displacement64();
        match instruction.memory_base() {
            Register::None | Register::RIP | Register::EIP => Some(place),
            // Addresses of that machine wrap around at 32 bits.
            Register::EBX => Some(self.table?.wrapping_add(place) & u64::from(u32::MAX)),
            _ => None,
        }
    }

    fn are_called_by(&self, code: &Piece<'_>, machine: Machine) -> bool {
        match machine {
            Machine::X86 { bits } => instructions(code, bits)
                .filter(|instruction| instruction.mnemonic() == Mnemonic::Call)
                .any(|call| match self.memory(&call) {
                    Some(slot) => self.slots.contains(&slot),
                    None => self.entries.contains(&call.near_branch_target()),
                }),
            Machine::AArch64 => {
                let targets = aarch64::targets(code);
                targets.iter().any(|target| self.entries.contains(target))
            }
        }
    }
}

fn prologue<'a>(body: &Piece<'a>) -> Piece<'a> {
    Piece {
        bytes: &body.bytes[..body.bytes.len().min(MAX_PROLOGUE)],
        ..*body
    }
}

fn instructions<'a>(code: &Piece<'a>, bits: u32) -> impl Iterator<Item = Instruction> + 'a {
    Decoder::with_ip(bits, code.bytes, code.start.0, DecoderOptions::NONE).into_iter()
}

/// Stubs of `adrp x16, PAGE` and `ldr x17, [x16, OFFSET]`, a mark perhaps in front.
fn aarch64_stubs(code: &Piece<'_>, slots: &BTreeSet<u64>) -> Vec<u64> {
    const WORD: u64 = 4;
    let words = code.bytes.chunks_exact(4).map(|word| {
        let word = word.first_chunk().expect("a chunk has four bytes");
        u32::from_le_bytes(*word)
    });
    let words: Vec<u32> = words.collect();
    let mut stubs = Vec::new();
    for (index, pair) in words.windows(2).enumerate() {
        let address = code.start.0.wrapping_add(WORD * index as u64);
        let (is_page, is_load) = (
            pair[0] & 0x9f00_001f == 0x9000_0010,
            pair[1] & 0xffc0_03ff == 0xf940_0211,
        );
        if !is_page || !is_load {
            continue;
        }
        // 21 bits with a sign, in two parts.
        let page = pair[0] >> 5 & 0x7_ffff;
        let distance = (page << 2 | pair[0] >> 29 & 3) << 11;
        let distance = i64::from(distance.cast_signed() >> 11) << 12;
        let offset = u64::from(pair[1] >> 10 & 0xfff) * 8;
        let slot = (address & !0xfff)
            .wrapping_add_signed(distance)
            .wrapping_add(offset);
        if slots.contains(&slot) {
            stubs.extend([address, address.wrapping_sub(WORD)]);
        }
    }
    stubs
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::symbols::{SymbolOptions, read_program};

    /// The functions of a fixture that call the hook.
    fn check(path: &str, expected: &[&str]) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(path);
        let executable = Executable::open(&path).expect("the fixture can be read");
        let program = read_program(&executable, &SymbolOptions::default());
        let program = program.expect("the fixture can be read");
        let hooked = hooked_functions(&executable, &program.table).expect("it is not damaged");
        let hooked = hooked.expect("calls of this machine can be read");
        let symbols = program.table.symbols().iter().zip(&hooked);
        let mut names: Vec<_> = symbols
            .filter(|(_, is_hooked)| **is_hooked)
            .map(|(symbol, _)| String::from_utf8_lossy(&symbol.name).into_owned())
            .collect();
        names.sort();
        assert_eq!(names, expected, "{}", path.display());
    }

    #[test]
    fn functions_with_the_hook_are_those_that_a_disassembler_shows_with_it() {
        check(
            "oddities/work",
            &["filler", "inner", "main", "middle", "outer"],
        );
        check("oddities/plain", &[]);
        let all = [
            "countdown",
            "heavy",
            "light",
            "main",
            "mix",
            "never_called",
            "spin",
        ];
        check("gprof/basic-pie/prog", &all);
        check("gprof-cross/i386/prog", &all);
        check("gprof-cross/aarch64/prog", &all);
    }
}
