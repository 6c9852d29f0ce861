//! Machine code with its address.

use std::ops::Range;

use object::{Object, ObjectSection};

use crate::model::{Address, Endian};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'a> {
    pub(crate) start: Address,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// The part within a range.
    fn within(&self, range: &Range<Address>) -> Option<Chunk<'a>> {
        let offset = |address: Address| {
            let distance = address.0.saturating_sub(self.start.0);
            usize::try_from(distance).map_or(self.bytes.len(), |d| d.min(self.bytes.len()))
        };
        let (from, to) = (offset(range.start), offset(range.end));
        (from < to).then(|| Chunk { start: self.at(from), bytes: &self.bytes[from..to] })
    }

    pub(in crate::symbols) fn range(&self) -> Range<u64> {
        self.start.0..self.start.0.wrapping_add(self.bytes.len() as u64)
    }

    pub(in crate::symbols) fn at(&self, offset: usize) -> Address {
        Address(self.start.0.wrapping_add(offset as u64))
    }

    pub(super) fn word(&self, offset: usize, endian: Endian) -> Option<u32> {
        let bytes = self.bytes.get(offset..)?.first_chunk()?;
        Some(match endian {
            Endian::Little => u32::from_le_bytes(*bytes),
            Endian::Big => u32::from_be_bytes(*bytes),
        })
    }

    /// Words with their addresses, from any start.
    pub(crate) fn words(self, endian: Endian) -> impl Iterator<Item = (u32, u64)> + use<'a> {
        let offsets = (0..self.bytes.len()).step_by(4);
        offsets.map_while(move |offset| Some((self.word(offset, endian)?, self.at(offset).0)))
    }
}

/// The selected sections that have bytes, by address.
pub(crate) fn chunks<'data>(
    object: &object::File<'data>,
    is_wanted: impl Fn(&object::Section<'data, '_>) -> bool,
) -> Vec<Chunk<'data>> {
    let wanted = object.sections().filter(is_wanted);
    let with_bytes = wanted.filter_map(|section| {
        Some(Chunk {
            start: Address(section.address()),
            bytes: section.data().ok().filter(|bytes| !bytes.is_empty())?,
        })
    });
    let mut chunks: Vec<_> = with_bytes.collect();
    chunks.sort_by_key(|chunk| chunk.start);
    chunks
}

/// The code of a range, up to the end of the chunk that contains its start.
pub(crate) fn code_of<'a>(code: &[Chunk<'a>], range: &Range<Address>) -> Option<Chunk<'a>> {
    let n_before = code.partition_point(|chunk| chunk.start <= range.start);
    code[n_before.checked_sub(1)?].within(range)
}
