//! mpatrol's files: allocation profiles (`MPTL`) and allocation traces (`MTRC`).
//!
//! Both start with four letters, a word with the value 1, and the version of the library. A
//! word has the size of a pointer on the profiled machine; the value 1 shows that size and
//! the byte order.

mod byte_source;
mod fault;
mod fold;
mod functions;
mod name_cache;
mod profile;
#[cfg(test)]
mod profile_tests;
mod site_errors;
mod table;
mod trace;
mod trace_input;
#[cfg(test)]
mod trace_tests;

pub use fault::MpatrolFault;
pub(super) use fold::Trace;
pub(super) use profile::AllocationProfile;
pub use trace::TraceReader;
pub use trace_input::{RewindableTrace, TraceInput, open_trace};

use super::cursor::Cursor;
use super::error::{ReadError, ReadErrorKind};
use crate::model::{Address, AddressSize, Encoding, Endian};

/// The letters at both ends of an allocation profile.
const PROFILE_MAGIC: &[u8] = b"MPTL";

/// The name of an allocation trace.
const TRACE_FORMAT: &str = "mpatrol trace";

/// The letters at both ends of an allocation trace.
const TRACE_MAGIC: &[u8; 4] = b"MTRC";

/// Size of the letters at both ends of a file.
const MAGIC_SIZE: u64 = 4;

/// A cursor after the letters and the 1 of a file, in its encoding.
fn open(data: &[u8]) -> Result<Cursor<'_>, ReadError> {
    // The encoding does not matter for bytes.
    let mut start = Cursor::new(data, Encoding::ALL[0]);
    start.take("magic", MAGIC_SIZE)?;
    let marker = start.clone().take("byte order marker", 8)?;
    let marker = marker.try_into().expect("eight bytes were taken");
    let encoding = encoding_of(marker);
    let mut cursor = Cursor::new(data, encoding.unwrap_or(OTHER_MARKER));
    cursor.take("magic", MAGIC_SIZE)?;
    cursor.address("byte order marker")?;
    // Without a valid marker, a version that makes sense shows the encoding.
    let version = word(&mut cursor.clone(), "version");
    if encoding.is_none() && !version.is_ok_and(|version| version < VERSION_END) {
        return Err(start.error(ReadErrorKind::NoByteOrder));
    }
    Ok(cursor)
}

/// The encoding of a file whose marker is not 1. To mpatrol's tools, any other marker means the
/// opposite byte order; they run on 64-bit little-endian machines today.
const OTHER_MARKER: Encoding = Encoding::new(Endian::Big, AddressSize::Eight);

/// The end of the versions of the library that mpatrol's tools accept.
const VERSION_END: u64 = 10600;

/// The encoding in which these eight bytes start with a word of 1. Four zeros after a
/// little-endian 1 are its upper half: no library had version 0.
fn encoding_of(marker: [u8; 8]) -> Option<Encoding> {
    let (endian, size) = match marker {
        [1, 0, 0, 0, 0, 0, 0, 0] => (Endian::Little, AddressSize::Eight),
        [1, 0, 0, 0, ..] => (Endian::Little, AddressSize::Four),
        [0, 0, 0, 1, ..] => (Endian::Big, AddressSize::Four),
        [0, 0, 0, 0, 0, 0, 0, 1] => (Endian::Big, AddressSize::Eight),
        _ => return None,
    };
    Some(Encoding::new(endian, size))
}

/// Reads one word.
fn word(cursor: &mut Cursor<'_>, what: &'static str) -> Result<u64, ReadError> {
    let Address(word) = cursor.address(what)?;
    Ok(word)
}
