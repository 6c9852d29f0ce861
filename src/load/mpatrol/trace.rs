//! mpatrol's allocation trace, `MTRC`: events in order.
//!
//! Events follow the header, each a letter and LEB128 numbers; the four letters again end the
//! file. From version 10405 on, allocations, reallocations and frees have a thread, function,
//! file and line. Source: `src/trace.c` of mpatrol 1.5.1, and files of versions 10300 to
//! 10501.

use std::io::Read;
use std::num::NonZeroU64;

use super::super::error::ReadError;
use super::byte_source::ByteSource;
use super::fault::TraceError;
use super::name_cache::{NameCache, NameSlot};
use super::{OTHER_MARKER, TRACE_MAGIC, VERSION_END, encoding_of};
use crate::model::{Address, AllocationIndex, Encoding, EventLocation, Region, TraceEvent};

/// First version in which events have locations.
const FIRST_WITH_PLACES: u32 = 10405;

/// Location of the last event, as the file refers to it.
#[derive(Clone, Copy, Default)]
pub(super) struct LocationNumbers {
    pub(super) thread: u64,
    pub(super) function: Option<NameSlot>,
    pub(super) file: Option<NameSlot>,
    pub(super) line: Option<NonZeroU64>,
}

/// Reads the events of a trace one by one, in constant memory.
pub struct TraceReader<'a> {
    source: ByteSource<'a>,
    encoding: Encoding,
    version: u32,
    pub(super) functions: NameCache,
    pub(super) files: NameCache,
    pub(super) location: LocationNumbers,
    /// Position of the last event.
    event_start: u64,
    is_at_end: bool,
}

impl<'a> TraceReader<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it is not the start of a trace.
    pub fn new(reader: Box<dyn Read + 'a>) -> Result<Self, ReadError> {
        let mut source = ByteSource::new(reader);
        let (encoding, version) = read_header(&mut source)?;
        source.limit_numbers(encoding.address_size);
        Ok(Self {
            event_start: source.offset(),
            source,
            encoding,
            version,
            functions: NameCache::new("the name of a function"),
            files: NameCache::new("the name of a source file"),
            location: LocationNumbers::default(),
            is_at_end: false,
        })
    }

    /// Completes a number with zeros if the input ends after at least this many of its bytes,
    /// and reports the truncation after that event.
    pub fn completing_numbers(mut self, min_bytes: u64) -> Self {
        self.source.complete_numbers(min_bytes);
        self
    }

    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub fn version(&self) -> u32 {
        self.version
    }

    /// The next event; `None` after the last one.
    ///
    /// # Errors
    /// If the trace is truncated or damaged. Loaded cannot continue.
    #[inline(always)]
    pub fn next_event(&mut self) -> Result<Option<TraceEvent>, ReadError> {
        if self.is_at_end {
            return Ok(None);
        }
        self.event_start = self.source.offset();
        let source = &mut self.source;
        let tag = source.byte("the events, before `MTRC`")?;
        let event = match tag {
            b'A' | b'R' => {
                let (index, region) = (index(source)?, region(source)?);
                match tag {
                    b'A' => TraceEvent::Allocated(index, region),
                    _ => TraceEvent::Reallocated(index, region),
                }
            }
            b'F' => TraceEvent::Freed(index(source)?),
            b'H' => return Ok(Some(TraceEvent::Reserved(region(source)?))),
            b'I' => return Ok(Some(TraceEvent::Internal(region(source)?))),
            _ => return self.read_end(tag),
        };
        if self.version >= FIRST_WITH_PLACES {
            self.location = self.read_location()?;
        }
        Ok(Some(event))
    }

    /// Location of the last allocation, reallocation or free.
    pub fn location(&self) -> EventLocation<'_> {
        let LocationNumbers { thread, function, file, line } = self.location;
        EventLocation {
            thread,
            function: function.map(|slot| self.functions.name(slot)),
            file: file.map(|slot| self.files.name(slot)),
            line,
        }
    }

    /// Returns whether `n_bytes` bytes followed the start of the last number.
    #[inline]
    pub fn had_left(&mut self, n_bytes: u64) -> bool {
        self.source.had_left(n_bytes)
    }

    /// Bytes since the last complete event, after an error.
    pub(super) fn n_lost(&self) -> u64 {
        self.source.offset() - self.event_start
    }

    #[inline(always)]
    fn read_location(&mut self) -> Result<LocationNumbers, ReadError> {
        Ok(LocationNumbers {
            thread: self.source.leb128("a thread")?,
            function: self.functions.read(&mut self.source)?,
            file: self.files.read(&mut self.source)?,
            line: NonZeroU64::new(self.source.leb128("a line")?),
        })
    }

    /// Checks the letters after the last event; the rest is ignored.
    fn read_end(&mut self, first: u8) -> Result<Option<TraceEvent>, ReadError> {
        if let Some(truncation) = self.source.truncation() {
            return Err(truncation.clone());
        }
        if first != TRACE_MAGIC[0] {
            return Err(self.source.error(TraceError::Event(first)));
        }
        let mut rest = [0; 3];
        self.source.fill("the `MTRC` at the end", &mut rest)?;
        if rest != TRACE_MAGIC[1..] {
            return Err(self.source.error(TraceError::Magic("end")));
        }
        self.is_at_end = true;
        Ok(None)
    }
}

#[inline(always)]
fn index(source: &mut ByteSource<'_>) -> Result<AllocationIndex, ReadError> {
    source.leb128("an allocation index").map(AllocationIndex)
}

#[inline(always)]
fn region(source: &mut ByteSource<'_>) -> Result<Region, ReadError> {
    Ok(Region { address: Address(source.leb128("an address")?), size: source.leb128("a size")? })
}

fn read_header(source: &mut ByteSource<'_>) -> Result<(Encoding, u32), ReadError> {
    const WHAT: &str = "the header";
    let mut magic = [0; 4];
    source.fill(WHAT, &mut magic)?;
    if magic != *TRACE_MAGIC {
        return Err(source.error(TraceError::Magic("start")));
    }
    // The word of value 1, and the version: together eight or sixteen bytes.
    let mut words = [0; 16];
    source.fill(WHAT, &mut words[..8])?;
    let marker = *words.first_chunk().expect("there are sixteen bytes");
    let known = encoding_of(marker);
    let encoding = known.unwrap_or(OTHER_MARKER);
    let no_marker = source.error(TraceError::Marker);
    let word = encoding.address_size.bytes();
    let filled = source.fill(WHAT, &mut words[8..2 * word]);
    if known.is_none() && filled.is_err() {
        return Err(no_marker);
    }
    filled?;
    let version = encoding.read_word(&words[word..]);
    match u32::try_from(version) {
        Ok(known) if version < VERSION_END => Ok((encoding, known)),
        _ if known.is_none() => Err(no_marker),
        _ => Err(source.error(TraceError::Version(version))),
    }
}
