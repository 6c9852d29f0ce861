//! Small programs with profiles of their runs, and options for reports of them.

use arbitrary::{Result, Unstructured};
use object::elf;

use super::asked::any_options;
use super::chance::{one_in, several};
use super::elf::{Elf, Home, Section, Symbol};
use super::gmon::Gmon;
use super::run::{any_layout, any_profile};

/// A program and its command line.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub program: Elf,
    /// The profiles.
    pub profiles: Vec<Gmon>,
    /// The options.
    pub options: Vec<String>,
}

/// A machine for which there is an original.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Its number in ELF files.
    pub number: u16,
    /// How it stores words.
    pub is_64: bool,
    /// The highest byte comes first.
    pub is_big: bool,
    /// The original that reads its programs.
    pub gprof: &'static str,
}

/// The machines, the most usual ones several times.
pub const MACHINES: &[Machine] = &[
    machine(elf::EM_X86_64.0, true, false, "x86_64-linux-gnu-gprof"),
    machine(elf::EM_X86_64.0, true, false, "x86_64-linux-gnu-gprof"),
    machine(elf::EM_X86_64.0, true, false, "x86_64-linux-gnu-gprof"),
    machine(elf::EM_386.0, false, false, "x86_64-linux-gnu-gprof"),
    machine(elf::EM_386.0, false, false, "x86_64-linux-gnu-gprof"),
    machine(elf::EM_AARCH64.0, true, false, "aarch64-linux-gnu-gprof"),
    machine(elf::EM_ARM.0, false, false, "arm-linux-gnueabihf-gprof"),
    machine(elf::EM_MIPS.0, false, true, "mips-linux-gnu-gprof"),
    machine(elf::EM_PPC.0, false, true, "powerpc-linux-gnu-gprof"),
    machine(elf::EM_RISCV.0, true, false, "riscv64-linux-gnu-gprof"),
    machine(elf::EM_SPARCV9.0, true, true, "sparc64-linux-gnu-gprof"),
    // A machine without support is read all the same.
    machine(elf::EM_SH.0, false, true, "x86_64-linux-gnu-gprof"),
];

const fn machine(number: u16, is_64: bool, is_big: bool, gprof: &'static str) -> Machine {
    Machine { number, is_64, is_big, gprof }
}

#[rustfmt::skip]
/// Names that functions and data have, some of them with a meaning.
pub(super) const NAMES: &[&str] = &[
    "main",
    "f",
    "g",
    "h",
    "_f",
    "__f",
    "f1",
    "f2",
    "f.part.0",
    "f.cold",
    "g.isra.0",
    "_start",
    "_init",
    "_fini",
    "etext",
    "_etext",
    "__etext",
    "data_start",
    "mcount",
    "_mcount",
    "__mcount",
    "__mcleanup",
    "frame_dummy",
    "_Z3foov",
    "_Z3fooi",
    "_ZN1a1bEv",
    "$x",
    "$d",
    ".L1",
    "a",
    "b",
    "c",
    "x y",
    "L0",
    "t$1",
    "__gmon_start__",
    "foo@@V1",
    "foo@V1",
    "_edata",
    "_end",
    "__bss_start",
    "printf",
    "memcpy",
    "atexit",
    "main2",
];

/// The common properties of a whole program.
pub(super) struct Shape {
    machine: Machine,
    /// The start of its code.
    pub(super) text: u64,
    /// How long that is.
    pub(super) size: u64,
    /// Symbols may have properties that no linker gives them.
    pub(super) is_odd: bool,
}

impl Case {
    /// Any program with profiles and options, as a linker and a profiler can have made them,
    /// or an odd one.
    ///
    /// # Errors
    /// When there are too few bytes.
    pub fn any(bytes: &mut Unstructured<'_>, is_odd: bool) -> Result<(Self, Machine)> {
        let machine = *bytes.choose(MACHINES)?;
        // Below, gprof takes the bytes after its table for an address.
        let bases = [0x1000, 0x8048, 0x40_1000, 0x1_0000];
        let shape = Shape {
            machine,
            text: *bytes.choose(&bases)?,
            size: bytes.int_in_range(1..=24)? * 16,
            is_odd,
        };
        let program = any_program(bytes, &shape)?;
        let n_profiles = if one_in(bytes, 6)? { 2 } else { 1 };
        let mut profiles = Vec::new();
        let layout = any_layout(bytes)?;
        for _ in 0..n_profiles {
            profiles.push(any_profile(bytes, &shape, &program, layout)?);
        }
        let options = any_options(bytes, &program)?;
        let case = Self { program, profiles, options };
        Ok((case, machine))
    }
}

fn any_program(bytes: &mut Unstructured<'_>, shape: &Shape) -> Result<Elf> {
    let mut sections = Vec::new();
    if one_in(bytes, 3)? {
        sections.push(section(".init", shape.text.saturating_sub(32), code(bytes, 32, shape)?));
    }
    let n_code = usize::try_from(shape.size).expect("it is small");
    sections.push(section(".text", shape.text, code(bytes, n_code, shape)?));
    let end = shape.text + shape.size;
    if one_in(bytes, 3)? {
        sections.push(section(".fini", end, code(bytes, 16, shape)?));
    }
    if one_in(bytes, 6)? {
        sections.push(section(".text.hot", end + 32, code(bytes, 32, shape)?));
    }
    if one_in(bytes, 2)? {
        let mut data = section(".data", end + 0x100, vec![0; 32]);
        data.flags = elf::SHF_ALLOC.0 | elf::SHF_WRITE.0;
        sections.push(data);
    }
    let mut symbols = several(bytes, 14, |bytes| any_symbol(bytes, shape, &sections))?;
    if !one_in(bytes, 8)? {
        let text = sections.iter().position(|section| section.name == b".text");
        symbols.push(Symbol {
            name: b"main".to_vec(),
            value: shape.text,
            size: 16,
            binding: elf::STB_GLOBAL.0,
            kind: elf::STT_FUNC.0,
            home: Home::Section(text.expect("it was pushed")),
        });
    }
    Ok(Elf {
        is_64: shape.machine.is_64,
        is_big: shape.machine.is_big,
        machine: shape.machine.number,
        kind: *bytes.choose(&[elf::ET_EXEC.0, elf::ET_EXEC.0, elf::ET_DYN.0])?,
        sections,
        symbols,
    })
}

fn section(name: &str, address: u64, bytes: Vec<u8>) -> Section {
    Section {
        name: name.into(),
        kind: elf::SHT_PROGBITS.0,
        flags: elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0,
        address,
        bytes,
        link: None,
    }
}

/// Code that contains calls, as on x86.
fn code(bytes: &mut Unstructured<'_>, size: usize, shape: &Shape) -> Result<Vec<u8>> {
    let mut code = vec![0x90; size];
    for _ in 0..bytes.int_in_range(0..=4)? {
        let place = bytes.int_in_range(0..=size - 1)?;
        let target = bytes.int_in_range(0..=shape.size / 16)? * 16;
        let away = i64::try_from(target).unwrap_or(0) - i64::try_from(place).unwrap_or(0) - 5;
        let call = [&[0xe8][..], &away.to_le_bytes()[..4]].concat();
        let room = call.len().min(size - place);
        code[place..place + room].copy_from_slice(&call[..room]);
    }
    Ok(code)
}

fn any_symbol(bytes: &mut Unstructured<'_>, shape: &Shape, sections: &[Section]) -> Result<Symbol> {
    let name = bytes.choose(NAMES)?.as_bytes().to_vec();
    let home = bytes.int_in_range(0..=sections.len() - 1)?;
    let home = match bytes.int_in_range(0..=9)? {
        0 => Home::Undefined,
        1 => Home::Absolute,
        _ => Home::Section(home),
    };
    let (start, room) = match home {
        Home::Section(place) => (sections[place].address, sections[place].bytes.len() as u64),
        _ => (shape.text, shape.size),
    };
    let step = *bytes.choose(&[1, 4, 8, 16, 16, 16])?;
    let value = match home {
        Home::Undefined => 0,
        _ => start + bytes.int_in_range(0..=(room - 1) / step)? * step,
    };
    let bindings = [elf::STB_LOCAL.0, elf::STB_GLOBAL.0, elf::STB_GLOBAL.0, elf::STB_WEAK.0];
    let kinds = [
        elf::STT_FUNC.0,
        elf::STT_FUNC.0,
        elf::STT_FUNC.0,
        elf::STT_NOTYPE.0,
        elf::STT_OBJECT.0,
        elf::STT_FILE.0,
        elf::STT_SECTION.0,
        elf::STT_GNU_IFUNC.0,
    ];
    let mut symbol = Symbol {
        name,
        value,
        size: bytes.int_in_range(0..=2)? * 8,
        binding: *bytes.choose(&bindings)?,
        kind: *bytes.choose(&kinds)?,
        home,
    };
    if !shape.is_odd {
        settle(&mut symbol, sections);
    }
    if symbol.kind == elf::STT_FILE.0 {
        symbol = Symbol {
            name: b"a.c".to_vec(),
            binding: elf::STB_LOCAL.0,
            home: Home::Absolute,
            value: 0,
            size: 0,
            ..symbol
        };
    }
    Ok(symbol)
}

/// Gives a symbol properties that a linker can give: weak and typed symbols belong to their
/// sections.
fn settle(symbol: &mut Symbol, sections: &[Section]) {
    let is_code = match symbol.home {
        Home::Section(place) => sections[place].flags & elf::SHF_EXECINSTR.0 != 0,
        _ => false,
    };
    let is_of_code = [elf::STT_FUNC.0, elf::STT_GNU_IFUNC.0].contains(&symbol.kind);
    if symbol.kind == elf::STT_SECTION.0 || is_code && symbol.kind == elf::STT_OBJECT.0 {
        symbol.kind = elf::STT_NOTYPE.0;
    }
    if !is_code && is_of_code && symbol.home != Home::Undefined {
        symbol.kind = elf::STT_OBJECT.0;
    }
    if symbol.home == Home::Absolute && symbol.binding == elf::STB_WEAK.0 {
        symbol.binding = elf::STB_GLOBAL.0;
    }
}
