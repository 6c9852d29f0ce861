//! Lines of Intel HEX and Motorola S-records, which have checksums.
//!
//! | field | Intel HEX | S-record |
//! |---|---|---|
//! | start | `:` | `S` and a digit for the type |
//! | length | bytes of data | bytes of all that follows |
//! | address | 2 bytes | 2, 3 or 4 bytes by the type |
//! | type | 1 byte | |
//! | data, checksum | all bytes sum to 0 | to 255 |
//!
//! Sources: Intel, "Hexadecimal Object File Format Specification", 1988; the manual page
//! `srec(5)` of Unix systems.

use super::lines::{LineWords, byte_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RecordStyle {
    IntelHex,
    SRecord,
}

#[derive(Debug)]
pub(super) struct Record {
    pub(super) style: RecordStyle,
    pub(super) is_sound: bool,
    r#type: u8,
    /// All bytes except the checksum.
    bytes: Vec<u8>,
}

/// The record at the end of a line, if any.
pub(super) fn record(cleaned: &[u8]) -> Option<Record> {
    let (_, word) = LineWords(cleaned, 0).last()?;
    let (style, digits, n_beside, sum) = match word {
        [b':', digits @ ..] => (RecordStyle::IntelHex, digits, 5, 0),
        [b'S', b'0'..=b'9', digits @ ..] => (RecordStyle::SRecord, digits, 1, 0xff),
        _ => return None,
    };
    let mut bytes = bytes_of(digits)?;
    let least = n_beside.max(4);
    let is_whole = bytes.len() >= least && bytes.len() == usize::from(bytes[0]) + n_beside;
    let is_sound = bytes.iter().fold(0, |sum: u8, &byte| sum.wrapping_add(byte)) == sum;
    bytes.pop();
    is_whole.then(|| Record {
        style,
        is_sound,
        r#type: match style {
            RecordStyle::IntelHex => bytes[3],
            RecordStyle::SRecord => word[1] - b'0',
        },
        bytes,
    })
}

fn bytes_of(digits: &[u8]) -> Option<Vec<u8>> {
    // The length byte limits the size of a record.
    let is_hexadecimal = digits.len() <= 520 && digits.iter().all(u8::is_ascii_hexdigit);
    let pairs = digits.len().is_multiple_of(2) && is_hexadecimal;
    pairs.then(|| digits.chunks_exact(2).map(byte_of).collect())
}

impl Record {
    pub(super) fn len(&self) -> usize {
        self.data().map_or(0, |(_, data)| data.len())
    }

    /// Address and data of a data record.
    pub(super) fn data(&self) -> Option<(u64, &[u8])> {
        let (address, data) = match (self.style, self.r#type) {
            (RecordStyle::IntelHex, 0) => (&self.bytes[1..3], &self.bytes[4..]),
            (RecordStyle::SRecord, 1..=3) => {
                self.bytes[1..].split_at_checked(usize::from(self.r#type) + 1)?
            }
            _ => return None,
        };
        Some((big_endian(address), data))
    }

    /// The offset that the record adds to later addresses: a segment of 16 bytes, or the
    /// upper half.
    pub(super) fn upper_address(&self) -> Option<u64> {
        let shift = match (self.style, self.r#type) {
            (RecordStyle::IntelHex, 2) => 4,
            (RecordStyle::IntelHex, 4) => 16,
            _ => return None,
        };
        let data = &self.bytes[4..];
        (data.len() == 2).then(|| big_endian(data) << shift)
    }

    pub(super) fn is_end(&self) -> bool {
        self.is_sound
            && match self.style {
                RecordStyle::IntelHex => self.r#type == 1,
                RecordStyle::SRecord => matches!(self.r#type, 7..=9),
            }
    }
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
