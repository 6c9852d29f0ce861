//! Function descriptors of 64-bit PowerPC.
//!
//! In its older ABI a function's symbol stands for three words in `.opd`, the
//! first of which is where the code is.

use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionIndex};

/// The contents of `.opd`.
pub(super) struct FunctionDescriptors<'s> {
    section: SectionIndex,
    start: u64,
    bytes: &'s [u8],
    is_little_endian: bool,
}

impl<'s> FunctionDescriptors<'s> {
    /// The descriptors of an image; most have none.
    pub(super) fn of(object: &object::File<'s>) -> Option<FunctionDescriptors<'s>> {
        if object.architecture() != Architecture::PowerPc64 {
            return None;
        }
        let section = object.section_by_name(".opd")?;
        Some(FunctionDescriptors {
            section: section.index(),
            start: section.address(),
            bytes: section.data().ok()?,
            is_little_endian: object.is_little_endian(),
        })
    }

    /// Where the code is that a symbol in `.opd` stands for.
    pub(super) fn code_address(&self, symbol: &object::Symbol<'s, '_>) -> Option<u64> {
        if symbol.section_index() != Some(self.section) {
            return None;
        }
        let offset = symbol.address().checked_sub(self.start)?;
        let rest = self.bytes.get(usize::try_from(offset).ok()?..)?;
        let word = *rest.first_chunk()?;
        Some(if self.is_little_endian {
            u64::from_le_bytes(word)
        } else {
            u64::from_be_bytes(word)
        })
    }
}
