//! The layout of BSD and its descendants: no magic, a header with two addresses and a size,
//! bins, and arcs to the end of the file.
//!
//! | field | 64-bit | 32-bit | meaning |
//! |---|---|---|---|
//! | low, high | 0, 8 | 0, 4 | range of the histogram |
//! | size | 16 | 8 | bytes of header and bins |
//! | version | 20 | 12 | `0x51879`; absent before 4.4BSD |
//! | rate | 24 | 16 | ticks per second, 0 if unknown |
//! | spare | 28… | 20… | three words with various meanings |
//!
//! The first spare word is a counter type on FreeBSD (bits per counter, negative if signed),
//! the size of the arc table on OpenBSD 7.8 and later, and uninitialised memory on NetBSD,
//! NuttX and newlib. It is used only if the size of the file confirms it. Source:
//! `sys/sys/gmon.h` (`struct gmonhdr`) of FreeBSD, OpenBSD and NetBSD.

use super::super::cursor::Cursor;
use super::super::error::{ReadError, ReadErrorKind};
use super::super::sparse::Bytes;
use super::super::{
    Beside, Claim, CounterBits, Damage, Format, Hints, Layout, Loaded, ReadPolicy, RequestedLayout,
};
use super::extent::Extent;
use super::{KIND, add_histogram, arc_of, erased_tail, forget_erased_rates, take_bins};
use crate::model::{
    Address, AddressSize, CallArc, Clock, Encoding, Endian, Histogram, InstructionStarts, Profile,
    RecordCounts,
};

pub(super) const VERSION_44BSD: u32 = 0x0005_1879;

/// Minimum size of a file: the size of the GNU header. Every BSD file with a few bins is larger.
const LEAST_SIZE: usize = 20;

/// Default rate, in ticks per second, for headers without one.
pub(super) const RATE_BEFORE_44BSD: u32 = 100;

/// Maximum bytes of code per bin, a coarse `profil` scale of 2.
const COARSEST_BIN: u64 = 1 << 16;

/// Maximum bytes by which a range is longer or shorter than its bins.
const ROUNDING: u64 = 16;

pub(in super::super) struct Bsd;

impl Format for Bsd {
    fn name(&self) -> &'static str {
        "BSD gmon"
    }

    /// Without a magic number, a file qualifies if its sizes agree in some encoding.
    fn sniff(&self, data: Bytes<'_>, hints: &Hints) -> Claim {
        let header = candidates(data, hints).next();
        match header {
            Some(header) if header.has_version() => Claim::Certain,
            Some(_) => Claim::Plausible,
            None => Claim::No,
        }
    }

    /// The sizes of an incomplete file are not evidence.
    fn may_start(&self, head: &[u8], hints: &Hints) -> bool {
        let mut headers = Encoding::ALL
            .into_iter()
            .filter_map(|encoding| parse_header(head.into(), encoding, &hints.policy).ok());
        headers.any(|header| header.has_version() || header.has_sane_bins())
    }

    /// Of a file without the GNU layout, which is asked first.
    fn is_requested(&self, _data: Bytes<'_>, hints: &Hints) -> bool {
        let is_bsd = |layout| matches!(layout, RequestedLayout::Bsd | RequestedLayout::Bsd44);
        hints.layout.map(is_bsd).unwrap_or(!hints.policy.recognises_formats)
    }

    fn is_by_address(&self) -> bool {
        true
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        if let Some(encoding) = hints.encoding.filter(|_| hints.policy.trusts_executable) {
            return read_in_encoding(data, encoding, hints);
        }
        match candidates(data, hints).next() {
            Some(header) => read_body(data, &header, hints),
            None => read_in_encoding(data, hints.encoding.unwrap_or(Encoding::ALL[0]), hints),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Header {
    encoding: Encoding,
    layout: Layout,
    counter_bits: CounterBits,
    low: Address,
    high: Address,
    /// Size of header and bins in bytes.
    size: u32,
    header_size: u32,
    rate: u32,
}

impl Header {
    /// Returns whether the 4.4BSD version word, and so the rate, is present.
    fn has_version(&self) -> bool {
        !self.layout.lacks_rate
    }

    fn n_bins(&self) -> u64 {
        u64::from(self.size - self.header_size) / self.counter_bits.bytes()
    }

    /// Returns whether there are bins, each with a plausible amount of code. Without a version
    /// word, that is a whole number of bytes, as systems of that time wrote it: text read as
    /// numbers has another.
    fn has_sane_bins(&self) -> bool {
        let range = self.high.0.saturating_sub(self.low.0);
        let n_bins = self.n_bins();
        let bytes_per_bin = range.checked_div(n_bins).unwrap_or(0);
        let is_sane = (1..=COARSEST_BIN).contains(&bytes_per_bin);
        let is_whole = || {
            let rounding = bytes_per_bin.max(ROUNDING);
            let n_over = range % n_bins;
            n_over <= rounding || n_bins - n_over <= rounding
        };
        is_sane && (self.has_version() || is_whole())
    }

    /// Returns whether a profiler can have written this header to a file of this size.
    fn is_consistent(&self, file_size: u64) -> bool {
        let is_whole = u64::from(self.size) <= file_size;
        let fits = self.has_sane_bins();
        let is_without_bins = self.n_bins() == 0 && self.low <= self.high;
        if self.has_version() {
            return fits || (is_without_bins && is_whole);
        }
        // The sizes are the only evidence for this layout, so they have to agree.
        let arcs = file_size.saturating_sub(u64::from(self.size));
        is_whole && fits && arcs.is_multiple_of(arc_size(self.encoding))
    }
}

fn arc_size(encoding: Encoding) -> u64 {
    3 * encoding.address_size.bytes() as u64
}

/// The possible headers: the expected encoding first, and headers with a version word before
/// those without. Last, if an encoding is expected, a header without version that only its
/// range and size support, for truncated files.
fn candidates<'a>(data: Bytes<'a>, hints: &'a Hints) -> impl Iterator<Item = Header> + 'a {
    let encodings = || hints.encoding.into_iter().chain(Encoding::ALL);
    let parsed = move |demands_version: bool| {
        encodings().filter_map(move |encoding| {
            let header = parse_header(data, encoding, &hints.policy).ok()?;
            let has_version = header.has_version();
            let fits = has_version == demands_version && header.is_consistent(data.len() as u64);
            fits.then_some(header)
        })
    };
    let cut = hints.encoding.into_iter().filter_map(move |encoding| {
        let header = parse_header(data, encoding, &hints.policy).ok()?;
        header.has_sane_bins().then_some(header)
    });
    parsed(true).chain(parsed(false)).chain(cut)
}

/// Reads in one encoding without checking others.
fn read_in_encoding(
    data: Bytes<'_>,
    encoding: Encoding,
    hints: &Hints,
) -> Result<Loaded, ReadError> {
    let start = Cursor::new(data, encoding);
    // The word after the size is read even if it is not the version.
    let least_size = LEAST_SIZE.max(2 * encoding.address_size.bytes() + 8);
    start.clone().take("gmon header", least_size as u64)?;
    let header = parse_header(data, encoding, &hints.policy)?;
    if hints.layout == Some(RequestedLayout::Bsd44) && !header.has_version() {
        return Err(start.error(ReadErrorKind::NotBsd44));
    }
    read_body(data, &header, hints)
}

/// The profile at the start of some bytes, if other bytes may follow. `version` is the position
/// of the version word.
pub(super) fn extent(data: &[u8], version: usize, hints: &Hints) -> Option<Extent> {
    let header = Encoding::ALL.into_iter().find_map(|encoding| {
        let header = parse_header(data.into(), encoding, &hints.policy).ok()?;
        let is_there = 2 * encoding.address_size.bytes() + 4 == version && header.has_version();
        let is_whole = u64::from(header.size) <= data.len() as u64;
        (is_there && is_whole && header.has_sane_bins()).then_some(header)
    })?;
    let arcs = arcs_after(data, &header, hints);
    let size = header.size as usize + arcs.count() * 3 * header.encoding.address_size.bytes();
    Some(Extent { n_bytes: size, has_histogram: true })
}

/// The same for a header without a version word. Its range, size and calls are the evidence: bins
/// of 2 to 16 bytes, and several calls within the range.
pub(super) fn unmarked_extent(data: &[u8], encoding: Encoding, hints: &Hints) -> Option<Extent> {
    const USUAL_BINS: [u64; 4] = [2, 4, 8, 16];
    const LEAST_ARCS: usize = 3;
    let header = parse_header(data.into(), encoding, &hints.policy).ok()?;
    let range = header.high.0.checked_sub(header.low.0)?;
    let is_usual = |bytes: &u64| range.checked_div(header.n_bins()) == Some(*bytes);
    let is_header = !header.has_version() && header.has_sane_bins();
    if !is_header || !USUAL_BINS.iter().any(is_usual) || u64::from(header.size) > data.len() as u64
    {
        return None;
    }
    let is_within = |address: Address| header.low <= address && address < header.high;
    let arcs = arcs_after(data, &header, hints);
    let n_arcs = arcs.take_while(|arc| is_within(arc.callee)).count();
    let size = header.size as usize + n_arcs * 3 * encoding.address_size.bytes();
    (n_arcs >= LEAST_ARCS).then_some(Extent { n_bytes: size, has_histogram: true })
}

/// The arcs after the bins, up to one whose call site is outside of the range, or that was never
/// called.
fn arcs_after<'a>(
    data: &'a [u8],
    header: &'a Header,
    hints: &Hints,
) -> impl Iterator<Item = CallArc> + 'a {
    let word = header.encoding.address_size.bytes();
    let count_size = if hints.has_short_long { 4 } else { word };
    let records = data[header.size as usize..].chunks_exact(3 * word);
    let arcs = records.map(move |raw| arc_of(raw, header.encoding, count_size));
    arcs.take_while(|arc| {
        arc.count > 0 && header.low <= arc.call_site && arc.call_site <= header.high
    })
}

fn parse_header(
    data: Bytes<'_>,
    encoding: Encoding,
    policy: &ReadPolicy,
) -> Result<Header, ReadError> {
    let mut cursor = Cursor::new(data, encoding);
    let start = cursor.clone();
    let low = cursor.address("low end")?;
    let high = cursor.address("high end")?;
    let size = cursor.u32("size")?;
    let word = u32::from(encoding.address_size == AddressSize::Eight) * 4 + 4;
    let mut header = Header {
        encoding,
        layout: bsd_layout("old BSD", true),
        counter_bits: policy.counter_bits.unwrap_or(CounterBits::Sixteen),
        low,
        high,
        size,
        header_size: 2 * word + 4,
        rate: RATE_BEFORE_44BSD,
    };
    let mut tail = cursor;
    let has_version = tail.u32("version").is_ok_and(|version| version == VERSION_44BSD);
    let mut spare = 0;
    if has_version {
        header.layout = BSD44;
        header.header_size += 20;
        header.rate = tail.u32("rate")?;
        // Unless a policy needs the spare words, they may be missing at the end of the file.
        if policy.knows_bsd_variants {
            spare = tail.u32("spare words")?;
            tail.take("spare words", 8)?;
        }
    }
    if header.size < header.header_size {
        let (size, header) = (header.size, header.header_size);
        return Err(start.error(ReadErrorKind::HeaderSize { size, header }));
    }
    if has_version && policy.knows_bsd_variants {
        let (layout, stated) = layout_of(spare, &header, data.len() as u64);
        header.layout = layout;
        header.counter_bits = policy.counter_bits.unwrap_or(stated);
    }
    Ok(header)
}

/// NetBSD, NuttX, newlib, MinGW and others.
const BSD44: Layout = bsd_layout("4.4BSD", false);

const fn bsd_layout(name: &'static str, lacks_rate: bool) -> Layout {
    Layout { is_bsd: true, lacks_rate, ..Layout::named(name) }
}

/// The meaning of the first spare word of a 4.4BSD header. The two meanings are distinct: no
/// arc table has a size of 8, 16, 32 or 64 bytes.
fn layout_of(spare: u32, header: &Header, file_size: u64) -> (Layout, CounterBits) {
    let arcs = file_size.checked_sub(u64::from(header.size));
    let is_arc_table = arcs == Some(u64::from(spare))
        && u64::from(spare).is_multiple_of(arc_size(header.encoding));
    if spare != 0 && is_arc_table {
        return (bsd_layout("OpenBSD", false), CounterBits::Sixteen);
    }
    let bits = spare.cast_signed().unsigned_abs();
    let of_width = |counter_bits| Header { layout: BSD44, counter_bits, ..*header };
    match width_of(bits) {
        Some((width, name)) if of_width(width).is_consistent(file_size) => {
            (bsd_layout(name, false), width)
        }
        _ => (BSD44, CounterBits::Sixteen),
    }
}

/// The counter width that FreeBSD states, and the name of its layout.
fn width_of(bits: u32) -> Option<(CounterBits, &'static str)> {
    Some(match bits {
        8 => (CounterBits::Eight, "FreeBSD (8-bit counters)"),
        16 => (CounterBits::Sixteen, "FreeBSD (16-bit counters)"),
        32 => (CounterBits::ThirtyTwo, "FreeBSD (32-bit counters)"),
        64 => (CounterBits::SixtyFour, "FreeBSD (64-bit counters)"),
        _ => return None,
    })
}

fn read_body(data: Bytes<'_>, header: &Header, hints: &Hints) -> Result<Loaded, ReadError> {
    let mut cursor = Cursor::new(data, header.encoding);
    let start = cursor.clone();
    let header_size = u64::from(header.header_size);
    if hints.policy.knows_bsd_variants {
        cursor.take("BSD header", header_size)?;
    } else {
        cursor.take("BSD header", header_size.min(data.len() as u64))?;
    }
    let (bins, mut damage) = take_bins(&mut cursor, header.n_bins(), header.counter_bits);
    let histogram = Histogram {
        low: header.low,
        high: header.high,
        n_bins: header.n_bins(),
        bins,
        full_bins: Vec::new(),
        instructions: InstructionStarts::default(),
        clock: Clock::seconds(header.rate),
    };
    let mut profile = Profile::default();
    profile.kind = Some(KIND);
    add_histogram(&mut profile, histogram, &start, hints)?;
    profile.find_full_bins(header.counter_bits.most());
    let (cut_arc, tail) = read_arcs(&mut cursor, header, hints, &mut profile);
    profile.find_full_calls();
    profile.count_records(RecordCounts {
        n_histograms: u64::from(header.n_bins() > 0),
        n_arcs: profile.arcs().len() as u64,
        has_histogram: true,
        has_arcs: true,
        ..RecordCounts::default()
    });
    damage = damage.or(cut_arc.filter(|_| hints.policy.reports_cut_arcs));
    // FreeBSD states the width, and an option is an answer too.
    let is_stated = header.layout != BSD44 && header.has_version();
    let is_open = hints.policy.counter_bits.is_none() && !is_stated;
    let beside = Beside {
        around: None,
        tail,
        has_erased_rate: forget_erased_rates(&mut profile, hints),
        likely_width: likely_width(&profile, header.encoding.endian).filter(|_| is_open),
    };
    let encoding = Some(header.encoding);
    Ok(Loaded { encoding, damage, beside, ..Loaded::of(header.layout, profile) })
}

/// The likely width of counters, from their values read as 16-bit ones. Two 8-bit counters are a
/// multiple of 256 if the first one is 0, which is true for about every second pair with few
/// samples; other counters are a multiple once in 256 times. The upper parts of wide counters are
/// 0, unless these are large.
fn likely_width(profile: &Profile, endian: Endian) -> Option<CounterBits> {
    let bins = &profile.histograms().first()?.bins;
    let n_all = bins.hit().count();
    let n_multiples = bins.hit().filter(|(_, ticks)| ticks.is_multiple_of(256)).count();
    if n_multiples >= 4 && n_multiples * 4 >= n_all {
        return Some(CounterBits::Eight);
    }
    let is_low = |parts: usize| {
        let low = if endian == Endian::Little { 0 } else { parts - 1 };
        let n_low = bins.hit().filter(|(bin, _)| bin % parts == low).count();
        n_low >= 8 && (n_all - n_low) * 4 <= n_low
    };
    let widths = [(4, CounterBits::SixtyFour), (2, CounterBits::ThirtyTwo)];
    widths.into_iter().find(|(parts, _)| is_low(*parts)).map(|(_, width)| width)
}

/// Reads arcs to the end of the file or its erased tail; reports an incomplete one.
fn read_arcs(
    cursor: &mut Cursor<'_>,
    header: &Header,
    hints: &Hints,
    profile: &mut Profile,
) -> (Option<Damage>, Option<(u64, u8)>) {
    let word = header.encoding.address_size.bytes();
    // Windows has a four-byte `long` with eight-byte addresses. After the count follows padding
    // with arbitrary contents.
    let count_size = if hints.has_short_long { 4 } else { word };
    let rest = cursor.clone().take_rest();
    let tail = erased_tail(rest, 3 * word, hints);
    let n_used = tail.map_or(rest.len(), |(n_bytes, _)| rest.len() - n_bytes);
    let whole = n_used - n_used % (3 * word);
    if let Ok(raw) = cursor.take("call arcs", whole as u64) {
        let records = raw.chunks_exact(3 * word);
        profile.add_arcs(records.map(|raw| arc_of(raw, header.encoding, count_size)));
    }
    if let Some((n_bytes, fill)) = tail {
        return (None, Some((n_bytes as u64, fill)));
    }
    while let Ok(raw) = cursor.take("call arc", arc_size(header.encoding)) {
        profile.add_arc(arc_of(raw, header.encoding, count_size));
    }
    let n_lost = cursor.remaining() as u64;
    let error = cursor.take("call arc", arc_size(header.encoding)).err();
    (error.filter(|_| n_lost > 0).map(|error| Damage { error, n_lost }), None)
}
