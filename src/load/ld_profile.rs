//! The profile of a shared object that glibc writes if `LD_PROFILE` names the object.
//!
//! The file starts like gmon.out, with another version. After the header of 20 bytes come a
//! histogram and a table of arcs, each after a tag of a whole word:
//!
//! | field | 64-bit | 32-bit | meaning |
//! |---|---|---|---|
//! | tag | 20 | 20 | 0, a histogram |
//! | low, high | 24, 32 | 24, 28 | the code segments, rounded to pages |
//! | bins, rate | 40, 44 | 32, 36 | numbers of bins, and of ticks a second |
//! | dimension | 48 | 40 | 15 bytes, and a letter that is short for it |
//! | ticks | 64 | 56 | two bytes for each bin |
//! | tag | | | 1, arcs |
//! | arcs | | | how many are in use |
//! | each | 20 bytes | 12 bytes | return address, callee, and a count of four bytes |
//!
//! The table has space for further arcs, filled with zeros. Both ends of an arc are distances
//! from `low`; a return address of 0 is outside of the object. A further run continues in the
//! same file: it adds to the bins, and appends its own arcs. Source: `elf/dl-profile.c` in
//! glibc, and files of glibc 2.36 of eight kinds of machines.

use super::cursor::Cursor;
use super::error::{FormatFault, ReadError, ReadErrorKind};
use super::gmon::{self, COOKIE};
use super::sparse::Bytes;
use super::{Claim, CounterBits, Damage, FilePart, Format, Hints, Layout, Loaded};
use crate::model::{
    Address, AddressSize, CallArc, Encoding, Endian, Histogram, Profile, RecordCounts,
};

/// The version word, which also shows the byte order.
const VERSION: u32 = 0x0001_ffff;
const HEADER_SIZE: u64 = 20;
const TAG_HISTOGRAM: u32 = 0;
const TAG_ARCS: u32 = 1;
const COUNT_SIZE: usize = 4;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum LdProfileFault {
    #[error("the histogram header is invalid for both 32-bit and 64-bit words")]
    NoHistogram,
    #[error("the file is valid for both 32-bit and 64-bit words: only its library can tell")]
    TwoSizes,
    #[error("expected tag 1 (call arcs), but found {tag}")]
    NoArcs { tag: u32 },
    #[error("the file contains more than the {n_arcs} arcs that its header counts")]
    MoreArcs { n_arcs: u32 },
}

impl FormatFault for LdProfileFault {}

pub(super) struct LdProfile;

impl Format for LdProfile {
    fn name(&self) -> &'static str {
        "LD_PROFILE"
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        Claim::certain_if(endian_of(data.start()).is_some())
    }

    fn part(&self) -> FilePart {
        FilePart::Library
    }

    fn is_by_address(&self) -> bool {
        true
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        let endian = endian_of(data.start()).unwrap_or(Endian::Little);
        let sizes = [AddressSize::Eight, AddressSize::Four];
        let mut fitting: Vec<Loaded> = Vec::new();
        let mut error = None;
        for encoding in sizes.map(|size| Encoding::new(endian, size)) {
            match read_as(data, encoding) {
                Ok(reading) => fitting.push(reading),
                // An error about missing bytes is more helpful than one about invalid bytes.
                Err(found) => match (&found.kind, &error) {
                    (ReadErrorKind::Short { .. }, _) | (_, None) => error = Some(found),
                    _ => {}
                },
            }
        }
        let is_whole = |reading: &Loaded| reading.damage.is_none();
        if fitting.iter().any(is_whole) {
            fitting.retain(is_whole);
        }
        if fitting.len() > 1 && hints.encoding.is_some() {
            fitting.retain(|reading| reading.encoding == hints.encoding);
        }
        let start = Cursor::new(data, Encoding::ALL[0]);
        let two_sizes = start.error(LdProfileFault::TwoSizes);
        match fitting.len() {
            0 => Err(error.unwrap_or(two_sizes)),
            1 => Ok(fitting.remove(0)),
            _ => Err(two_sizes),
        }
    }
}

/// The byte order in which the version is valid.
fn endian_of(data: &[u8]) -> Option<Endian> {
    let version = data.strip_prefix(COOKIE)?.get(..4)?;
    [Endian::Little, Endian::Big]
        .into_iter()
        .find(|endian| endian.read_uint(version) == u64::from(VERSION))
}

fn read_as(data: Bytes<'_>, encoding: Encoding) -> Result<Loaded, ReadError> {
    let mut cursor = Cursor::new(data, encoding);
    cursor.take("header", HEADER_SIZE)?;
    let mut profile = Profile::default();
    profile.kind = Some(gmon::KIND);
    let (histogram, mut damage) = read_histogram(&mut cursor)?;
    let low = histogram.low;
    gmon::add_histogram(&mut profile, histogram, &cursor, &Hints::default())?;
    profile.find_full_bins(CounterBits::Sixteen.most());
    if damage.is_none() {
        damage = read_arcs(&mut cursor, low, &mut profile);
        profile.find_full_calls();
    }
    profile.count_records(RecordCounts {
        n_histograms: 1,
        n_arcs: profile.arcs().len() as u64,
        has_histogram: true,
        has_arcs: true,
        ..RecordCounts::default()
    });
    let layout = Layout { is_of_library: true, ..Layout::named("LD_PROFILE") };
    Ok(Loaded { encoding: Some(encoding), damage, ..Loaded::of(layout, profile) })
}

/// The histogram, with the bins present.
fn read_histogram(cursor: &mut Cursor<'_>) -> Result<(Histogram, Option<Damage>), ReadError> {
    let start = cursor.clone();
    let tag = cursor.u32("tag of the histogram")?;
    let mut histogram = gmon::histogram_head(cursor)?;
    let (dimension, n_bins) = (&histogram.clock.dimension, histogram.n_bins);
    let range = histogram.high.0.saturating_sub(histogram.low.0);
    let is_text = dimension.iter().all(|byte| (b' '..=b'~').contains(byte));
    let fits =
        tag == TAG_HISTOGRAM && (1..=range).contains(&n_bins) && !dimension.is_empty() && is_text;
    if !fits {
        return Err(start.error(LdProfileFault::NoHistogram));
    }
    let (bins, damage) = gmon::take_bins(cursor, n_bins, CounterBits::Sixteen);
    histogram.bins = bins;
    Ok((histogram, damage))
}

/// Adds the used arcs, and reports missing ones.
fn read_arcs(cursor: &mut Cursor<'_>, low: Address, profile: &mut Profile) -> Option<Damage> {
    let start = cursor.clone();
    let n_lost = start.remaining() as u64;
    let (tag, n_arcs) = match read_arc_head(cursor) {
        Ok(head) => head,
        Err(error) => return Some(Damage { error, n_lost }),
    };
    if tag != TAG_ARCS {
        let error = start.error(LdProfileFault::NoArcs { tag });
        return Some(Damage { error, n_lost });
    }
    let encoding = cursor.encoding();
    let size = 2 * encoding.address_size.bytes() + COUNT_SIZE;
    for _ in 0..n_arcs {
        let n_lost = cursor.remaining() as u64;
        match cursor.take("call arc", size as u64) {
            // Space reserved for an arc that was never counted.
            Ok(raw) if raw.iter().all(|&byte| byte == 0) => {}
            Ok(raw) => profile.add_arc(placed(gmon::arc_of(raw, encoding, COUNT_SIZE), low)),
            Err(error) => return Some(Damage { error, n_lost }),
        }
    }
    let end = cursor.clone();
    // A program that is killed while it adds an arc leaves one that is not counted.
    let room = cursor.take_pieces("room for arcs", cursor.remaining() as u64, 1);
    let is_empty = room.is_ok_and(|pieces| {
        let mut pieces = pieces.iter();
        pieces.all(|&(start, bytes)| {
            let mut bytes = bytes.iter().skip(size.saturating_sub(start));
            bytes.all(|&byte| byte == 0)
        })
    });
    (!is_empty).then(|| Damage {
        error: end.error(LdProfileFault::MoreArcs { n_arcs }),
        n_lost: end.remaining() as u64,
    })
}

fn read_arc_head(cursor: &mut Cursor<'_>) -> Result<(u32, u32), ReadError> {
    Ok((cursor.u32("tag of the arcs")?, cursor.u32("number of arcs")?))
}

/// Converts distances to addresses.
fn placed(arc: CallArc, low: Address) -> CallArc {
    let address = |distance: Address| Address(low.0.wrapping_add(distance.0));
    CallArc {
        call_site: match arc.call_site {
            Address(0) => CallArc::OUTSIDE,
            distance => address(distance),
        },
        callee: address(arc.callee),
        count: arc.count,
    }
}

#[cfg(test)]
mod tests;
