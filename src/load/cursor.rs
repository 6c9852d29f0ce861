//! A cursor over bytes we did not write: bounds, byte order and place in one.

use super::error::{Position, ReadError, ReadErrorKind};
use super::sparse::{Bytes, InGap, Pieces};
use crate::model::{Address, Encoding};

/// Reads forward through `data`. Nothing is ever read beyond its end.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    data: Bytes<'a>,
    size: usize,
    position: usize,
    encoding: Encoding,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(data: impl Into<Bytes<'a>>, encoding: Encoding) -> Self {
        let data = data.into();
        Self {
            data,
            size: data.len(),
            position: 0,
            encoding,
        }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub(super) fn remaining(&self) -> usize {
        self.size - self.position
    }

    /// The error that `kind` is, at the place of the cursor.
    pub(super) fn error(&self, kind: impl Into<ReadErrorKind>) -> ReadError {
        ReadError {
            position: Position::Byte(self.position as u64),
            kind: kind.into(),
        }
    }

    /// The next `size` bytes, or an error that says what needed them.
    pub(super) fn take(&mut self, what: &'static str, size: u64) -> Result<&'a [u8], ReadError> {
        let taken = usize::try_from(size)
            .ok()
            .and_then(|size| self.data.get(self.position, size))
            .ok_or_else(|| self.short(what, size))?;
        let taken = taken.map_err(|InGap| self.error(ReadErrorKind::TooLarge { what }))?;
        self.position += taken.len();
        Ok(taken)
    }

    /// The same as pieces, each of whole parts of `step` bytes. What is in none is zero.
    pub(super) fn take_pieces(
        &mut self,
        what: &'static str,
        size: u64,
        step: usize,
    ) -> Result<Pieces<'a>, ReadError> {
        let taken = usize::try_from(size).ok();
        let taken = taken.filter(|&size| size <= self.remaining());
        let size = taken.ok_or_else(|| self.short(what, size))?;
        let pieces = self.data.pieces(self.position, size, step);
        self.position += size;
        Ok(pieces)
    }

    fn short(&self, what: &'static str, size: u64) -> ReadError {
        self.error(ReadErrorKind::Short {
            what,
            size,
            remaining: self.remaining() as u64,
        })
    }

    /// All bytes that are left, up to a long stretch of zeros that is not kept.
    pub(super) fn take_rest(&mut self) -> &'a [u8] {
        let remaining = self.remaining();
        let rest = self.data.pieces(self.position, remaining, 1);
        self.position = self.size;
        match rest.first() {
            Some(&(0, bytes)) => bytes,
            _ => &[],
        }
    }

    /// The bytes up to the next NUL, which is passed over.
    pub(super) fn skip_string(&mut self, what: &'static str) -> Result<(), ReadError> {
        let rest = self.clone().take_rest();
        let length = rest.iter().position(|&byte| byte == 0);
        let size = length.map_or(rest.len() as u64 + 1, |length| length as u64 + 1);
        self.take(what, size).map(|_| ())
    }

    pub(super) fn u8(&mut self, what: &'static str) -> Result<u8, ReadError> {
        Ok(self.take(what, 1)?[0])
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, ReadError> {
        let bytes = self.take(what, 4)?;
        let number = self.encoding.endian.read_uint(bytes);
        Ok(u32::try_from(number).expect("four bytes hold no more"))
    }

    pub(super) fn address(&mut self, what: &'static str) -> Result<Address, ReadError> {
        let bytes = self.take(what, self.encoding.address_size.bytes() as u64)?;
        Ok(Address(self.encoding.read_word(bytes)))
    }
}
