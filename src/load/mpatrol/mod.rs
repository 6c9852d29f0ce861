//! mpatrol's files: what its traces and profiles share.
//!
//! Both start with four letters, then a word of value 1, then the version of the
//! library. A word is as wide as `unsigned long` was where the file was written;
//! nothing else says how wide that is, or in which order its bytes stand.

mod byte_source;
mod fold;
mod name_cache;
#[cfg(test)]
mod tests;
mod trace;
mod trace_error;

pub(super) use fold::fold as fold_trace;
pub use trace::TraceReader;
pub(super) use trace::{FORMAT as TRACE_FORMAT, MAGIC as TRACE_MAGIC, Trace};
pub use trace_error::TraceError;

use super::cursor::u32_at;
use crate::model::{AddressSize, Encoding, Endian};

/// How words are stored, told from the eight bytes behind the magic: the word of
/// value 1 and what follows it. A version of 0 does not exist, so a 1 with four
/// zero bytes behind it is eight bytes wide.
fn encoding_of(marker: [u8; 8]) -> Option<Encoding> {
    let (first, second) = marker.split_at(4);
    let encoding = |address_size, endian| Encoding {
        address_size,
        endian,
    };
    let is_zero = |bytes: &[u8]| bytes == [0; 4];
    if u32_at(first, Endian::Little) == 1 {
        let is_wide = is_zero(second);
        let size = if is_wide {
            AddressSize::Eight
        } else {
            AddressSize::Four
        };
        return Some(encoding(size, Endian::Little));
    }
    if u32_at(first, Endian::Big) == 1 {
        return Some(encoding(AddressSize::Four, Endian::Big));
    }
    let is_wide = is_zero(first) && u32_at(second, Endian::Big) == 1;
    is_wide.then(|| encoding(AddressSize::Eight, Endian::Big))
}
