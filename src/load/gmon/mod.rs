//! Common parts of the GNU and BSD layouts of gmon.out.

mod bsd;
mod extent;
mod gnu;
#[cfg(test)]
mod tests;
mod within;
mod write;

pub(super) use bsd::Bsd;
pub(super) use gnu::{COOKIE, Gnu};
pub(super) use within::find_within;
pub use write::{CounterOverflow, GmonRecords, WriteError, WriteOptions, write_profile};

use std::num::NonZeroU32;

use super::cursor::Cursor;
use super::error::ReadError;
use super::{CounterBits, Damage, Hints};
use crate::model::{
    Address, Bins, CallArc, Clock, Counters, Encoding, Endian, FileKind, Histogram,
    InstructionStarts, Profile,
};

/// Ticks by address, and counted calls.
pub(super) const KIND: FileKind = FileKind { is_by_address: true, ..FileKind::named("a gmon.out") };

fn counters_of(raw: &[u8], endian: Endian, width: CounterBits) -> Counters {
    let wide = |size| raw.chunks_exact(size).map(|raw| endian.read_uint(raw)).collect();
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

/// An arc: two addresses and a count of `count_size` bytes.
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

/// The header of a histogram in the GNU layout and in glibc's `LD_PROFILE` files: two
/// addresses, two 32-bit numbers, a dimension of 15 bytes and its abbreviation.
pub(super) fn histogram_head(cursor: &mut Cursor<'_>) -> Result<Histogram, ReadError> {
    let low = cursor.address("histogram low end")?;
    let high = cursor.address("histogram high end")?;
    let n_bins = u64::from(cursor.u32("histogram size")?);
    let rate = cursor.u32("histogram rate")?;
    let names = cursor.take("histogram dimension", 16)?;
    let (dimension, abbreviation) = names.split_at(15);
    let length = dimension.iter().position(|&byte| byte == 0).unwrap_or(15);
    Ok(Histogram {
        low,
        high,
        n_bins,
        bins: Bins::default(),
        full_bins: Vec::new(),
        instructions: InstructionStarts::default(),
        clock: Clock {
            dimension: dimension[..length].into(),
            abbreviation: abbreviation[0],
            ..Clock::seconds(rate)
        },
    })
}

/// `n_bins` bins of this width; or those present, and an error with the number missing. A hot
/// path: one pass over the bins.
pub(super) fn take_bins(
    cursor: &mut Cursor<'_>,
    n_bins: u64,
    width: CounterBits,
) -> (Bins, Option<Damage>) {
    let bin_size = usize::try_from(width.bytes()).expect("a counter is small");
    let what = "histogram";
    let (pieces, n_bytes, damage) =
        match cursor.take_pieces(what, n_bins.saturating_mul(width.bytes()), bin_size) {
            Ok(pieces) => (pieces, n_bins * width.bytes(), None),
            Err(error) => {
                let n_left = cursor.remaining() as u64;
                let n_lost = n_left % width.bytes();
                let pieces = cursor.take_pieces(what, n_left - n_lost, bin_size);
                cursor.take_rest();
                let damage = Damage { error, n_lost };
                (pieces.expect("so much is left"), n_left, Some(damage))
            }
        };
    let n_bins = usize::try_from(n_bytes).expect("so many are there") / bin_size;
    let endian = cursor.encoding().endian;
    let counters = pieces.into_iter();
    let counters = counters.map(|(start, raw)| (start / bin_size, counters_of(raw, endian, width)));
    (Bins::new(n_bins, counters), damage)
}

/// Length and value of the erased bytes after the last entry: 0xff, or at least an entry of 0,
/// which no entry consists of. Compatibility modes read them as entries.
fn erased_tail(rest: &[u8], entry: usize, hints: &Hints) -> Option<(usize, u8)> {
    let fill = *rest.last().filter(|_| hints.policy.recognises_formats)?;
    let n_used = rest.iter().rposition(|&byte| byte != fill).map_or(0, |last| last + 1);
    let n_bytes = rest.len().saturating_sub(n_used.next_multiple_of(entry));
    let is_erased = fill == 0xff && n_bytes > 0 || fill == 0 && n_bytes >= entry;
    is_erased.then_some((n_bytes, fill))
}

/// Takes a rate of 0xffffffff as unknown, and returns whether there was one.
fn forget_erased_rates(profile: &mut Profile, hints: &Hints) -> bool {
    let mut has_any = false;
    for clock in profile.clocks_mut().filter(|_| hints.policy.recognises_formats) {
        let is_erased = clock.rate == Some(NonZeroU32::MAX);
        clock.rate = clock.rate.filter(|_| !is_erased);
        has_any |= is_erased;
    }
    has_any
}

/// Adds a histogram; an error has its position.
pub(super) fn add_histogram(
    profile: &mut Profile,
    histogram: Histogram,
    at: &Cursor<'_>,
    hints: &Hints,
) -> Result<(), ReadError> {
    profile.add_histogram(histogram, hints.policy.merge).map_err(|error| at.error(error))
}
