//! The debugging sections of an object file, unpacked within bounds: a few bytes can claim
//! to be many.

use std::borrow::Cow;
use std::convert::Infallible;

use gimli::{EndianSlice, RunTimeEndian, SectionId};
use object::{CompressedData, CompressionFormat, Object, ObjectSection};
use ruzstd::decoding::FrameDecoder;

use super::notes::{DebugDamage, DebugPart, Note, Notes};
use crate::memory::{self, Budget, ThreadBudget};

/// A reader of bytes that belong to [`DebugSections`].
pub(crate) type DebugBytes<'s> = EndianSlice<'s, RunTimeEndian>;

/// The sections that lead from an address to its line and function.
///
/// Sections that were stored as they are stay in the file's bytes.
#[derive(Debug)]
pub(crate) struct DebugSections<'data> {
    sections: Vec<(SectionId, Cow<'data, [u8]>)>,
    endian: RunTimeEndian,
    /// The size of the file that they are from, in bytes.
    n_file_bytes: u64,
    notes: Notes<DebugDamage>,
}

impl<'data> DebugSections<'data> {
    /// No sections, for who will not ask. Those of the image are not looked at.
    pub(crate) fn none() -> Self {
        Self {
            sections: Vec::new(),
            endian: RunTimeEndian::default(),
            n_file_bytes: 0,
            notes: Notes::default(),
        }
    }

    /// Reads the sections of an image, or of its separate debug file, a file of so many
    /// bytes.
    ///
    /// What is missing or damaged is empty afterwards; damage is noted. So is all of it
    /// where it unpacks to more than may be held.
    pub(crate) fn load(object: &object::File<'data>, n_file_bytes: u64) -> DebugSections<'data> {
        let mut notes = Notes::default();
        let decompression = Decompression::of_file(n_file_bytes);
        let mut sections = Vec::with_capacity(NEEDED.len());
        for &id in &NEEDED {
            let bytes = match object.section_by_name(id.name()) {
                Some(section) => decompression.section(&section),
                None => Ok(Cow::default()),
            };
            if let Err(damage @ DebugDamage::TooLarge) = bytes {
                // Parts of it are of no use, and what refers to them would be damaged.
                sections.clear();
                notes.add(DebugPart::Whole, damage);
                break;
            }
            let bytes = notes.value(DebugPart::Section(id.name()), bytes);
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

    /// Little-endian sections that no file has.
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

    /// Whether there is any debugging information. Without it, it is worth
    /// looking for a separate debug file.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes(SectionId::DebugInfo).is_empty()
    }

    /// Sections that could not be read.
    pub(crate) fn notes(&self) -> &[Note<DebugDamage>] {
        self.notes.as_slice()
    }

    /// Whether they were passed over because they unpack to too much.
    pub(crate) fn are_too_large(&self) -> bool {
        let mut notes = self.notes().iter();
        notes.any(|note| note.damage == DebugDamage::TooLarge)
    }

    /// What tables that are made of them may take.
    pub(crate) fn thread_budget(&self) -> ThreadBudget {
        ThreadBudget::of(memory::share() + self.n_file_bytes.saturating_mul(TABLES_PER_BYTE))
    }

    /// Bytes of all the sections, unpacked.
    pub(crate) fn n_bytes(&self) -> usize {
        self.sections.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    /// One section; empty when it is not there.
    pub(super) fn bytes(&self, id: SectionId) -> &[u8] {
        let mut sections = self.sections.iter();
        let found = sections.find(|(known, _)| *known == id);
        found.map_or(&[], |(_, bytes)| bytes)
    }

    /// A reader of bytes in the order of the sections'.
    pub(super) fn reader<'s>(&self, bytes: &'s [u8]) -> DebugBytes<'s> {
        EndianSlice::new(bytes, self.endian)
    }

    /// All sections, for `gimli`.
    pub(crate) fn dwarf(&self) -> gimli::Dwarf<DebugBytes<'_>> {
        self.dwarf_of(|_, bytes| self.reader(bytes))
    }

    /// The same with readers of another kind.
    pub(super) fn dwarf_of<'s, R>(
        &'s self,
        reader: impl Fn(SectionId, &'s [u8]) -> R,
    ) -> gimli::Dwarf<R> {
        let loaded = gimli::Dwarf::load(|id| Ok::<_, Infallible>(reader(id, self.bytes(id))));
        let Ok(dwarf) = loaded;
        dwarf
    }
}

/// What tables may take for each byte of the file. Those of an ordinary one take three,
/// where its debugging information is packed as well as it can be some ten.
const TABLES_PER_BYTE: u64 = 16;

/// The sections through which lines and functions can be found.
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

/// Debugging information shrinks to a third or a fifth. A section that claims
/// more than this is made to fill our memory.
const MAX_INFLATION: u64 = 256;

/// What all sections may unpack to for each byte of their file, which holds more than
/// them.
const DECOMPRESSED_PER_BYTE: u64 = 8;

/// How far zstd may refer back in a section that is shorter: what `zstd -19` writes.
const LEAST_WINDOW: u64 = 8 << 20;

/// Bytes that sections of a file may still unpack to. Several can be of one packed block.
struct Decompression(Budget);

impl Decompression {
    fn of_file(n_bytes: u64) -> Self {
        let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
        Self(Budget::of(memory::share(), n_bytes, DECOMPRESSED_PER_BYTE))
    }

    /// The bytes of a section; those of the file, where it is not packed.
    fn section<'data>(
        &self,
        section: &object::Section<'data, '_>,
    ) -> Result<Cow<'data, [u8]>, DebugDamage> {
        let stored: CompressedData<'data> =
            section.compressed_data().map_err(DebugDamage::Section)?;
        if stored.format == CompressionFormat::None {
            return Ok(Cow::Borrowed(stored.data));
        }
        let (claimed, compressed) = (stored.uncompressed_size, stored.data.len());
        if claimed > (compressed as u64).saturating_mul(MAX_INFLATION) {
            return Err(DebugDamage::Inflated {
                claimed,
                compressed,
            });
        }
        if !self.0.spend(claimed) {
            return Err(DebugDamage::TooLarge);
        }
        match stored.format {
            CompressionFormat::Zstandard => unpack_zstd(stored.data, claimed),
            _ => stored.decompress().map_err(DebugDamage::Section),
        }
    }
}

/// Unpacks zstd that refers back no further than it has to: all of that is kept.
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
