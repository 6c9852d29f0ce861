//! The debugging sections of an object file, unpacked.

use std::borrow::Cow;
use std::convert::Infallible;

use gimli::{DwarfSections, EndianSlice, RunTimeEndian, Section, SectionId};
use object::{CompressionFormat, Object, ObjectSection};

use super::damage::{Damage, Note, Notes, Part};

/// A reader of bytes that belong to [`DebugSections`].
pub(super) type Bytes<'s> = EndianSlice<'s, RunTimeEndian>;

/// Debugging information shrinks to a third or a fifth. A section that claims
/// more than this is made to fill our memory.
const MAX_INFLATION: u64 = 256;

/// The sections that lead from an address to its line and function.
///
/// Sections that were stored as they are stay in the file's bytes.
#[derive(Debug)]
pub(crate) struct DebugSections<'data> {
    sections: DwarfSections<Cow<'data, [u8]>>,
    n_bytes: usize,
    endian: RunTimeEndian,
    notes: Notes,
}

impl<'data> DebugSections<'data> {
    /// Reads the sections of an image, or of its separate debug file.
    ///
    /// What is missing or damaged is empty afterwards; damage is noted.
    pub(crate) fn load(object: &object::File<'data>) -> DebugSections<'data> {
        let mut notes = Notes::default();
        let mut n_bytes = 0;
        let loaded = DwarfSections::load(|id| {
            let bytes = load_section(object, id).unwrap_or_else(|damage| {
                notes.add(Part::Section(id.name()), damage);
                Cow::default()
            });
            n_bytes += bytes.len();
            Ok::<_, Infallible>(bytes)
        });
        let Ok(sections) = loaded;
        DebugSections {
            sections,
            n_bytes,
            endian: if object.is_little_endian() {
                RunTimeEndian::Little
            } else {
                RunTimeEndian::Big
            },
            notes,
        }
    }

    /// Whether there is any debugging information. Without it, it is worth
    /// looking for a separate debug file.
    pub(crate) fn is_empty(&self) -> bool {
        self.dwarf().debug_info.reader().is_empty()
    }

    /// Sections that could not be read.
    pub(crate) fn notes(&self) -> &[Note] {
        self.notes.as_slice()
    }

    /// Bytes of all the sections, unpacked.
    pub(super) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    pub(super) fn dwarf(&self) -> gimli::Dwarf<Bytes<'_>> {
        self.sections
            .borrow(|bytes| EndianSlice::new(bytes, self.endian))
    }
}

fn load_section<'data>(
    object: &object::File<'data>,
    id: SectionId,
) -> Result<Cow<'data, [u8]>, Damage> {
    let Some(section) = object.section_by_name(id.name()).filter(|_| is_needed(id)) else {
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

/// Whether lines and functions can be found through a section.
fn is_needed(id: SectionId) -> bool {
    matches!(
        id,
        SectionId::DebugAbbrev
            | SectionId::DebugAddr
            | SectionId::DebugInfo
            | SectionId::DebugLine
            | SectionId::DebugLineStr
            | SectionId::DebugRanges
            | SectionId::DebugRngLists
            | SectionId::DebugStr
            | SectionId::DebugStrOffsets
    )
}
