//! The bytes of a trace as a stream: a trace may be many times larger than memory.

use std::io::{self, Read};

use super::super::BUFFER_SIZE;
use super::super::error::{Position, ReadError, ReadErrorKind};
use super::fault::TraceError;
use crate::model::AddressSize;

/// Maximum size in bytes of a 64-bit LEB128 number.
const N_GROUPS: u32 = 10;

/// Reads forward and counts bytes. A hot path: all numbers and bytes of a trace.
pub(super) struct ByteSource<'a> {
    reader: Box<dyn Read + 'a>,
    buffer: Box<[u8]>,
    next: usize,
    /// End of the buffered bytes.
    end: usize,
    n_before: u64,
    /// Position of the last number.
    number_start: u64,
    /// The bits that a number has on the profiled machine.
    mask: u64,
    /// Minimum size in bytes of a truncated number that is completed with zeros, if any is.
    min_completed: u64,
    /// The error of such a number. From there on, the input continues with zeros.
    truncation: Option<ReadError>,
}

impl<'a> ByteSource<'a> {
    pub(super) fn new(reader: Box<dyn Read + 'a>) -> Self {
        Self {
            reader,
            buffer: vec![0; BUFFER_SIZE].into(),
            next: 0,
            end: 0,
            n_before: 0,
            number_start: 0,
            mask: u64::MAX,
            min_completed: u64::MAX,
            truncation: None,
        }
    }

    /// Limits numbers to the words of the profiled machine, which the library cuts too.
    pub(super) fn limit_numbers(&mut self, word: AddressSize) {
        self.mask = u64::MAX >> (64 - 8 * word.bytes());
    }

    /// Completes a number with zeros if the input ends after this many of its bytes.
    pub(super) fn complete_numbers(&mut self, min_bytes: u64) {
        self.min_completed = min_bytes;
    }

    /// The error of a number that was completed.
    pub(super) fn truncation(&self) -> Option<&ReadError> {
        self.truncation.as_ref()
    }

    pub(super) fn offset(&self) -> u64 {
        self.n_before + self.next as u64
    }

    /// An error at this position.
    pub(super) fn error(&self, kind: impl Into<ReadErrorKind>) -> ReadError {
        ReadError { position: Position::Byte(self.offset()), kind: kind.into() }
    }

    #[inline]
    pub(super) fn byte(&mut self, what: &'static str) -> Result<u8, ReadError> {
        if self.next == self.end {
            self.fetch(what)?;
        }
        let byte = self.buffer[self.next];
        self.next += 1;
        Ok(byte)
    }

    /// Fills `bytes`; an error names `what`.
    pub(super) fn fill(&mut self, what: &'static str, bytes: &mut [u8]) -> Result<(), ReadError> {
        for byte in bytes {
            *byte = self.byte(what)?;
        }
        Ok(())
    }

    /// A LEB128 number: groups of seven bits, lowest first; bit 7 means that more follow. May
    /// be longer than necessary.
    #[inline(always)]
    pub(super) fn leb128(&mut self, what: &'static str) -> Result<u64, ReadError> {
        self.number_start = self.offset();
        let fetched = &self.buffer[self.next..self.end];
        if let Some((number, size)) = fetched.first_chunk().and_then(short_number) {
            self.next += size;
            return Ok(number & self.mask);
        }
        Ok(self.long_number(what)? & self.mask)
    }

    /// A number of 57 bits or more, or one that crosses the end of the buffer.
    #[cold]
    fn long_number(&mut self, what: &'static str) -> Result<u64, ReadError> {
        let mut value = 0;
        for group in 0..N_GROUPS {
            let byte = match self.byte(what) {
                Err(error)
                    if error.is_cut_off()
                        && self.offset() - self.number_start >= self.min_completed =>
                {
                    self.truncation = Some(self.error(TraceError::CutNumber(what)));
                    0
                }
                byte => byte?,
            };
            let bits = u64::from(byte & 0x7f);
            // Only the lowest bit of the tenth group fits.
            if group == N_GROUPS - 1 && bits > 1 {
                break;
            }
            value |= bits << (7 * group);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.error(TraceError::WideNumber(what)))
    }

    /// Reads the bytes up to the next NUL into `name`, and skips the NUL.
    pub(super) fn name(
        &mut self,
        what: &'static str,
        limit: usize,
        name: &mut Vec<u8>,
    ) -> Result<(), ReadError> {
        name.clear();
        loop {
            if self.next == self.end {
                self.fetch(what)?;
            }
            let rest = &self.buffer[self.next..self.end];
            let length = memchr::memchr(0, rest);
            let piece = &rest[..length.unwrap_or(rest.len())];
            if name.len() + piece.len() > limit {
                return Err(self.error(TraceError::LongName { what, limit }));
            }
            name.extend_from_slice(piece);
            self.next += piece.len();
            if length.is_some() {
                self.next += 1;
                return Ok(());
            }
        }
    }

    /// Returns whether `n_bytes` bytes followed the start of the last number.
    #[inline]
    pub(super) fn had_left(&mut self, n_bytes: u64) -> bool {
        if (self.end - self.next) as u64 >= n_bytes {
            return true;
        }
        if self.truncation.is_some() {
            return true;
        }
        let wanted = (self.number_start + n_bytes).saturating_sub(self.offset());
        (self.end - self.next) as u64 >= wanted || self.look_ahead(wanted)
    }

    /// Returns whether `wanted` bytes remain. Read errors are reported when the bytes are
    /// needed.
    #[cold]
    fn look_ahead(&mut self, wanted: u64) -> bool {
        self.buffer.copy_within(self.next..self.end, 0);
        self.n_before += self.next as u64;
        self.end -= self.next;
        self.next = 0;
        while (self.end as u64) < wanted {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => return false,
                Ok(size) => self.end += size,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
        true
    }

    /// Reads at least one byte.
    #[cold]
    fn fetch(&mut self, what: &'static str) -> Result<(), ReadError> {
        self.n_before += self.end as u64;
        (self.next, self.end) = (0, 0);
        loop {
            match self.reader.read(&mut self.buffer) {
                Ok(0) if self.truncation.is_some() => {
                    (self.buffer[0], self.end) = (0, 1);
                    return Ok(());
                }
                Ok(0) => return Err(self.error(TraceError::CutOff(what))),
                Ok(size) => {
                    self.end = size;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error(kind_of(&error))),
            }
        }
    }
}

/// System errors have a number; others come from decompression.
fn kind_of(error: &io::Error) -> ReadErrorKind {
    match error.raw_os_error() {
        Some(_) => TraceError::Unreadable(error.to_string()).into(),
        None => ReadErrorKind::Compression,
    }
}

/// The number at the start of eight bytes and its size, if it ends there: at the first byte
/// without bit 7.
#[inline(always)]
fn short_number(bytes: &[u8; 8]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*bytes);
    let ends = !word & 0x8080_8080_8080_8080;
    if ends == 0 {
        return None;
    }
    let n_bits = ends.trailing_zeros() + 1;
    let number = joined(word & (u64::MAX >> (64 - n_bits)));
    Some((number, n_bits as usize / 8))
}

/// Joins the groups of seven bits in eight bytes in parallel: pairs to 14 bits, then pairs of
/// these to 28.
#[inline(always)]
fn joined(word: u64) -> u64 {
    let sevens = word & 0x7f7f_7f7f_7f7f_7f7f;
    let of_14 = (sevens & 0x007f_007f_007f_007f) | ((sevens & 0x7f00_7f00_7f00_7f00) >> 1);
    let of_28 = (of_14 & 0x0000_3fff_0000_3fff) | ((of_14 & 0x3fff_0000_3fff_0000) >> 2);
    (of_28 & 0x0fff_ffff) | ((of_28 & 0x0fff_ffff_0000_0000) >> 4)
}
