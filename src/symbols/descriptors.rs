//! Function descriptors of 64-bit PowerPC (ELFv1 ABI): a function symbol denotes its
//! descriptor in `.opd`, whose first word is the address of the code. Source: 64-bit PowerPC
//! ELF ABI Supplement 1.9, 3.2.5.

use object::Architecture;
use object::read::{Object, ObjectSection, SectionIndex};

/// The contents of `.opd`.
pub(crate) struct FunctionDescriptors<'data> {
    /// The section in its file.
    pub(crate) section: SectionIndex,
    start: u64,
    bytes: &'data [u8],
    is_little_endian: bool,
}

impl<'data> FunctionDescriptors<'data> {
    /// The function descriptors of an image; most have none.
    pub(crate) fn of(object: &object::File<'data>) -> Option<Self> {
        if object.architecture() != Architecture::PowerPc64 {
            return None;
        }
        let section = object.section_by_name(".opd")?;
        Some(Self {
            section: section.index(),
            start: section.address(),
            bytes: section.data().ok()?,
            is_little_endian: object.is_little_endian(),
        })
    }

    /// The address of the code of the function whose descriptor is at an address.
    pub(crate) fn code_address(&self, descriptor: u64) -> Option<u64> {
        let offset = usize::try_from(descriptor.checked_sub(self.start)?).ok()?;
        let word = *self.bytes.get(offset..)?.first_chunk()?;
        Some(if self.is_little_endian {
            u64::from_le_bytes(word)
        } else {
            u64::from_be_bytes(word)
        })
    }
}
