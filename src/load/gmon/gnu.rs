//! The tagged layout of the GNU C library and others.
//!
//! A header of 20 bytes (`gmon`, a version word, 12 spare bytes), then records to the end of
//! the file, each after a tag byte: 0 a histogram, 1 an arc, 2 basic-block counts. Words and
//! addresses are the target's. Source: `gmon/sys/gmon_out.h` in glibc, which C libraries
//! install as `sys/gmon_out.h`.

use std::cmp::Reverse;
use std::ops::Range;

use super::super::cursor::Cursor;
use super::super::error::{ReadError, ReadErrorKind};
use super::super::format::RequestedLayout;
use super::super::sparse::Bytes;
use super::super::{Beside, Claim, CounterBits, Damage, Format, Hints, Layout, Loaded};
use super::extent::Extent;
use super::{
    KIND, add_histogram, arc_of, erased_tail, forget_erased_rates, histogram_head, take_bins,
};
use crate::model::{
    Address, BasicBlockCount, Encoding, Histogram, Profile, RecordCounts, RecordKind,
};

pub(in super::super) const COOKIE: &[u8] = b"gmon";
const HEADER_SIZE: u64 = 20;
pub(super) const TAG_HISTOGRAM: u8 = 0;
pub(super) const TAG_ARC: u8 = 1;
pub(super) const TAG_BLOCKS: u8 = 2;

pub(in super::super) struct Gnu;

impl Format for Gnu {
    fn name(&self) -> &'static str {
        "GNU gmon"
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        Claim::certain_if(data.start().starts_with(COOKIE))
    }

    fn is_requested(&self, data: Bytes<'_>, hints: &Hints) -> bool {
        let is_mine = || self.sniff(data, hints) == Claim::Certain;
        let layout = hints.layout.map(|layout| layout == RequestedLayout::Gnu);
        layout.unwrap_or_else(|| !hints.policy.recognises_formats && is_mine())
    }

    fn is_by_address(&self) -> bool {
        true
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        let expected = hints.encoding;
        if let Some(encoding) = expected.filter(|_| hints.policy.trusts_executable) {
            return read_as(data, encoding, hints);
        }
        // The encoding in question first, so that it wins when several do as well.
        let others = Encoding::ALL.into_iter().filter(|&encoding| Some(encoding) != expected);
        let mut readings: Vec<Loaded> = Vec::new();
        let mut first_error = None;
        for encoding in expected.into_iter().chain(others) {
            match read_as(data, encoding, hints) {
                // The other encodings cannot fit better.
                Ok(reading) if encoding_fit(&reading) == EncodingFit::Sound => return Ok(reading),
                Ok(reading) => readings.push(reading),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        readings
            .into_iter()
            .min_by_key(|reading| {
                let is_expected = expected.is_some() && reading.encoding == expected;
                let rank = (encoding_fit(reading), is_expected);
                (Reverse(rank), reading.n_lost(), n_calls(reading))
            })
            .map(|reading| with_likely_width(reading, data, hints))
            .ok_or_else(|| first_error.expect("every encoding gave a reading or an error"))
    }
}

/// Explains damage that another counter width would remove. A truncated file is damaged in
/// any width.
fn with_likely_width(mut reading: Loaded, data: Bytes<'_>, hints: &Hints) -> Loaded {
    let encoding = reading.encoding.filter(|_| !reading.is_whole_or_cut_off());
    let (Some(encoding), Some(damage), None) =
        (encoding, &mut reading.damage, hints.policy.counter_bits)
    else {
        return reading;
    };
    let is_sound = |width: &CounterBits| {
        let mut hints = *hints;
        hints.policy.counter_bits = Some(*width);
        let read = read_as(data, encoding, &hints);
        read.is_ok_and(|reading| encoding_fit(&reading) == EncodingFit::Sound)
    };
    if let Some(width) = CounterBits::ALL.into_iter().find(is_sound) {
        let bits = 8 * width.bytes();
        damage.error.kind = ReadErrorKind::CounterBits { bits };
    }
    reading
}

/// How well an encoding fits a file, worst first.
///
/// Records are contiguous: in a wrong encoding the second tag is rarely valid, and a file that
/// consists of records up to its last byte fits. Without a histogram this is the only check,
/// since arcs and blocks may have any values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum EncodingFit {
    /// Damaged, after histograms that no profiler writes.
    Unusual,
    /// An invalid tag after plausible records.
    Damaged,
    /// The last record is incomplete.
    CutOff,
    /// As `CutOff` or `Damaged`, after histograms that a profiler can have written.
    Likely { is_cut_off: bool },
    /// Complete records, without evidence of the encoding.
    Whole,
    /// Complete records, with histograms that a profiler can have written.
    Sound,
}

fn encoding_fit(reading: &Loaded) -> EncodingFit {
    let histograms = reading.profile.histograms();
    let n_odd = histograms.iter().filter(|h| !is_likely(h)).count();
    let has_likely = n_odd == 0 && histograms.iter().any(|h| h.n_bins > 0);
    let is_cut_off = reading.is_whole_or_cut_off();
    match (&reading.damage, has_likely) {
        (None, true) => EncodingFit::Sound,
        (None, false) => EncodingFit::Whole,
        (Some(_), true) => EncodingFit::Likely { is_cut_off },
        (Some(_), false) if n_odd > 0 => EncodingFit::Unusual,
        (Some(_), false) if is_cut_off => EncodingFit::CutOff,
        (Some(_), false) => EncodingFit::Damaged,
    }
}

/// Returns whether a profiler can have written a histogram: in a wrong encoding it is reversed,
/// or its dimension is not printable. A histogram without bins is not evidence.
fn is_likely(histogram: &Histogram) -> bool {
    let range = histogram.high.0.saturating_sub(histogram.low.0);
    let dimension = &*histogram.clock.dimension;
    let is_text = dimension.iter().all(|byte| (b' '..=b'~').contains(byte));
    histogram.n_bins <= range && is_text && !dimension.is_empty()
}

/// Number of calls. In the wrong byte order it is much larger.
fn n_calls(reading: &Loaded) -> u64 {
    let arcs = reading.profile.arcs().iter();
    arcs.fold(0, |sum, arc| sum.saturating_add(arc.count))
}

fn read_as(data: Bytes<'_>, encoding: Encoding, hints: &Hints) -> Result<Loaded, ReadError> {
    let mut cursor = Cursor::new(data, encoding);
    let version = read_header(&mut cursor)?;
    let mut profile = Profile::default();
    let mut records = RecordCounts::default();
    let mut damage = None;
    let mut tail = None;
    while cursor.remaining() > 0 && damage.is_none() {
        records.count(RecordKind::Arc, read_arcs(&mut cursor, &mut profile));
        if cursor.remaining() == 0 {
            break;
        }
        let rest = cursor.clone().take_rest();
        let erased = erased_tail(rest, 1, hints).filter(|_| records != RecordCounts::default());
        if let Some((n_bytes, fill)) = erased.filter(|(n_bytes, _)| *n_bytes == cursor.remaining())
        {
            tail = Some((n_bytes as u64, fill));
            break;
        }
        let n_lost = cursor.remaining() as u64;
        match read_record(&mut cursor, version, &mut profile, hints) {
            Ok((kind, cut_off)) => {
                records.count(kind, 1);
                damage = cut_off;
            }
            Err(error) => damage = Some(Damage { error, n_lost }),
        }
    }
    profile.count_records(records);
    profile.kind = (records != RecordCounts::default()).then_some(KIND);
    profile.find_full_bins(counter_bits(hints).most());
    profile.find_full_calls();
    let has_erased_rate = forget_erased_rates(&mut profile, hints);
    Ok(Loaded {
        encoding: Some(encoding),
        version: Some(version),
        damage,
        beside: Beside { tail, has_erased_rate, ..Beside::default() },
        ..Loaded::of(Layout::named("GNU"), profile)
    })
}

/// The profile at the start of some bytes, if other bytes may follow: up to the first record
/// that no profiler writes.
pub(super) fn extent(data: &[u8], hints: &Hints) -> Option<Extent> {
    let extents = Encoding::ALL.into_iter().filter_map(|encoding| {
        let mut cursor = Cursor::new(data, encoding);
        read_header(&mut cursor).ok().filter(|version| *version == 1)?;
        let mut next = cursor.clone();
        let mut range = None;
        let mut n_records = 0;
        while skip_record(&mut next, &mut range, hints).is_some() {
            cursor = next.clone();
            n_records += 1;
        }
        let n_bytes = data.len() - cursor.remaining();
        let extent = Extent { n_bytes, has_histogram: range.is_some() };
        (n_records > 0).then_some((n_records, extent))
    });
    let best = extents.max_by_key(|(n_records, extent)| (extent.has_histogram, *n_records));
    best.map(|(_, extent)| extent)
}

/// Skips a record that a profiler can have written; `range` is that of the histograms before
/// it, which contains all call sites.
fn skip_record(
    cursor: &mut Cursor<'_>,
    range: &mut Option<Range<Address>>,
    hints: &Hints,
) -> Option<()> {
    match cursor.u8("record tag").ok()? {
        TAG_HISTOGRAM => {
            let found = histogram_head(cursor).ok()?;
            if found.n_bins == 0 || !is_likely(&found) {
                return None;
            }
            let range = range.get_or_insert(found.low..found.high);
            *range = range.start.min(found.low)..range.end.max(found.high);
            // The end of the last one may be missing.
            let n_bytes = found.n_bins.saturating_mul(counter_bits(hints).bytes());
            cursor.take("histogram", n_bytes.min(cursor.remaining() as u64)).ok()?;
        }
        TAG_ARC => {
            let size = 2 * cursor.encoding().address_size.bytes() + 4;
            let raw = cursor.take("call arc", size as u64).ok()?;
            let site = arc_of(raw, cursor.encoding(), 4).call_site;
            let is_within = |range: &Range<Address>| range.start <= site && site <= range.end;
            return range.as_ref().is_none_or(is_within).then_some(());
        }
        TAG_BLOCKS => {
            let n_blocks = u64::from(cursor.u32("number of basic blocks").ok()?);
            let word = cursor.encoding().address_size.bytes() as u64;
            cursor.take("basic-block counts", n_blocks * 2 * word).ok()?;
        }
        _ => return None,
    }
    Some(())
}

fn read_header(cursor: &mut Cursor<'_>) -> Result<u32, ReadError> {
    let start = cursor.clone();
    let header = cursor.take("GNU header", HEADER_SIZE)?;
    if !header.starts_with(COOKIE) {
        return Err(start.error(ReadErrorKind::NoCookie));
    }
    let mut words = start;
    words.take("cookie", 4)?;
    match words.clone().u32("version")? {
        version @ (0 | 1) => Ok(version),
        version => Err(words.error(ReadErrorKind::Version { version })),
    }
}

/// Reads consecutive complete arcs, and returns their number. A hot path: arcs are the most
/// frequent records.
fn read_arcs(cursor: &mut Cursor<'_>, profile: &mut Profile) -> u64 {
    let encoding = cursor.encoding();
    let size = 1 + 2 * encoding.address_size.bytes() + 4;
    let records = cursor.clone().take_rest().chunks_exact(size);
    let n_arcs = records.take_while(|record| record[0] == TAG_ARC).count();
    let Ok(raw) = cursor.take("call arcs", (n_arcs * size) as u64) else {
        return 0;
    };
    let records = raw.chunks_exact(size);
    profile.add_arcs(records.map(|record| arc_of(&record[1..], encoding, 4)));
    n_arcs as u64
}

/// Reads a record. A truncated histogram keeps the bins present; the damage is returned with
/// its kind.
fn read_record(
    cursor: &mut Cursor<'_>,
    version: u32,
    profile: &mut Profile,
    hints: &Hints,
) -> Result<(RecordKind, Option<Damage>), ReadError> {
    let start = cursor.clone();
    match cursor.u8("record tag")? {
        TAG_HISTOGRAM => {
            let damage = read_histogram(cursor, profile, hints)?;
            Ok((RecordKind::Histogram, damage))
        }
        TAG_ARC => {
            let size = 2 * cursor.encoding().address_size.bytes() + 4;
            let raw = cursor.take("call arc", size as u64)?;
            profile.add_arc(arc_of(raw, cursor.encoding(), 4));
            Ok((RecordKind::Arc, None))
        }
        TAG_BLOCKS => {
            profile.add_blocks(match version {
                0 => read_blocks_of_version_0(cursor)?,
                _ => read_blocks(cursor)?,
            });
            Ok((RecordKind::Blocks, None))
        }
        tag => Err(start.error(ReadErrorKind::Tag { tag })),
    }
}

fn read_histogram(
    cursor: &mut Cursor<'_>,
    profile: &mut Profile,
    hints: &Hints,
) -> Result<Option<Damage>, ReadError> {
    let start = cursor.clone();
    let mut histogram = histogram_head(cursor)?;
    let (bins, damage) = take_bins(cursor, histogram.n_bins, counter_bits(hints));
    histogram.bins = bins;
    add_histogram(profile, histogram, &start, hints)?;
    Ok(damage)
}

/// The layout does not store the counter width.
fn counter_bits(hints: &Hints) -> CounterBits {
    hints.policy.counter_bits.unwrap_or(CounterBits::Sixteen)
}

fn read_blocks(cursor: &mut Cursor<'_>) -> Result<Vec<BasicBlockCount>, ReadError> {
    let n_blocks = u64::from(cursor.u32("number of basic blocks")?);
    let word = cursor.encoding().address_size.bytes();
    let raw = cursor.take("basic-block counts", n_blocks * 2 * word as u64)?;
    let mut pairs = Cursor::new(raw, cursor.encoding());
    let mut blocks = Vec::with_capacity(raw.len() / (2 * word));
    while pairs.remaining() > 0 {
        blocks.push(BasicBlockCount {
            address: pairs.address("basic block")?,
            count: pairs.address("basic-block count")?.0,
        });
    }
    Ok(blocks)
}

/// In version 0, a string follows the number of blocks, and each block has a count, an
/// address, two strings (file and function) and a line.
fn read_blocks_of_version_0(cursor: &mut Cursor<'_>) -> Result<Vec<BasicBlockCount>, ReadError> {
    let n_blocks = cursor.u32("number of basic blocks")?;
    cursor.skip_string("name of the basic blocks")?;
    let mut blocks = Vec::new();
    for _ in 0..n_blocks {
        let Address(count) = cursor.address("basic-block count")?;
        let address = cursor.address("basic block")?;
        cursor.skip_string("file of a basic block")?;
        cursor.skip_string("function of a basic block")?;
        cursor.u32("line of a basic block")?;
        blocks.push(BasicBlockCount { address, count });
    }
    Ok(blocks)
}
