//! Files of gmon.out from their records, in any order and of any width.

use arbitrary::{Result, Unstructured};
use profan::model::Encoding;

use super::chance::{number, one_in, several};
use super::words::Words;

/// The contents of a file.
#[derive(Clone, Debug)]
pub struct Gmon {
    /// How words are stored.
    pub encoding: Encoding,
    /// The layout.
    pub layout: Layout,
    /// The records, in their order. A layout of BSD has one histogram, the first, and no
    /// blocks.
    pub records: Vec<Record>,
}

/// The layout of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Behind a cookie, with tags and a version.
    Gnu(u32),
    /// Behind a header of three words.
    OldBsd,
    /// After the header of 4.4BSD.
    Bsd44,
}

/// A record.
#[derive(Clone, Debug)]
pub enum Record {
    /// Ticks by address.
    Histogram(Bins),
    /// Calls: from, to, how many.
    Arc(u64, u64, u32),
    /// Counts of basic blocks by address.
    Blocks(Vec<(u64, u64)>),
}

/// A histogram.
#[derive(Clone, Debug)]
pub struct Bins {
    /// Its first address.
    pub low: u64,
    /// The end of the range.
    pub high: u64,
    /// Ticks a second.
    pub rate: u32,
    /// The counted dimension, and a letter for it.
    pub dimension: [u8; 16],
    /// The ticks.
    pub ticks: Vec<u16>,
}

/// The usual dimension: seconds.
pub const SECONDS: [u8; 16] = *b"seconds\0\0\0\0\0\0\0\0s";

impl Gmon {
    /// Any file, and with it addresses that it has things at.
    ///
    /// # Errors
    /// When there are too few bytes.
    pub fn any(bytes: &mut Unstructured<'_>) -> Result<Self> {
        let encoding = *bytes.choose(&Encoding::ALL)?;
        let layouts =
            [Layout::Gnu(1), Layout::Gnu(1), Layout::Gnu(0), Layout::OldBsd, Layout::Bsd44];
        let layout = *bytes.choose(&layouts)?;
        let records = several(bytes, 12, any_record)?;
        Ok(Self { encoding, layout, records })
    }

    /// The file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self.layout {
            Layout::Gnu(version) => self.gnu(version),
            Layout::OldBsd => self.bsd(false),
            Layout::Bsd44 => self.bsd(true),
        }
    }

    /// The first histogram, if there is one.
    #[must_use]
    pub fn histogram(&self) -> Option<&Bins> {
        self.records.iter().find_map(|record| match record {
            Record::Histogram(bins) => Some(bins),
            _ => None,
        })
    }

    fn gnu(&self, version: u32) -> Vec<u8> {
        let mut file = Words::new(self.encoding);
        file.bytes.extend_from_slice(b"gmon");
        file.number(version.into(), 4);
        file.bytes.extend_from_slice(&[0; 12]);
        for record in &self.records {
            match record {
                Record::Histogram(bins) => {
                    file.bytes.push(0);
                    file.word(bins.low);
                    file.word(bins.high);
                    file.number(bins.ticks.len() as u64, 4);
                    file.number(bins.rate.into(), 4);
                    file.bytes.extend_from_slice(&bins.dimension);
                    push_ticks(&mut file, &bins.ticks);
                }
                Record::Arc(from, to, count) => {
                    file.bytes.push(1);
                    file.word(*from);
                    file.word(*to);
                    file.number((*count).into(), 4);
                }
                Record::Blocks(blocks) => {
                    file.bytes.push(2);
                    push_blocks(&mut file, blocks, version);
                }
            }
        }
        file.bytes
    }

    fn bsd(&self, has_version: bool) -> Vec<u8> {
        let mut file = Words::new(self.encoding);
        let empty = Bins { low: 0, high: 0, rate: 100, dimension: SECONDS, ticks: Vec::new() };
        let bins = self.histogram().unwrap_or(&empty);
        let word = self.encoding.address_size.bytes();
        // Numbers of four bytes follow the two addresses: the size, and with a version also the
        // version, the rate and three more.
        let header = 2 * word + if has_version { 24 } else { 4 };
        file.word(bins.low);
        file.word(bins.high);
        file.number((header + 2 * bins.ticks.len()) as u64, 4);
        if has_version {
            file.number(0x51879, 4);
            file.number(bins.rate.into(), 4);
        }
        file.bytes.resize(header, 0);
        push_ticks(&mut file, &bins.ticks);
        for record in &self.records {
            if let Record::Arc(from, to, count) = record {
                file.word(*from);
                file.word(*to);
                file.word((*count).into());
            }
        }
        file.bytes
    }
}

fn push_ticks(file: &mut Words, ticks: &[u16]) {
    for &tick in ticks {
        file.number(tick.into(), 2);
    }
}

/// Version 0 has texts next to the numbers, which are empty here.
fn push_blocks(file: &mut Words, blocks: &[(u64, u64)], version: u32) {
    file.number(blocks.len() as u64, 4);
    let is_old = version == 0;
    if is_old {
        file.bytes.push(0);
    }
    for &(address, count) in blocks {
        file.word(if is_old { count } else { address });
        file.word(if is_old { address } else { count });
        if is_old {
            file.bytes.extend_from_slice(&[0; 6]);
        }
    }
}

fn any_record(bytes: &mut Unstructured<'_>) -> Result<Record> {
    Ok(match bytes.int_in_range(0..=5)? {
        0 | 1 => Record::Histogram(any_bins(bytes)?),
        2 => Record::Blocks(several(bytes, 6, |bytes| Ok((number(bytes)?, number(bytes)?)))?),
        _ => Record::Arc(number(bytes)?, number(bytes)?, bytes.arbitrary()?),
    })
}

fn any_bins(bytes: &mut Unstructured<'_>) -> Result<Bins> {
    let low = number(bytes)?;
    let ticks = several(bytes, 24, |bytes| bytes.arbitrary())?;
    let high = if one_in(bytes, 4)? {
        number(bytes)?
    } else {
        low.wrapping_add(ticks.len() as u64 * bytes.int_in_range(1..=16)?)
    };
    let rate = bytes.int_in_range(0..=2)? * 100;
    let mut dimension = SECONDS;
    if one_in(bytes, 6)? {
        dimension = bytes.arbitrary()?;
    }
    Ok(Bins { low, high, rate, dimension, ticks })
}
