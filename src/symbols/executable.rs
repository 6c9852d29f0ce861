//! The executable: its bytes, its format, the location of its code.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object::read::{FileKind, Object, ObjectSection, ObjectSegment};
use object::{BinaryFormat, ObjectKind, SectionFlags, SectionKind};

use super::unsupported::unsupported_format;
use crate::files::open_plain;
use crate::model::{Address, AddressSize, Encoding, Endian};
use crate::signals::{Mapped, SHRANK};
use crate::sorting::ColdSort;

/// Why a file cannot be used as the executable.
#[derive(Debug, thiserror::Error)]
pub enum ExecutableError {
    #[error("{path}: {source}")]
    Io {
        path: String,
        #[source]
        source: io::Error,
    },
    /// An unknown format, or damage.
    #[error("{path}: not a usable executable: {reason}")]
    Format { path: String, reason: String },
    /// A known format without a reader.
    #[error("{path}: {format}, which profan does not read")]
    Unsupported { path: String, format: &'static str },
    /// It, or the file in its place, has no symbols.
    #[error("{path}: contains no symbols")]
    NoSymbols { path: String },
    /// The map of `-R` has an invalid line.
    #[error("{path}: line {line} is not `FILE:ADDRESS TYPE FUNCTION`")]
    FileMap { path: String, line: usize },
}

impl ExecutableError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }
}

/// An executable in memory, or several of one memory, such as a boot loader and an application.
#[derive(Clone, Debug)]
pub struct Executable {
    path: PathBuf,
    bytes: Arc<ImageBytes>,
    /// All of several, of which this is the first; otherwise empty.
    images: Box<[Self]>,
}

#[derive(Debug)]
enum ImageBytes {
    Mapped(Mapped),
    /// From a pipe, which cannot be mapped.
    Read(Vec<u8>),
}

impl Executable {
    /// Maps a file and checks that it can be parsed.
    ///
    /// # Errors
    /// If it cannot be read or is not an object file.
    pub fn open(path: &Path) -> Result<Self, ExecutableError> {
        let bytes = map(path).map_err(|source| ExecutableError::io(path, source))?;
        Self::new(path, ImageBytes::Mapped(bytes))
    }

    /// Checks that the bytes of a file can be parsed.
    ///
    /// # Errors
    /// If it is not an object file.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, ExecutableError> {
        Self::new(path, ImageBytes::Read(bytes))
    }

    fn new(path: &Path, bytes: ImageBytes) -> Result<Self, ExecutableError> {
        let bytes = Arc::new(bytes);
        let executable = Self { path: path.to_owned(), bytes, images: Box::default() };
        if let Some(format) = unsupported_format(executable.bytes()) {
            let path = path.display().to_string();
            return Err(ExecutableError::Unsupported { path, format });
        }
        executable.parse()?;
        Ok(executable)
    }

    /// Several executables as one. `None` if there are none.
    pub fn of_images(images: Vec<Self>) -> Option<Self> {
        let first = images.first()?.clone();
        Some(if images.len() == 1 { first } else { Self { images: images.into(), ..first } })
    }

    /// The executables of one memory, or only this one.
    pub fn images(&self) -> &[Self] {
        if self.images.is_empty() { std::slice::from_ref(self) } else { &self.images }
    }

    /// The image with code at an address, if it has several.
    pub fn image_with(&self, address: Address) -> Option<&Self> {
        let has = |image: &&Self| {
            let code = image.code_ranges().unwrap_or_default();
            code.iter().any(|range| range.contains(&address))
        };
        self.images.iter().find(has)
    }

    /// Address ranges of its code, ascending and joined.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn code_ranges(&self) -> Result<Vec<Range<Address>>, ExecutableError> {
        Ok(code_ranges(&self.parse()?))
    }

    /// The parts of the file that are loaded, each with its address; empty if it is damaged.
    pub fn file_segments(&self) -> Vec<(Range<u64>, Address)> {
        let Ok(object) = self.parse() else {
            return Vec::new();
        };
        let parts = object.segments().map(|segment| {
            let (start, size) = segment.file_range();
            (start..start.saturating_add(size), Address(segment.address()))
        });
        parts.collect()
    }

    /// Returns whether the bytes start like an object file that [`Self::open`] supports.
    pub fn is_one(start: &[u8]) -> bool {
        use FileKind::{Elf32, Elf64, MachO32, MachO64, Pe32, Pe64};
        matches!(FileKind::parse(start), Ok(Elf32 | Elf64 | Pe32 | Pe64 | MachO32 | MachO64))
    }

    /// Returns whether the bytes start like any executable, also of a format that [`Self::open`]
    /// refuses by its name.
    pub fn is_recognized(start: &[u8]) -> bool {
        Self::is_one(start) || unsupported_format(start).is_some()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Word size and byte order.
    ///
    /// # Errors
    /// If it is not an object file.
    pub fn encoding(&self) -> Result<Encoding, ExecutableError> {
        Ok(encoding_of(&self.parse()?))
    }

    pub fn n_bytes(&self) -> u64 {
        self.bytes().len() as u64
    }

    fn bytes(&self) -> &[u8] {
        match &*self.bytes {
            ImageBytes::Mapped(bytes) => bytes,
            ImageBytes::Read(bytes) => bytes,
        }
    }

    /// The build ID in hexadecimal, if the linker wrote one.
    pub fn build_id(&self) -> Option<String> {
        let object = self.parse().ok()?;
        let id = object.build_id().ok()??;
        Some(super::debug_file::hex(id))
    }

    /// The name of the machine.
    pub fn machine(&self) -> Option<String> {
        let architecture = self.parse().ok()?.architecture();
        Some(format!("{architecture:?}").to_lowercase())
    }

    /// Parses the file; reads its headers.
    ///
    /// # Errors
    /// If a header is damaged, or the file was truncated.
    pub fn parse(&self) -> Result<object::File<'_>, ExecutableError> {
        if matches!(&*self.bytes, ImageBytes::Mapped(bytes) if !bytes.is_whole()) {
            return Err(ExecutableError::io(&self.path, io::Error::other(SHRANK)));
        }
        object::File::parse(self.bytes()).map_err(|error| ExecutableError::Format {
            path: self.path.display().to_string(),
            reason: error.to_string(),
        })
    }
}

/// Maps a regular file. Opening anything else could block on a pipe or start a device.
pub(super) fn map(path: &Path) -> io::Result<Mapped> {
    Mapped::new(open_plain(path)?, path)
}

/// Word size and byte order of the program.
pub(super) fn encoding_of(object: &object::File<'_>) -> Encoding {
    let endian = if object.is_little_endian() { Endian::Little } else { Endian::Big };
    let address_size = if object.is_64() { AddressSize::Eight } else { AddressSize::Four };
    Encoding::new(endian, address_size)
}

/// The lowest linked address.
pub(super) fn link_base(object: &object::File<'_>) -> Address {
    let lowest = object.segments().map(|segment| segment.address()).min();
    Address(match object.format() {
        BinaryFormat::Elf => lowest.unwrap_or(0),
        _ => object.relative_address_base(),
    })
}

/// Address ranges of machine code, ascending and joined.
pub(super) fn code_ranges(object: &object::File<'_>) -> Vec<Range<Address>> {
    let mut ranges: Vec<_> = object
        .sections()
        .filter(|section| is_code(section) && section.size() > 0)
        .map(|section| range_of(&section))
        .collect();
    ranges.cold_sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<Address>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// Returns whether the program is for Windows.
pub(super) fn is_windows(object: &object::File<'_>) -> bool {
    object.format() == BinaryFormat::Pe
}

/// Returns whether the program can only be loaded at the addresses it is linked for: ELF's
/// `ET_EXEC`.
pub(super) fn is_fixed(object: &object::File<'_>) -> bool {
    object.format() == BinaryFormat::Elf && object.kind() == ObjectKind::Executable
}

/// Returns whether the flags of a section mean machine code.
pub(super) fn is_code<'a>(section: &impl ObjectSection<'a>) -> bool {
    match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => {
            sh_flags & object::elf::SHF_EXECINSTR != object::elf::SectionFlags(0)
        }
        SectionFlags::Coff { characteristics } => {
            let code = object::pe::IMAGE_SCN_CNT_CODE | object::pe::IMAGE_SCN_MEM_EXECUTE;
            characteristics & code != object::pe::SectionFlags(0)
        }
        _ => section.kind() == SectionKind::Text,
    }
}

fn range_of<'a>(section: &impl ObjectSection<'a>) -> Range<Address> {
    let start = section.address();
    Address(start)..Address(start.saturating_add(section.size()))
}
