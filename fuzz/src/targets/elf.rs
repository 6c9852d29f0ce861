use std::path::Path;

use arbitrary::{Result, Unstructured};
use profan::symbols::{Executable, SymbolOptions, read_program};

use super::super::made::elf::{Elf, Section};
use super::super::made::program::Case;
use super::program;

/// The sections of debugging information; some of them are cut out of the bytes.
const DEBUG_SECTIONS: &[&str] = &[
    ".debug_info",
    ".debug_abbrev",
    ".debug_line",
    ".debug_str",
    ".debug_line_str",
    ".debug_ranges",
    ".debug_rnglists",
    ".debug_addr",
    ".debug_str_offsets",
    ".debug_aranges",
    ".gnu_debuglink",
    ".note.gnu.build-id",
    ".gnu_debugaltlink",
    ".dynamic",
    ".eh_frame",
];

/// A small program whose symbols are well formed, with any bytes as its other sections. Each name
/// in its table must be one of its given names.
pub fn elf(data: &[u8]) {
    // Bytes that run out give a program all the same.
    let _ = any_elf(&mut Unstructured::new(data)).map(|elf| check(&elf));
}

fn any_elf(bytes: &mut Unstructured<'_>) -> Result<Elf> {
    let (Case { mut program, .. }, _) = Case::any(bytes, true)?;
    for name in DEBUG_SECTIONS {
        if bytes.is_empty() || bytes.int_in_range(0..=2)? == 0 {
            continue;
        }
        let size = bytes.int_in_range(0..=bytes.len().min(400))?;
        program.sections.push(Section {
            name: name.as_bytes().to_vec(),
            kind: object::elf::SHT_PROGBITS.0,
            flags: 0,
            address: 0,
            bytes: bytes.bytes(size.min(bytes.len()))?.to_vec(),
            link: None,
        });
    }
    Ok(program)
}

fn check(elf: &Elf) {
    let bytes = elf.bytes();
    let path = Path::new("/fuzz");
    let executable = Executable::from_bytes(path, bytes.clone()).expect("it is well formed");
    let options = SymbolOptions::default();
    let program = read_program(&executable, &options).expect("it is well formed");
    for symbol in program.table.symbols() {
        let is_given = elf.symbols.iter().any(|given| *given.name == *symbol.name);
        assert!(is_given, "{:?} was not given", symbol.name.escape_ascii());
    }
    program::program(&bytes);
}
