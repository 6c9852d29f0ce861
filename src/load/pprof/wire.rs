//! The encoding of protocol buffers: fields with a number and a value. Source:
//! protobuf.dev/programming-guides/encoding.

use super::super::error::{Position, ReadError};
use super::PprofFault;

/// The value of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldValue<'a> {
    Number(u64),
    /// A string, a message, or packed numbers.
    Bytes(Message<'a>),
    /// A fixed number of bytes, which no field of the format has.
    Fixed,
}

/// The bytes of a message, with their position in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'a> {
    pub(super) bytes: &'a [u8],
    start: usize,
}

impl<'a> Message<'a> {
    pub(super) fn of_file(bytes: &'a [u8]) -> Self {
        Self { bytes, start: 0 }
    }

    pub(super) fn fields(self) -> Fields<'a> {
        Fields { message: self, offset: 0 }
    }

    /// The error of this message.
    pub(super) fn error(self, fault: PprofFault) -> ReadError {
        error_at(self.start, fault)
    }

    /// The last values of these number fields, or 0.
    pub(super) fn numbers<const N: usize>(self, fields: [u32; N]) -> Result<[u64; N], ReadError> {
        let mut numbers = [0; N];
        self.each(|field, value| {
            if let Some(place) = fields.iter().position(|&wanted| wanted == field) {
                numbers[place] = value.number()?;
            }
            Ok(())
        })?;
        Ok(numbers)
    }

    /// Passes the fields to `visit`.
    pub(super) fn each(
        self,
        mut visit: impl FnMut(u32, FieldValue<'a>) -> Result<(), PprofFault>,
    ) -> Result<(), ReadError> {
        let mut fields = self.fields();
        while let Some((number, value)) = fields.next()? {
            visit(number, value).map_err(|fault| self.error(fault))?;
        }
        Ok(())
    }
}

impl<'a> FieldValue<'a> {
    pub(super) fn number(self) -> Result<u64, PprofFault> {
        match self {
            Self::Number(number) => Ok(number),
            _ => Err(PprofFault::Type),
        }
    }

    pub(super) fn message(self) -> Result<Message<'a>, PprofFault> {
        match self {
            Self::Bytes(message) => Ok(message),
            _ => Err(PprofFault::Type),
        }
    }

    /// Passes the numbers of a repeated field to `visit`, packed or not.
    pub(super) fn numbers(self, mut visit: impl FnMut(u64)) -> Result<(), PprofFault> {
        match self {
            Self::Number(number) => visit(number),
            Self::Bytes(Message { mut bytes, .. }) => {
                while !bytes.is_empty() {
                    let (number, rest) = varint(bytes)?;
                    visit(number);
                    bytes = rest;
                }
            }
            Self::Fixed => return Err(PprofFault::Type),
        }
        Ok(())
    }
}

/// The fields of a message, in order.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    message: Message<'a>,
    offset: usize,
}

impl<'a> Fields<'a> {
    /// The next field.
    pub(super) fn next(&mut self) -> Result<Option<(u32, FieldValue<'a>)>, ReadError> {
        let Message { bytes, start } = self.message;
        let rest = &bytes[self.offset..];
        if rest.is_empty() {
            return Ok(None);
        }
        let at = start + self.offset;
        let field = field(rest, at).map_err(|fault| error_at(at, fault))?;
        self.offset = bytes.len() - field.rest.len();
        Ok(Some((field.number, field.value)))
    }
}

fn error_at(start: usize, fault: PprofFault) -> ReadError {
    ReadError { position: Position::Byte(start as u64), kind: fault.into() }
}

struct Field<'a> {
    number: u32,
    value: FieldValue<'a>,
    rest: &'a [u8],
}

/// The field at the start of `bytes`, which is at `start` in the file.
fn field(bytes: &[u8], start: usize) -> Result<Field<'_>, PprofFault> {
    let (tag, rest) = varint(bytes)?;
    let number = u32::try_from(tag >> 3).ok().filter(|&number| number > 0);
    let number = number.ok_or(PprofFault::Tag { tag })?;
    let skip = |n_bytes: usize| rest.get(n_bytes..).ok_or(PprofFault::End);
    let (value, rest) = match tag & 7 {
        0 => {
            let (number, rest) = varint(rest)?;
            (FieldValue::Number(number), rest)
        }
        1 => (FieldValue::Fixed, skip(8)?),
        2 => {
            let (length, rest) = varint(rest)?;
            let length = usize::try_from(length).map_err(|_| PprofFault::End)?;
            let (value, behind) = rest.split_at_checked(length).ok_or(PprofFault::End)?;
            let message = Message { bytes: value, start: start + bytes.len() - rest.len() };
            (FieldValue::Bytes(message), behind)
        }
        5 => (FieldValue::Fixed, skip(4)?),
        _ => return Err(PprofFault::Tag { tag }),
    };
    Ok(Field { number, value, rest })
}

/// A number of one to ten bytes, seven bits in each, and the bytes after it.
#[inline]
fn varint(bytes: &[u8]) -> Result<(u64, &[u8]), PprofFault> {
    if let [first @ 0..0x80, rest @ ..] = bytes {
        return Ok((u64::from(*first), rest));
    }
    let mut number = 0;
    for (index, &byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok((number, &bytes[index + 1..]));
        }
    }
    Err(if bytes.len() < 10 { PprofFault::End } else { PprofFault::Number })
}
