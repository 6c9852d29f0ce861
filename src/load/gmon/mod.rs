//! gmon.out: what the layouts of GNU and BSD share.

mod bsd;
mod gnu;
mod histogram_head;
#[cfg(test)]
mod tests;
mod write;

pub(super) use bsd::Bsd;
pub(super) use gnu::{COOKIE, Gnu};
pub(super) use histogram_head::HistogramHead;
pub use write::{Overflow, Records, WriteError, WriteOptions, write_profile};

use super::cursor::Cursor;
use super::error::ReadError;
use super::{CounterBits, Damage, Hints};
use crate::model::{Address, CallArc, Encoding, Endian, Histogram, Profile};

/// Decodes bins of that width.
fn decode_bins(raw: &[u8], endian: Endian, width: CounterBits) -> Box<[u64]> {
    match width {
        CounterBits::Eight => bins_of::<1>(raw, endian),
        CounterBits::Sixteen => bins_of::<2>(raw, endian),
        CounterBits::ThirtyTwo => bins_of::<4>(raw, endian),
        CounterBits::SixtyFour => bins_of::<8>(raw, endian),
    }
}

/// Decodes bins of `SIZE` bytes. This is a hot path: one pass, no look at a bin twice.
pub(super) fn bins_of<const SIZE: usize>(raw: &[u8], endian: Endian) -> Box<[u64]> {
    let (bins, _) = raw.as_chunks::<SIZE>();
    bins.iter().map(|bin| endian.read_uint(bin)).collect()
}

/// One arc: two addresses and a count of `count_size` bytes.
pub(super) fn arc_of(raw: &[u8], encoding: Encoding, count_size: usize) -> CallArc {
    let word = encoding.address_size.bytes();
    let count = &raw[2 * word..];
    CallArc {
        call_site: Address(encoding.read_word(raw)),
        callee: Address(encoding.read_word(&raw[word..])),
        count: match count_size {
            8 => encoding.endian.read_uint(&count[..8]),
            _ => encoding.endian.read_uint(&count[..4]),
        },
    }
}

/// The bytes of `n_bins` bins of that width, or of those that are there
/// and the error that says how many are missing.
pub(super) fn take_bins<'a>(
    cursor: &mut Cursor<'a>,
    n_bins: u64,
    width: CounterBits,
) -> (&'a [u8], Option<Damage>) {
    let bin_size = width.bytes();
    match cursor.take("histogram", n_bins.saturating_mul(bin_size)) {
        Ok(raw) => (raw, None),
        Err(error) => {
            let n_lost = cursor.remaining() as u64 % bin_size;
            (cursor.take_rest(), Some(Damage { error, n_lost }))
        }
    }
}

/// Adds a histogram, or says at which place the profile refused it.
pub(super) fn add_histogram(
    profile: &mut Profile,
    histogram: Histogram,
    at: &Cursor<'_>,
    hints: &Hints,
) -> Result<(), ReadError> {
    profile
        .add_histogram(histogram, hints.policy.merge)
        .map_err(|error| at.error(error))
}
