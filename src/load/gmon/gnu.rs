//! The tagged layout of the GNU C library and its relatives.
//!
//! Twenty bytes of header (`gmon`, a version word, twelve spare bytes), then
//! records to the end of the file, each behind a tag byte: 0 a histogram, 1 a
//! call arc, 2 basic-block counts. Words and addresses are the target's.
//! Source: the header `sys/gmon_out.h` that C libraries install, and files.

use std::cmp::Reverse;

use super::super::cursor::Cursor;
use super::super::error::{ReadError, ReadErrorKind};
use super::super::{Claim, Damage, Format, Hints, Layout, Reading};
use super::{add_histogram, arc_of, bins_of, take_bins};
use crate::model::{
    Address, BasicBlockCount, Clock, Encoding, Histogram, Profile, RecordCounts, RecordKind,
};

pub(in super::super) const COOKIE: &[u8] = b"gmon";
const HEADER_SIZE: u64 = 20;
pub(super) const TAG_HISTOGRAM: u8 = 0;
pub(super) const TAG_ARC: u8 = 1;
pub(super) const TAG_BLOCKS: u8 = 2;

/// The GNU layout.
pub(in super::super) struct Gnu;

impl Format for Gnu {
    fn name(&self) -> &'static str {
        "GNU gmon"
    }

    fn sniff(&self, data: &[u8], _hints: &Hints) -> Claim {
        if data.starts_with(COOKIE) {
            Claim::Certain
        } else {
            Claim::No
        }
    }

    fn read(&self, data: &[u8], hints: &Hints) -> Result<Reading, ReadError> {
        let expected = hints.encoding;
        if let Some(encoding) = expected.filter(|_| hints.policy.trusts_executable) {
            return read_as(data, encoding, hints);
        }
        // The encoding in question first, so that it wins when several do as well.
        let others = Encoding::ALL
            .into_iter()
            .filter(|&encoding| Some(encoding) != expected);
        let mut readings: Vec<Reading> = Vec::new();
        let mut first_error = None;
        for encoding in expected.into_iter().chain(others) {
            match read_as(data, encoding, hints) {
                // None of the others can do better.
                Ok(reading) if fits(&reading) && reading.damage.is_none() => return Ok(reading),
                Ok(reading) => readings.push(reading),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        readings
            .into_iter()
            .min_by_key(|r| {
                let fit = (fits(r), r.is_whole_or_cut_off());
                (Reverse(fit), r.n_lost())
            })
            .ok_or_else(|| first_error.expect("every encoding gave a reading or an error"))
    }
}

/// Whether a profiler can have written the histograms: in a wrong encoding they
/// are empty, reversed, or count something unprintable.
fn fits(reading: &Reading) -> bool {
    reading.profile.histograms().iter().all(|histogram| {
        let range = histogram.high.0.saturating_sub(histogram.low.0);
        let is_text = histogram
            .clock
            .dimension
            .iter()
            .all(|byte| (b' '..=b'~').contains(byte));
        histogram.n_bins > 0 && histogram.n_bins <= range && is_text
    })
}

fn read_as(data: &[u8], encoding: Encoding, hints: &Hints) -> Result<Reading, ReadError> {
    let mut cursor = Cursor::new(data, encoding);
    let version = read_header(&mut cursor)?;
    let mut profile = Profile::default();
    let mut records = RecordCounts::default();
    let mut damage = None;
    while cursor.remaining() > 0 && damage.is_none() {
        let n_lost = cursor.remaining() as u64;
        match read_record(&mut cursor, version, &mut profile, hints) {
            Ok((kind, cut_off)) => {
                records.count(kind);
                damage = cut_off;
            }
            Err(error) => damage = Some(Damage { error, n_lost }),
        }
    }
    profile.count_records(records);
    Ok(Reading {
        profile,
        layout: Layout::Gnu,
        encoding: Some(encoding),
        version: Some(version),
        damage,
    })
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

/// Reads one record. A histogram that was cut off still counts with the bins
/// that are there; the damage is then returned beside its kind.
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
    let low = cursor.address("histogram low end")?;
    let high = cursor.address("histogram high end")?;
    let n_bins = u64::from(cursor.u32("histogram size")?);
    let rate = cursor.u32("histogram rate")?;
    let names = cursor.take("histogram dimension", 16)?;
    let (dimension, abbreviation) = names.split_at(15);
    let length = dimension.iter().position(|&byte| byte == 0).unwrap_or(15);
    let (raw, damage) = take_bins(cursor, n_bins, 2);
    let histogram = Histogram {
        low,
        high,
        n_bins,
        bins: bins_of::<2>(raw, cursor.encoding().endian),
        clock: Clock {
            dimension: dimension[..length].into(),
            abbreviation: abbreviation[0],
            ..Clock::seconds(rate)
        },
    };
    add_histogram(profile, histogram, &start, hints)?;
    Ok(damage)
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

/// Version 0 has a string behind the number of blocks, and count, address, two
/// strings (file and function) and a line for each.
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
