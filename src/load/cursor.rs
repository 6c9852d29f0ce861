//! A cursor over input bytes, with bounds, byte order and position.

use super::error::{Position, ReadError, ReadErrorKind};
use super::sparse::{Bytes, InGap, Pieces};
use crate::model::{Address, Encoding};

/// Reads forward through `data`, never beyond its end.
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
        Self { data, size: data.len(), position: 0, encoding }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub(super) fn remaining(&self) -> usize {
        self.size - self.position
    }

    /// An error at the position of the cursor.
    pub(super) fn error(&self, kind: impl Into<ReadErrorKind>) -> ReadError {
        ReadError { position: Position::Byte(self.position as u64), kind: kind.into() }
    }

    /// The next `size` bytes. If they are missing, the error names `what`.
    pub(super) fn take(&mut self, what: &'static str, size: u64) -> Result<&'a [u8], ReadError> {
        let taken = usize::try_from(size)
            .ok()
            .and_then(|size| self.data.get(self.position, size))
            .ok_or_else(|| self.short(what, size))?;
        let taken = taken.map_err(|InGap| self.error(ReadErrorKind::TooLarge { what }))?;
        self.position += taken.len();
        Ok(taken)
    }

    /// The next bytes as pieces of whole `step`s. Bytes in no piece are zero.
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
        self.error(ReadErrorKind::Short { what, size, remaining: self.remaining() as u64 })
    }

    /// All remaining bytes before the first omitted run of zeros.
    pub(super) fn take_rest(&mut self) -> &'a [u8] {
        let remaining = self.remaining();
        let rest = self.data.pieces(self.position, remaining, 1);
        self.position = self.size;
        match rest.first() {
            Some(&(0, bytes)) => bytes,
            _ => &[],
        }
    }

    /// Skips the bytes up to the next NUL, and the NUL.
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
