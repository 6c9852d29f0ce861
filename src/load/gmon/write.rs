//! Writes profiles in the layouts of gmon.out.
//!
//! Files have narrow counters: 16 bits for a bin, 32 for an arc. Larger counts are split over
//! several records with the same key, which readers add up, so the tagged layout loses
//! nothing. The BSD layouts have a single histogram; a count that does not fit is an error.

use std::io::{self, Write};

use super::super::{BUFFER_SIZE, RequestedLayout};
use super::bsd::{RATE_BEFORE_44BSD, VERSION_44BSD};
use super::gnu::{COOKIE, TAG_ARC, TAG_BLOCKS, TAG_HISTOGRAM};
use crate::limits::MOST_LISTED;
use crate::model::{
    AddressSize, BasicBlockCount, Bins, CallArc, Clock, Encoding, Endian, Histogram,
    InstructionStarts,
};

const FULL_BIN: u64 = u16::MAX as u64;

/// Maximum number of records for one count. Real counts take few; more would fill the disk.
const MAX_PARTS: u64 = 1 << 12;

#[derive(Clone, Copy, Debug)]
pub struct GmonRecords<'a> {
    pub histograms: &'a [Histogram],
    /// The arcs in slices, in output order.
    pub arcs: &'a [&'a [CallArc]],
    /// Basic blocks; `None` for no record.
    pub blocks: Option<&'a [BasicBlockCount]>,
}

impl GmonRecords<'_> {
    fn arcs(&self) -> impl Iterator<Item = &CallArc> {
        self.arcs.iter().copied().flatten()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    pub encoding: Encoding,
    pub layout: RequestedLayout,
    pub overflow: CounterOverflow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterOverflow {
    /// Split counts over several records.
    Spill,
    /// Drop the upper bits of counts, and all but the first histogram of a BSD file; use the
    /// clock of the first for all.
    Wrap,
}

/// Why a profile cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{n_lost} of {n_bins} histogram bins are missing, too many to write")]
    CutOff { n_lost: u64, n_bins: u64 },
    #[error("a count of {count} needs {n_records} records, too many to write")]
    Huge { count: u64, n_records: u64 },
    #[error("the BSD layouts cannot hold {what}; `--file-format=magic` can")]
    NoRoom { what: &'static str },
}

/// Writes a profile.
///
/// # Errors
/// If writing fails, or the layout cannot store the contents.
pub fn write_profile(
    out: &mut dyn Write,
    records: &GmonRecords<'_>,
    options: &WriteOptions,
) -> Result<(), WriteError> {
    for histogram in records.histograms {
        let n_bins = histogram.n_bins;
        let n_lost = n_bins.saturating_sub(histogram.bins.len() as u64);
        if n_lost > MOST_LISTED as u64 {
            return Err(WriteError::CutOff { n_lost, n_bins });
        }
    }
    if options.overflow == CounterOverflow::Spill && options.layout == RequestedLayout::Gnu {
        check_counts(records)?;
    }
    let mut sink = WordWriter { out, encoding: options.encoding };
    match options.layout {
        RequestedLayout::Bsd | RequestedLayout::Bsd44 => write_bsd(&mut sink, records, options)?,
        _ => write_gnu(&mut sink, records, options.overflow)?,
    }
    Ok(())
}

/// Writes words in the encoding of the target.
struct WordWriter<'a> {
    out: &'a mut dyn Write,
    encoding: Encoding,
}

impl WordWriter<'_> {
    fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// Writes the lower `size` bytes of a number.
    fn number(&mut self, value: u64, size: usize) -> io::Result<()> {
        let mut bytes = [0; 8];
        let lower = value & (u64::MAX >> (64 - 8 * size));
        self.encoding.endian.write_uint(&mut bytes[..size], lower);
        self.raw(&bytes[..size])
    }

    fn word(&mut self, value: u64) -> io::Result<()> {
        self.number(value, self.encoding.address_size.bytes())
    }

    /// Maximum value of a word.
    fn max_word(&self) -> u64 {
        match self.encoding.address_size {
            AddressSize::Four => u64::from(u32::MAX),
            AddressSize::Eight => u64::MAX,
        }
    }

    /// Writes 16-bit counters: for each bin with ticks, `part` of them.
    fn bins(&mut self, histogram: &Histogram, part: impl Fn(u64) -> u64) -> io::Result<()> {
        let mut n_written = 0;
        for (bin, ticks) in histogram.bins.hit() {
            self.zeros(2 * (bin as u64 - n_written))?;
            self.number(part(ticks), 2)?;
            n_written = bin as u64 + 1;
        }
        let n_bins = histogram.n_bins.max(histogram.bins.len() as u64);
        self.zeros(2 * (n_bins - n_written))
    }

    /// Writes arcs, each after a tag if given. A hot path: fills a record in place, and
    /// writes many at once.
    fn arcs(
        &mut self,
        tag: Option<u8>,
        arcs: impl Iterator<Item = CallArc>,
        count_size: usize,
    ) -> io::Result<()> {
        let word = self.encoding.address_size.bytes();
        let n_before = usize::from(tag.is_some());
        let [callee_at, count_at] = [n_before + word, n_before + 2 * word];
        let mut record = [tag.unwrap_or(0); 25];
        let mut block = Vec::new();
        for arc in arcs {
            self.put(&mut record[n_before..callee_at], arc.call_site.0);
            self.put(&mut record[callee_at..count_at], arc.callee.0);
            self.put(&mut record[count_at..count_at + count_size], arc.count);
            block.extend_from_slice(&record[..count_at + count_size]);
            if block.len() >= BUFFER_SIZE {
                self.out.write_all(&block)?;
                block.clear();
            }
        }
        self.raw(&block)
    }

    /// Writes the lower bytes of a number to a slice of four or eight bytes.
    #[inline]
    fn put(&self, place: &mut [u8], value: u64) {
        match (self.encoding.endian, place.len()) {
            (Endian::Little, 4) => place.copy_from_slice(&value.to_le_bytes()[..4]),
            (Endian::Little, _) => place.copy_from_slice(&value.to_le_bytes()),
            (Endian::Big, 4) => place.copy_from_slice(&value.to_be_bytes()[4..]),
            (Endian::Big, _) => place.copy_from_slice(&value.to_be_bytes()),
        }
    }

    fn zeros(&mut self, mut n_bytes: u64) -> io::Result<()> {
        const ZEROS: [u8; 4096] = [0; 4096];
        while n_bytes > 0 {
            let n_now = n_bytes.min(ZEROS.len() as u64);
            self.raw(&ZEROS[..usize::try_from(n_now).expect("it is small")])?;
            n_bytes -= n_now;
        }
        Ok(())
    }
}

/// The parts of a count. A count of 0 has one part.
fn parts(count: u64, max: u64, overflow: CounterOverflow) -> impl Iterator<Item = u64> {
    let n_full = match overflow {
        CounterOverflow::Spill => count.saturating_sub(1) / max,
        CounterOverflow::Wrap => 0,
    };
    let rest = count - n_full * max;
    (0..n_full).map(move |_| max).chain([rest])
}

/// Arcs with counts of at most `max`, split or truncated.
fn parts_of<'a>(
    arcs: impl Iterator<Item = &'a CallArc>,
    max: u64,
    overflow: CounterOverflow,
) -> impl Iterator<Item = CallArc> {
    arcs.flat_map(move |arc| {
        parts(arc.count, max, overflow).map(move |count| CallArc { count, ..*arc })
    })
}

fn write_gnu(
    sink: &mut WordWriter<'_>,
    records: &GmonRecords<'_>,
    overflow: CounterOverflow,
) -> io::Result<()> {
    sink.raw(COOKIE)?;
    sink.number(1, 4)?;
    sink.raw(&[0; 12])?;
    let first = records.histograms.first().map(|h| &h.clock);
    for histogram in records.histograms {
        let clock = match (overflow, first) {
            (CounterOverflow::Wrap, Some(first)) => first,
            _ => &histogram.clock,
        };
        write_histogram(sink, histogram, clock, overflow)?;
    }
    let counts = parts_of(records.arcs(), u64::from(u32::MAX), overflow);
    sink.arcs(Some(TAG_ARC), counts, 4)?;
    match records.blocks {
        Some(blocks) => write_blocks(sink, blocks, overflow),
        None => Ok(()),
    }
}

/// Writes as many histograms as the largest bin needs.
fn write_histogram(
    sink: &mut WordWriter<'_>,
    histogram: &Histogram,
    clock: &Clock,
    overflow: CounterOverflow,
) -> io::Result<()> {
    let most = histogram.bins.most();
    for (index, _) in (0..).zip(parts(most, FULL_BIN, overflow)) {
        let part = |bin: u64| match overflow {
            CounterOverflow::Spill => bin.saturating_sub(index * FULL_BIN).min(FULL_BIN),
            CounterOverflow::Wrap => bin,
        };
        sink.raw(&[TAG_HISTOGRAM])?;
        sink.word(histogram.low.0)?;
        sink.word(histogram.high.0)?;
        sink.number(histogram.n_bins, 4)?;
        sink.number(clock.rate.map_or(0, |rate| rate.get().into()), 4)?;
        let mut dimension = [0; 15];
        let length = clock.dimension.len().min(dimension.len());
        dimension[..length].copy_from_slice(&clock.dimension[..length]);
        sink.raw(&dimension)?;
        sink.raw(&[clock.abbreviation])?;
        sink.bins(histogram, part)?;
    }
    Ok(())
}

fn write_blocks(
    sink: &mut WordWriter<'_>,
    blocks: &[BasicBlockCount],
    overflow: CounterOverflow,
) -> io::Result<()> {
    let max = sink.max_word();
    let written: Vec<BasicBlockCount> = blocks
        .iter()
        .flat_map(|block| {
            parts(block.count, max, overflow).map(|count| BasicBlockCount { count, ..*block })
        })
        .collect();
    sink.raw(&[TAG_BLOCKS])?;
    sink.number(written.len() as u64, 4)?;
    for block in written {
        sink.word(block.address.0)?;
        sink.word(block.count)?;
    }
    Ok(())
}

fn write_bsd(
    sink: &mut WordWriter<'_>,
    records: &GmonRecords<'_>,
    options: &WriteOptions,
) -> Result<(), WriteError> {
    let nothing = Histogram {
        low: Default::default(),
        high: Default::default(),
        n_bins: 0,
        bins: Bins::default(),
        full_bins: Vec::new(),
        instructions: InstructionStarts::default(),
        clock: Clock::seconds(RATE_BEFORE_44BSD),
    };
    let histogram = records.histograms.first().unwrap_or(&nothing);
    let rate = histogram.clock.rate.map_or(0, |rate| rate.get());
    let has_version = options.layout == RequestedLayout::Bsd44 || rate != RATE_BEFORE_44BSD;
    let word = sink.encoding.address_size.bytes() as u64;
    let header_size = 2 * word + 4 + if has_version { 20 } else { 0 };
    let size = header_size + 2 * histogram.n_bins;
    if options.overflow == CounterOverflow::Spill {
        check_room(records, histogram, size)?;
    }
    sink.word(histogram.low.0)?;
    sink.word(histogram.high.0)?;
    sink.number(size, 4)?;
    if has_version {
        sink.number(VERSION_44BSD.into(), 4)?;
        sink.number(rate.into(), 4)?;
        sink.raw(&[0; 12])?;
    }
    sink.bins(histogram, |ticks| ticks)?;
    let max = sink.max_word();
    let counts = parts_of(records.arcs(), max, options.overflow);
    sink.arcs(None, counts, sink.encoding.address_size.bytes())?;
    Ok(())
}

/// Checks that no count needs too many records.
fn check_counts(records: &GmonRecords<'_>) -> Result<(), WriteError> {
    let bins = records.histograms.iter().map(|h| h.bins.most());
    let arcs = records.arcs().map(|arc| arc.count);
    let largest = [(bins.max(), FULL_BIN), (arcs.max(), u64::from(u32::MAX))];
    for (count, max) in largest {
        let count = count.unwrap_or(0);
        let n_records = count.div_ceil(max);
        if n_records > MAX_PARTS {
            return Err(WriteError::Huge { count, n_records });
        }
    }
    Ok(())
}

fn check_room(
    records: &GmonRecords<'_>,
    histogram: &Histogram,
    size: u64,
) -> Result<(), WriteError> {
    let seconds = Clock::seconds(0);
    let is_seconds = histogram.clock.dimension == seconds.dimension;
    let what = if records.histograms.len() > 1 {
        "several histograms"
    } else if histogram.bins.most() > FULL_BIN {
        "so many samples in a bin"
    } else if size > u64::from(u32::MAX) {
        "so many bins"
    } else if !is_seconds {
        "units other than seconds"
    } else if records.blocks.is_some() {
        "basic-block counts"
    } else {
        return Ok(());
    };
    Err(WriteError::NoRoom { what })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::{Hints, Input, ReadPolicy, Sum, load};
    use super::*;
    use crate::model::{Address, MergePolicy, Profile};

    fn encoding() -> impl Strategy<Value = Encoding> {
        (0..4usize).prop_map(|index| Encoding::ALL[index])
    }

    fn count(max: u64) -> impl Strategy<Value = u64> {
        prop_oneof![0..10u64, Just(max), max.saturating_sub(1)..max.saturating_mul(4)]
    }

    fn histogram(low: u64) -> impl Strategy<Value = Histogram> {
        let bins = prop::collection::vec(count(FULL_BIN), 1..20);
        (bins, prop::option::of(1u32..2000)).prop_map(move |(bins, rate)| Histogram {
            low: Address(low),
            high: Address(low + 4 * bins.len() as u64),
            n_bins: bins.len() as u64,
            bins: bins.into(),
            full_bins: Vec::new(),
            instructions: InstructionStarts::default(),
            clock: Clock::seconds(rate.unwrap_or(0)),
        })
    }

    fn arcs() -> impl Strategy<Value = Vec<CallArc>> {
        let arc = (0..50u64, 0..50u64, count(u32::MAX.into()));
        prop::collection::vec(arc, 0..20).prop_map(|arcs| {
            let arcs = arcs.into_iter().map(|(from, to, count)| CallArc {
                call_site: Address(0x1000 + from),
                callee: Address(0x1000 + to),
                count,
            });
            arcs.collect()
        })
    }

    fn profile() -> impl Strategy<Value = Profile> {
        let histograms = (histogram(0x1000), prop::option::of(histogram(0x8000)));
        let block = (0..50u64, count(u32::MAX.into()));
        let blocks = prop::collection::vec(block, 0..5);
        (histograms, arcs(), blocks).prop_map(|((first, second), arcs, blocks)| {
            let mut profile = Profile::default();
            for histogram in [Some(first), second].into_iter().flatten() {
                let added = profile.add_histogram(histogram, MergePolicy::LENIENT);
                added.expect("ranges are apart");
            }
            profile.add_arcs(arcs);
            profile.add_blocks(
                blocks
                    .into_iter()
                    .map(|(address, count)| BasicBlockCount { address: Address(address), count }),
            );
            profile
        })
    }

    fn written(profile: &Profile, encoding: Encoding) -> Vec<u8> {
        let records = GmonRecords {
            histograms: profile.histograms(),
            arcs: &[profile.arcs()],
            blocks: (!profile.blocks().is_empty()).then_some(profile.blocks()),
        };
        let options = WriteOptions {
            encoding,
            layout: RequestedLayout::Gnu,
            overflow: CounterOverflow::Spill,
        };
        let mut bytes = Vec::new();
        write_profile(&mut bytes, &records, &options).expect("a vector takes everything");
        bytes
    }

    fn read_back(bytes: Vec<u8>, encoding: Encoding) -> Profile {
        let hints = Hints {
            encoding: Some(encoding),
            layout: None,
            policy: ReadPolicy::CAREFUL,
            ..Hints::default()
        };
        let input = Input::from_bytes("test".as_ref(), bytes).expect("nothing is compressed");
        let mut sum = Sum::new(ReadPolicy::CAREFUL);
        let loaded = load(&input, &hints).expect("what we write can be read");
        assert_eq!(loaded.damage, None);
        sum.add(loaded).expect("one file fits itself");
        sum.into_profile()
    }

    type Arcs = Vec<(u64, u64, u64)>;
    type Blocks = Vec<(u64, u64)>;

    /// Arcs and blocks, summed by key as readers do.
    fn summed(profile: &Profile) -> (Arcs, Blocks) {
        let mut arcs = Arcs::new();
        for arc in profile.arcs() {
            let (from, to) = (arc.call_site.0, arc.callee.0);
            match arcs.iter_mut().find(|known| (known.0, known.1) == (from, to)) {
                Some(known) => known.2 += arc.count,
                None => arcs.push((from, to, arc.count)),
            }
        }
        let mut blocks = Blocks::new();
        for block in profile.blocks() {
            match blocks.iter_mut().find(|known| known.0 == block.address.0) {
                Some(known) => known.1 += block.count,
                None => blocks.push((block.address.0, block.count)),
            }
        }
        (arcs, blocks)
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read_back(mut profile in profile(), encoding in encoding()) {
            let again = read_back(written(&profile, encoding), encoding);
            // A reader cannot know that a counter was not full.
            profile.find_full_bins(FULL_BIN);
            prop_assert_eq!(profile.histograms(), again.histograms());
            prop_assert_eq!(summed(&profile), summed(&again));
        }
    }

    #[test]
    fn a_count_that_would_fill_the_disk_is_refused() {
        let arc = CallArc { call_site: Address(1), callee: Address(2), count: u64::MAX };
        let records = GmonRecords { histograms: &[], arcs: &[&[arc]], blocks: None };
        let options = WriteOptions {
            encoding: Encoding::ALL[0],
            layout: RequestedLayout::Gnu,
            overflow: CounterOverflow::Spill,
        };
        let mut out = Vec::new();
        let error = write_profile(&mut out, &records, &options).expect_err("it is too much");
        assert!(matches!(error, WriteError::Huge { count: u64::MAX, .. }));
        assert!(out.is_empty());
    }

    #[test]
    fn counts_that_do_not_fit_are_spread_or_cut() {
        let spread = |count, overflow| parts(count, 10, overflow).collect::<Vec<_>>();
        assert_eq!(spread(0, CounterOverflow::Spill), [0]);
        assert_eq!(spread(10, CounterOverflow::Spill), [10]);
        assert_eq!(spread(25, CounterOverflow::Spill), [10, 10, 5]);
        assert_eq!(spread(25, CounterOverflow::Wrap), [25]);
    }
}
