//! A cursor over bytes we did not write: bounds, byte order and place in one.

use super::error::{Position, ReadError, ReadErrorKind};
use crate::model::{Address, Encoding};

/// Reads forward through `data`. Nothing is ever read beyond its end.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    data: &'a [u8],
    position: usize,
    encoding: Encoding,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(data: &'a [u8], encoding: Encoding) -> Self {
        Self {
            data,
            position: 0,
            encoding,
        }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub(super) fn remaining(&self) -> usize {
        self.data.len() - self.position
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
        let rest = &self.data[self.position..];
        let taken = usize::try_from(size)
            .ok()
            .and_then(|size| rest.get(..size))
            .ok_or_else(|| {
                self.error(ReadErrorKind::Short {
                    what,
                    size,
                    remaining: rest.len() as u64,
                })
            })?;
        self.position += taken.len();
        Ok(taken)
    }

    /// All bytes that are left.
    pub(super) fn take_rest(&mut self) -> &'a [u8] {
        let rest = &self.data[self.position..];
        self.position = self.data.len();
        rest
    }

    /// The bytes up to the next NUL, which is passed over.
    pub(super) fn skip_string(&mut self, what: &'static str) -> Result<(), ReadError> {
        let rest = &self.data[self.position..];
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
