//! The debugging sections of an object file, unpacked.

use std::borrow::Cow;
use std::convert::Infallible;

use gimli::{EndianSlice, RunTimeEndian, SectionId};
use object::{CompressionFormat, Object, ObjectSection};

use super::notes::{Damage, Note, Notes, Part};

/// A reader of bytes that belong to [`DebugSections`].
pub(crate) type DebugBytes<'s> = EndianSlice<'s, RunTimeEndian>;

/// Debugging information shrinks to a third or a fifth. A section that claims
/// more than this is made to fill our memory.
const MAX_INFLATION: u64 = 256;

/// The sections that lead from an address to its line and function.
///
/// Sections that were stored as they are stay in the file's bytes.
#[derive(Debug)]
pub(crate) struct DebugSections<'data> {
    sections: Vec<(SectionId, Cow<'data, [u8]>)>,
    endian: RunTimeEndian,
    notes: Notes<Damage>,
}

impl<'data> DebugSections<'data> {
    /// No sections, for who will not ask. Those of the image are not looked at.
    pub(crate) fn none() -> Self {
        Self {
            sections: Vec::new(),
            endian: RunTimeEndian::default(),
            notes: Notes::default(),
        }
    }

    /// Reads the sections of an image, or of its separate debug file.
    ///
    /// What is missing or damaged is empty afterwards; damage is noted.
    pub(crate) fn load(object: &object::File<'data>) -> DebugSections<'data> {
        let mut notes = Notes::default();
        let sections = NEEDED.iter().map(|&id| {
            let bytes = load_section(object, id);
            let bytes = notes.value(Part::Section(id.name()), bytes);
            (id, bytes.unwrap_or_default())
        });
        DebugSections {
            sections: sections.collect(),
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
            notes: Notes::default(),
        }
    }

    /// Whether there is any debugging information. Without it, it is worth
    /// looking for a separate debug file.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes(SectionId::DebugInfo).is_empty()
    }

    /// Sections that could not be read.
    pub(crate) fn notes(&self) -> &[Note<Damage>] {
        self.notes.as_slice()
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

fn load_section<'data>(
    object: &object::File<'data>,
    id: SectionId,
) -> Result<Cow<'data, [u8]>, Damage> {
    let Some(section) = object.section_by_name(id.name()) else {
        return Ok(Cow::default());
    };
    let stored = section.compressed_data().map_err(Damage::Section)?;
    let (claimed, packed) = (stored.uncompressed_size, stored.data.len());
    let limit = u64::try_from(packed)
        .unwrap_or(u64::MAX)
        .saturating_mul(MAX_INFLATION);
    if stored.format != CompressionFormat::None && claimed > limit {
        return Err(Damage::Inflated { claimed, packed });
    }
    stored.decompress().map_err(Damage::Section)
}

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
