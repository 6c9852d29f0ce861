//! Symbols as in the executable, before rules select among them.

use object::elf;
use object::read::elf::{ElfFile, FileHeader, Sym};
use object::read::{Object, ObjectSection, ObjectSymbol, ReadRef, SectionIndex};
use object::{Architecture, SymbolFlags, SymbolKind};

use super::descriptors::FunctionDescriptors;
use super::executable::is_code;
use super::strings::Strings;
use super::symbol_refs::{SymbolRef, dynamic_symbol_refs, own_symbol_refs, strings_of};
use crate::memory::Limits;
use crate::model::{Address, NameCut, name_limit};

/// The type of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Function,
    /// A function that selects another one when the program is loaded (ifunc).
    IndirectFunction,
    /// A label, or another symbol without a type.
    Untyped,
    Object,
    /// Thread-local data.
    ThreadLocal,
    /// Sections and files.
    Other,
}

/// Visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    Local,
    Global,
    Weak,
    Unique,
}

/// Location of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolLocation {
    /// In a section of machine code.
    Code,
    /// In another section.
    Data,
    /// An absolute address.
    Absolute,
    /// Undefined or common.
    Nowhere,
}

/// A symbol of the executable.
#[derive(Clone, Debug)]
pub(crate) struct RawSymbol<'data> {
    pub(crate) name: &'data [u8],
    /// The string table from the start of the name, unless the name was cut.
    pub(crate) strings_from_name: &'data [u8],
    pub(crate) address: Address,
    /// Size in bytes; 0 if not stated.
    pub(crate) size: u64,
    pub(crate) r#type: Type,
    pub(crate) binding: Binding,
    pub(crate) place: SymbolLocation,
    /// Made from a function descriptor, see [`described`].
    pub(crate) is_synthetic: bool,
}

/// Symbols, with names of limited length.
#[derive(Debug)]
pub(crate) struct RawSymbols<'data> {
    /// In table order.
    pub(crate) symbols: Vec<RawSymbol<'data>>,
    /// The limit, if names were cut.
    pub(crate) cut: Option<NameCut>,
}

impl<'data> RawSymbols<'data> {
    /// Cuts names that exceed the limit.
    fn of(mut symbols: Vec<RawSymbol<'data>>) -> Self {
        let limit = name_limit(symbols.iter().map(|symbol| symbol.name), |n_bytes| {
            Limits::of(n_bytes).names
        });
        let mut n_names = 0;
        for symbol in &mut symbols {
            let Some(limit) = limit.filter(|&limit| limit < symbol.name.len()) else {
                continue;
            };
            symbol.name = &symbol.name[..limit];
            symbol.strings_from_name = &[];
            n_names += 1;
        }
        let cut = limit.map(|n_bytes| NameCut { n_names, n_bytes });
        Self { symbols, cut }
    }
}

/// The symbols of the file's table, in its order. On machines with function descriptors,
/// their code follows. The descriptors come from the image: its debug file has none.
pub(crate) fn symbols<'data>(
    file: &object::File<'data>,
    image: &object::File<'_>,
) -> RawSymbols<'data> {
    let descriptors = FunctionDescriptors::of(image);
    RawSymbols::of(match file {
        object::File::Elf32(elf) => elf_symbols(elf, descriptors.as_ref()),
        object::File::Elf64(elf) => elf_symbols(elf, descriptors.as_ref()),
        other => other_symbols(other, other.symbols(), own_symbol_refs(other)),
    })
}

/// The dynamic symbols, which stripped files keep.
pub(crate) fn dynamic_symbols<'data>(file: &object::File<'data>) -> RawSymbols<'data> {
    let refs = dynamic_symbol_refs(file);
    RawSymbols::of(other_symbols(file, file.dynamic_symbols(), refs))
}

fn elf_symbols<'data, Elf, R>(
    file: &ElfFile<'data, Elf, R>,
    descriptors: Option<&FunctionDescriptors<'_>>,
) -> Vec<RawSymbol<'data>>
where
    Elf: FileHeader,
    R: ReadRef<'data>,
{
    let endian = file.endian();
    let table = file.elf_symbol_table();
    let mut strings = Strings::new(strings_of(file, table));
    let code = code_sections(file);
    let mut found: Vec<_> = table
        .enumerate()
        .map(|(index, symbol)| {
            let r#type = type_of(symbol.st_type());
            let name_at = symbol.st_name(endian) as usize;
            let (name, strings_from_name) = strings.at(name_at);
            let section = table.symbol_section(endian, symbol, index).ok().flatten();
            RawSymbol {
                name,
                strings_from_name,
                address: code_address(symbol.st_value(endian).into(), r#type, file),
                size: symbol.st_size(endian).into(),
                r#type,
                binding: binding_of(symbol.st_bind()),
                place: match symbol.st_shndx(endian) {
                    elf::SHN_ABS => SymbolLocation::Absolute,
                    _ => place_in(section, &code),
                },
                is_synthetic: false,
            }
        })
        .collect();
    if let Some(descriptors) = descriptors {
        found.extend(described(descriptors, &found));
    }
    found
}

/// The address of a symbol's code. The lowest bit of ARM and MIPS functions in a compressed
/// instruction set is a flag.
fn code_address<'data>(value: u64, r#type: Type, file: &impl Object<'data>) -> Address {
    let marks_sets = matches!(
        file.architecture(),
        Architecture::Arm | Architecture::Mips | Architecture::Mips64
    );
    let is_function = matches!(r#type, Type::Function | Type::IndirectFunction);
    Address(value & !u64::from(marks_sets && is_function))
}

/// The code of functions with descriptors. It gets the name of the function, as in assembler
/// code with a leading dot.
fn described<'data>(
    descriptors: &FunctionDescriptors<'_>,
    symbols: &[RawSymbol<'data>],
) -> Vec<RawSymbol<'data>> {
    symbols
        .iter()
        .filter(|symbol| symbol.r#type == Type::Function && symbol.place == SymbolLocation::Data)
        .filter_map(|symbol| {
            Some(RawSymbol {
                address: Address(descriptors.code_address(symbol.address.0)?),
                place: SymbolLocation::Code,
                is_synthetic: true,
                ..symbol.clone()
            })
        })
        .collect()
}

fn other_symbols<'data, 'file>(
    file: &'file object::File<'data>,
    symbols: impl Iterator<Item = object::Symbol<'data, 'file>>,
    refs: Vec<SymbolRef<'data>>,
) -> Vec<RawSymbol<'data>> {
    let code = code_sections(file);
    symbols
        .zip(refs)
        .map(|(symbol, SymbolRef { name, .. })| RawSymbol {
            name,
            strings_from_name: &[],
            address: Address(symbol.address()),
            size: symbol.size(),
            r#type: kind_of(&symbol),
            binding: if symbol.is_weak() {
                Binding::Weak
            } else if symbol.is_local() {
                Binding::Local
            } else {
                Binding::Global
            },
            place: place_in(symbol.section_index(), &code),
            is_synthetic: false,
        })
        .collect()
}

fn kind_of<'data>(symbol: &impl ObjectSymbol<'data>) -> Type {
    if let SymbolFlags::Elf { st_info, .. } = symbol.flags() {
        return type_of(st_info.st_type());
    }
    match symbol.kind() {
        SymbolKind::Text => Type::Function,
        SymbolKind::Data => Type::Object,
        SymbolKind::Unknown | SymbolKind::Label => Type::Untyped,
        _ => Type::Other,
    }
}

fn type_of(r#type: elf::SymbolType) -> Type {
    match r#type {
        elf::STT_NOTYPE => Type::Untyped,
        elf::STT_FUNC => Type::Function,
        elf::STT_GNU_IFUNC => Type::IndirectFunction,
        elf::STT_OBJECT | elf::STT_COMMON => Type::Object,
        elf::STT_TLS => Type::ThreadLocal,
        _ => Type::Other,
    }
}

fn binding_of(binding: elf::SymbolBind) -> Binding {
    match binding {
        elf::STB_LOCAL => Binding::Local,
        elf::STB_WEAK => Binding::Weak,
        elf::STB_GNU_UNIQUE => Binding::Unique,
        _ => Binding::Global,
    }
}

/// For each section, whether it contains machine code.
fn code_sections<'data: 'file, 'file>(file: &'file impl Object<'data>) -> Vec<bool> {
    let mut is_code_by_index = Vec::new();
    for section in file.sections() {
        let index = section.index().0;
        if is_code_by_index.len() <= index {
            is_code_by_index.resize(index + 1, false);
        }
        is_code_by_index[index] = is_code(&section);
    }
    is_code_by_index
}

fn place_in(section: Option<SectionIndex>, is_code_by_index: &[bool]) -> SymbolLocation {
    match section.and_then(|index| is_code_by_index.get(index.0)) {
        None => SymbolLocation::Nowhere,
        Some(true) => SymbolLocation::Code,
        Some(false) => SymbolLocation::Data,
    }
}
