//! The debug sections of an object file, decompressed within limits.

use std::borrow::Cow;
use std::convert::Infallible;

use gimli::{EndianSlice, RunTimeEndian, SectionId};
use object::{CompressedData, CompressionFormat, Object, ObjectSection};
use ruzstd::decoding::FrameDecoder;

use super::notes::{DebugDamage, DebugPart, Note, Notes};
use crate::memory::{self, Budget, Limits, ThreadBudget};

/// A reader of [`DebugSections`].
pub(crate) type DebugBytes<'s> = EndianSlice<'s, RunTimeEndian>;

/// The sections needed to look up lines and functions.
///
/// Uncompressed sections borrow the bytes of the file.
#[derive(Debug)]
pub(crate) struct DebugSections<'data> {
    sections: Vec<(SectionId, Cow<'data, [u8]>)>,
    endian: RunTimeEndian,
    /// Size of the file in bytes.
    n_file_bytes: u64,
    notes: Notes<DebugDamage>,
}

impl<'data> DebugSections<'data> {
    /// Without sections, if they are not needed. Ignores the sections of the image.
    pub(crate) fn none() -> Self {
        Self {
            sections: Vec::new(),
            endian: RunTimeEndian::default(),
            n_file_bytes: 0,
            notes: Notes::default(),
        }
    }

    /// Reads the sections of an image, or of its debug file, of `n_file_bytes` bytes.
    ///
    /// Missing and damaged sections are empty; damage is noted. All are empty if they exceed
    /// the memory limit.
    pub(crate) fn load(object: &object::File<'data>, n_file_bytes: u64) -> DebugSections<'data> {
        let decompression = Decompression::of_file(n_file_bytes);
        let needed = NEEDED.iter().map(|&id| (id, id.name()));
        Self::load_named(object, n_file_bytes, &decompression, needed)
    }

    /// Reads the sections of a file of split debug information.
    pub(super) fn load_split(
        object: &object::File<'data>,
        n_file_bytes: u64,
        decompression: &Decompression,
    ) -> DebugSections<'data> {
        let has_index = object.section_by_name(".debug_cu_index").is_some();
        let further = OF_PACKAGE.iter().filter(|_| has_index);
        let named = NEEDED.iter().chain(further).filter_map(|&id| Some((id, id.dwo_name()?)));
        Self::load_named(object, n_file_bytes, decompression, named)
    }

    fn load_named(
        object: &object::File<'data>,
        n_file_bytes: u64,
        decompression: &Decompression,
        needed: impl Iterator<Item = (SectionId, &'static str)>,
    ) -> DebugSections<'data> {
        let mut notes = Notes::default();
        let mut sections = Vec::with_capacity(NEEDED.len());
        for (id, name) in needed {
            let bytes = match object.section_by_name(name) {
                Some(section) => decompression.section(&section),
                None => Ok(Cow::default()),
            };
            if let Err(damage @ DebugDamage::TooLarge) = bytes {
                // The other sections are useless without this one: references to it would look
                // damaged.
                sections.clear();
                notes.add(DebugPart::Whole, damage);
                break;
            }
            let bytes = notes.value(DebugPart::Section(name), bytes);
            sections.push((id, bytes.unwrap_or_default()));
        }
        DebugSections {
            sections,
            n_file_bytes,
            endian: if object.is_little_endian() {
                RunTimeEndian::Little
            } else {
                RunTimeEndian::Big
            },
            notes,
        }
    }

    /// Little-endian sections for tests.
    #[cfg(test)]
    pub(super) fn of(sections: Vec<(SectionId, Vec<u8>)>) -> DebugSections<'static> {
        let sections = sections.into_iter();
        DebugSections {
            sections: sections.map(|(id, bytes)| (id, bytes.into())).collect(),
            endian: RunTimeEndian::Little,
            n_file_bytes: 0,
            notes: Notes::default(),
        }
    }

    /// Returns whether debug information is missing, so that a search for a debug file is
    /// worthwhile.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes(SectionId::DebugInfo).is_empty()
    }

    /// Notes on unreadable sections.
    pub(crate) fn notes(&self) -> &[Note<DebugDamage>] {
        self.notes.as_slice()
    }

    /// Returns whether sections were skipped because of their decompressed size.
    pub(crate) fn are_too_large(&self) -> bool {
        let mut notes = self.notes().iter();
        notes.any(|note| note.damage == DebugDamage::TooLarge)
    }

    /// Memory allowed for tables of the sections.
    pub(crate) fn thread_budget(&self) -> ThreadBudget {
        ThreadBudget::of(self.most_of_tables())
    }

    /// The same for tables of all code at once, which leave as much to the report as they take,
    /// for one of several readers.
    pub(super) fn budget_of_all_code(&self, n_readers: u32) -> ThreadBudget {
        let owned = |bytes: &Cow<'_, [u8]>| match bytes {
            Cow::Owned(bytes) => bytes.len() as u64,
            Cow::Borrowed(_) => 0,
        };
        let n_owned: u64 = self.sections.iter().map(|(_, bytes)| owned(bytes)).sum();
        let room = memory::limit().saturating_sub(n_owned) / 2;
        ThreadBudget::of(self.most_of_tables().min(room) / u64::from(n_readers))
    }

    fn most_of_tables(&self) -> u64 {
        Limits::of(self.n_file_bytes).bytes
    }

    /// Size of the file in bytes.
    pub(super) fn n_file_bytes(&self) -> u64 {
        self.n_file_bytes
    }

    /// Total decompressed size.
    pub(crate) fn n_bytes(&self) -> usize {
        self.sections.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    /// A section; empty if missing.
    pub(super) fn bytes(&self, id: SectionId) -> &[u8] {
        let mut sections = self.sections.iter();
        let found = sections.find(|(known, _)| *known == id);
        found.map_or(&[], |(_, bytes)| bytes)
    }

    /// A reader in the byte order of the sections.
    pub(super) fn reader<'s>(&self, bytes: &'s [u8]) -> DebugBytes<'s> {
        EndianSlice::new(bytes, self.endian)
    }

    /// All sections, for `gimli`.
    pub(crate) fn dwarf(&self) -> gimli::Dwarf<DebugBytes<'_>> {
        self.dwarf_of(|_, bytes| self.reader(bytes))
    }

    /// The same with another type of reader.
    pub(super) fn dwarf_of<'s, R>(
        &'s self,
        reader: impl Fn(SectionId, &'s [u8]) -> R,
    ) -> gimli::Dwarf<R> {
        let loaded = gimli::Dwarf::load(|id| Ok::<_, Infallible>(reader(id, self.bytes(id))));
        let Ok(dwarf) = loaded;
        dwarf
    }
}

/// Sections needed to find lines and functions.
const NEEDED: [SectionId; 9] = [
    SectionId::DebugAbbrev,
    SectionId::DebugAddr,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// Further sections that the index of a package refers to.
const OF_PACKAGE: [SectionId; 7] = [
    SectionId::DebugCuIndex,
    SectionId::DebugTuIndex,
    SectionId::DebugLoc,
    SectionId::DebugLocLists,
    SectionId::DebugMacinfo,
    SectionId::DebugMacro,
    SectionId::DebugTypes,
];

/// Window that zstd may always use, in bytes: the window of `zstd -19`.
const LEAST_WINDOW: u64 = 8 << 20;

/// Remaining decompressed bytes of a file, whose sections may share one compressed block.
pub(super) struct Decompression(Budget);

impl Decompression {
    pub(super) fn of_file(n_bytes: u64) -> Self {
        Self(Budget::of(Limits::of(n_bytes).sections))
    }

    /// The bytes of a section; borrowed if not compressed.
    fn section<'data>(
        &self,
        section: &object::Section<'data, '_>,
    ) -> Result<Cow<'data, [u8]>, DebugDamage> {
        let stored: CompressedData<'data> =
            section.compressed_data().map_err(DebugDamage::Section)?;
        if stored.format == CompressionFormat::None {
            return Ok(Cow::Borrowed(stored.data));
        }
        let claimed = stored.uncompressed_size;
        if !self.0.spend(claimed) {
            return Err(DebugDamage::TooLarge);
        }
        match stored.format {
            CompressionFormat::Zstandard => unpack_zstd(stored.data, claimed),
            _ => stored.decompress().map_err(DebugDamage::Section),
        }
    }
}

/// Decompresses zstd with a limited window, which stays in memory.
fn unpack_zstd(compressed: &[u8], claimed: u64) -> Result<Cow<'static, [u8]>, DebugDamage> {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(claimed.max(LEAST_WINDOW));
    let size = usize::try_from(claimed).map_err(|_| DebugDamage::TooLarge)?;
    let mut decompressed = Vec::with_capacity(size);
    match decoder.decode_all_to_vec(compressed, &mut decompressed) {
        Ok(()) if decompressed.len() == size => Ok(Cow::Owned(decompressed)),
        _ => Err(DebugDamage::Zstd),
    }
}
