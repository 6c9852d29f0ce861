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
use super::sparse::Pieces;
use super::{CounterBits, Damage, Hints};
use crate::model::{
    Address, Bins, CallArc, Counters, Encoding, Endian, FileKind, Histogram, Profile,
};

/// Time by address and counted calls.
pub(super) const KIND: FileKind = FileKind {
    is_by_address: true,
    ..FileKind::named("a gmon.out")
};

/// Bins as they are stored.
pub(super) struct RawBins<'a> {
    n_bins: usize,
    width: CounterBits,
    pieces: Pieces<'a>,
}

impl RawBins<'_> {
    /// Decodes them. This is a hot path: one pass, no look at a bin twice.
    pub(super) fn decode(&self, endian: Endian) -> Bins {
        let width = self.width.bytes();
        let pieces = self.pieces.iter().map(|&(start, raw)| {
            let start = start as u64 / width;
            let start = usize::try_from(start).expect("it is no larger than before");
            (start, counters_of(raw, endian, self.width))
        });
        Bins::new(self.n_bins, pieces)
    }
}

fn counters_of(raw: &[u8], endian: Endian, width: CounterBits) -> Counters {
    let wide = |size| {
        raw.chunks_exact(size)
            .map(|raw| endian.read_uint(raw))
            .collect()
    };
    match (width, endian) {
        (CounterBits::Eight, _) => Counters::Narrow(raw.iter().map(|&n| n.into()).collect()),
        (CounterBits::Sixteen, Endian::Little) => {
            Counters::Narrow(decoded(raw, u16::from_le_bytes))
        }
        (CounterBits::Sixteen, Endian::Big) => Counters::Narrow(decoded(raw, u16::from_be_bytes)),
        (CounterBits::ThirtyTwo, _) => Counters::Wide(wide(4)),
        (CounterBits::SixtyFour, _) => Counters::Wide(wide(8)),
    }
}

fn decoded(raw: &[u8], number: impl Fn([u8; 2]) -> u16) -> Box<[u16]> {
    let (counters, _) = raw.as_chunks::<2>();
    counters.iter().map(|&counter| number(counter)).collect()
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
) -> (RawBins<'a>, Option<Damage>) {
    let bin_size = width.bytes();
    let step = usize::try_from(bin_size).expect("a counter is small");
    let what = "histogram";
    let raw = |pieces, n_bins: u64| RawBins {
        n_bins: usize::try_from(n_bins).expect("there are no more than bytes"),
        width,
        pieces,
    };
    match cursor.take_pieces(what, n_bins.saturating_mul(bin_size), step) {
        Ok(pieces) => (raw(pieces, n_bins), None),
        Err(error) => {
            let n_left = cursor.remaining() as u64;
            let n_lost = n_left % bin_size;
            let pieces = cursor.take_pieces(what, n_left - n_lost, step);
            let pieces = pieces.expect("so much is left");
            cursor.take_rest();
            let damage = Damage { error, n_lost };
            (raw(pieces, n_left / bin_size), Some(damage))
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
