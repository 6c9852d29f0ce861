//! The symbol names of a program, to search for a few of them.
//!
//! Thousands of symbols may share a name of half a megabyte, so name ends are cached.

use object::elf;
use object::read::elf::{ElfFile, FileHeader, SectionHeader, Sym, SymbolTable};
use object::read::{Object, ObjectSymbol, ReadRef};

use super::strings::Strings;

/// A symbol, reduced to the fields that a search by name needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SymbolRef<'data> {
    /// Empty if unreadable.
    pub(crate) name: &'data [u8],
    /// As in the file: the lowest bit of an ARM address is a flag.
    pub(super) address: u64,
    /// Global and without a type, as linker scripts define them.
    pub(super) is_label: bool,
    /// Defined in another file.
    pub(super) is_undefined: bool,
}

/// The symbols of a file, then its dynamic symbols.
pub(super) fn symbol_refs<'data>(file: &object::File<'data>) -> Vec<SymbolRef<'data>> {
    let mut all = own_symbol_refs(file);
    all.extend(dynamic_symbol_refs(file));
    all
}

/// The symbols of a file, in the order of [`Object::symbols`].
pub(crate) fn own_symbol_refs<'data>(file: &object::File<'data>) -> Vec<SymbolRef<'data>> {
    match file {
        object::File::Elf32(elf) => elf_symbol_refs(elf, elf.elf_symbol_table()),
        object::File::Elf64(elf) => elf_symbol_refs(elf, elf.elf_symbol_table()),
        other => other_symbol_refs(other.symbols()),
    }
}

/// The dynamic symbols, in the order of [`Object::dynamic_symbols`]. In ELF, the first has
/// index 1.
pub(super) fn dynamic_symbol_refs<'data>(file: &object::File<'data>) -> Vec<SymbolRef<'data>> {
    match file {
        object::File::Elf32(elf) => elf_symbol_refs(elf, elf.elf_dynamic_symbol_table()),
        object::File::Elf64(elf) => elf_symbol_refs(elf, elf.elf_dynamic_symbol_table()),
        other => other_symbol_refs(other.dynamic_symbols()),
    }
}

fn other_symbol_refs<'data, 'file>(
    symbols: impl Iterator<Item = object::Symbol<'data, 'file>>,
) -> Vec<SymbolRef<'data>>
where
    'data: 'file,
{
    let symbol_ref = |symbol: object::Symbol<'data, 'file>| SymbolRef {
        name: symbol.name_bytes().unwrap_or_default(),
        address: symbol.address(),
        is_label: false,
        is_undefined: symbol.is_undefined(),
    };
    symbols.map(symbol_ref).collect()
}

fn elf_symbol_refs<'data, Elf, R>(
    file: &ElfFile<'data, Elf, R>,
    table: &SymbolTable<'data, Elf, R>,
) -> Vec<SymbolRef<'data>>
where
    Elf: FileHeader,
    R: ReadRef<'data>,
{
    let endian = file.endian();
    let mut strings = Strings::new(strings_of(file, table));
    // The first entry is null.
    let symbols = table.iter().skip(1);
    let symbol_ref = |symbol: &Elf::Sym| SymbolRef {
        name: strings.at(symbol.st_name(endian) as usize).0,
        address: symbol.st_value(endian).into(),
        is_label: symbol.st_type() == elf::STT_NOTYPE && symbol.st_bind() == elf::STB_GLOBAL,
        is_undefined: symbol.is_undefined(endian),
    };
    symbols.map(symbol_ref).collect()
}

/// The string table of a symbol table; empty if unreadable.
pub(super) fn strings_of<'data, Elf, R>(
    file: &ElfFile<'data, Elf, R>,
    table: &SymbolTable<'data, Elf, R>,
) -> &'data [u8]
where
    Elf: FileHeader,
    R: ReadRef<'data>,
{
    let sections = file.elf_section_table();
    let section = sections.section(table.string_section()).ok();
    let data = section.and_then(|section| section.data(file.endian(), file.data()).ok());
    data.unwrap_or_default()
}
