//! Small ELF files.

use object::Endianness;
use object::elf;
use object::write::elf::{FileHeader, ProgramHeader, SectionHeader, SectionIndex, Sym, Writer};

/// The contents of a file.
#[derive(Clone, Debug)]
pub struct Elf {
    /// Words have eight bytes.
    pub is_64: bool,
    /// The highest byte comes first.
    pub is_big: bool,
    /// The machine (`EM_…`).
    pub machine: u16,
    /// Its type: relocatable, executable, shared (`ET_…`).
    pub kind: u16,
    /// Its sections. Each loaded one has its own segment.
    pub sections: Vec<Section>,
    /// Its symbols, local ones first in the file.
    pub symbols: Vec<Symbol>,
}

/// A section.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name, without NUL.
    pub name: Vec<u8>,
    /// Its type (`SHT_…`).
    pub kind: u32,
    /// How it is used (`SHF_…`).
    pub flags: u64,
    /// Its load address.
    pub address: u64,
    /// Its contents.
    pub bytes: Vec<u8>,
    /// The section that it belongs to, by its place, and a number that means something to it.
    pub link: Option<(usize, u32)>,
}

/// A symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name, without NUL.
    pub name: Vec<u8>,
    /// Its address.
    pub value: u64,
    /// Its bytes.
    pub size: u64,
    /// Local, global, weak (`STB_…`).
    pub binding: u8,
    /// Function, data, file (`STT_…`).
    pub kind: u8,
    /// Where it is defined.
    pub home: Home,
}

/// Where a symbol is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the section at this place.
    Section(usize),
    /// Elsewhere.
    Undefined,
    /// In no section: it is a number.
    Absolute,
    /// In all that is not initialised.
    Common,
}

impl Home {
    /// The number that the symbol contains.
    fn number(self) -> elf::SymbolSection {
        match self {
            // The section determines it.
            Self::Section(_) | Self::Undefined => elf::SHN_UNDEF,
            Self::Absolute => elf::SHN_ABS,
            Self::Common => elf::SHN_COMMON,
        }
    }
}

impl Elf {
    /// The file.
    ///
    /// # Panics
    /// When it is too large for its kind.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let endian = if self.is_big { Endianness::Big } else { Endianness::Little };
        let mut writer = Writer::new(endian, self.is_64, &mut bytes);
        self.write(&mut writer).expect("it is small");
        bytes
    }

    fn write<'a>(&'a self, writer: &mut Writer<'a>) -> object::write::Result<()> {
        let mut symbols: Vec<_> = self.symbols.iter().collect();
        symbols.sort_by_key(|symbol| symbol.binding != elf::STB_LOCAL.0);
        let is_loaded = |section: &&Section| section.flags & elf::SHF_ALLOC.0 != 0;
        let n_segments = self.sections.iter().filter(is_loaded).count();

        writer.reserve_file_header();
        writer.reserve_program_headers(u32::try_from(n_segments).expect("there are few"));
        let mut placed = Vec::new();
        for section in &self.sections {
            let name = writer.add_section_name(&section.name);
            let offset = writer.reserve(section.bytes.len() as u64, 16);
            placed.push((name, writer.reserve_section_index(), offset));
        }
        let mut names = Vec::new();
        for symbol in &symbols {
            let index = match symbol.home {
                Home::Section(place) => Some(placed[place].1),
                _ => None,
            };
            let name = (!symbol.name.is_empty()).then(|| writer.add_string(&symbol.name));
            writer.reserve_symbol_index(index);
            names.push((name, index));
        }
        if !symbols.is_empty() {
            writer.reserve_symtab_section_index();
            writer.reserve_symtab();
            writer.reserve_strtab_section_index();
            writer.reserve_strtab()?;
        }
        writer.reserve_shstrtab_section_index();
        writer.reserve_shstrtab()?;
        writer.reserve_section_headers();

        writer.write_file_header(&self.file_header())?;
        writer.write_align_program_headers();
        for (section, (_, _, offset)) in self.sections.iter().zip(&placed) {
            if is_loaded(&section) {
                writer.write_program_header(&segment(section, *offset));
            }
        }
        for (section, (_, _, offset)) in self.sections.iter().zip(&placed) {
            writer.pad_until(*offset);
            writer.write(&section.bytes);
        }
        writer.write_null_symbol();
        for (symbol, (name, index)) in symbols.iter().zip(&names) {
            writer.write_symbol(&Sym {
                section: index.map(|SectionIndex(index)| index),
                st_name: writer.string_offset(*name),
                st_info: elf::SymbolInfo(symbol.binding << 4 | symbol.kind & 0xf),
                st_other: elf::SymbolOther(0),
                st_shndx: symbol.home.number(),
                st_value: symbol.value,
                st_size: symbol.size,
            });
        }
        writer.write_strtab();
        writer.write_shstrtab();
        writer.write_null_section_header();
        for (section, (name, _, offset)) in self.sections.iter().zip(&placed) {
            let (place, info) = section.link.unwrap_or((usize::MAX, 0));
            let link = placed.get(place).map_or(0, |(_, index, _)| index.0);
            writer.write_section_header(&SectionHeader {
                sh_name: writer.section_name_offset(Some(*name)),
                sh_type: elf::SectionType(section.kind),
                sh_flags: elf::SectionFlags(section.flags),
                sh_addr: section.address,
                sh_offset: *offset,
                sh_size: section.bytes.len() as u64,
                sh_link: link,
                sh_info: info,
                sh_addralign: 1,
                sh_entsize: 0,
            });
        }
        let is_local = |symbol: &&&Symbol| symbol.binding == elf::STB_LOCAL.0;
        let n_local = symbols.iter().filter(is_local).count() + 1;
        writer.write_symtab_section_header(u32::try_from(n_local).expect("there are few"));
        writer.write_strtab_section_header();
        writer.write_shstrtab_section_header();
        Ok(())
    }

    fn file_header(&self) -> FileHeader {
        FileHeader {
            os_abi: elf::OsAbi(0),
            abi_version: 0,
            e_type: elf::FileType(self.kind),
            e_machine: elf::Machine(self.machine),
            e_entry: 0,
            e_flags: elf::FileFlags(0),
        }
    }
}

fn segment(section: &Section, offset: u64) -> ProgramHeader {
    let size = section.bytes.len() as u64;
    ProgramHeader {
        p_type: elf::PT_LOAD,
        p_flags: elf::PF_R | elf::PF_X,
        p_offset: offset,
        p_vaddr: section.address,
        p_paddr: section.address,
        p_filesz: size,
        p_memsz: size,
        p_align: 1,
    }
}
