//! Opens inputs without reading them completely: a trace may be larger than memory.
//!
//! A pipe can be read only once, so each input is opened once. Its start identifies it, and
//! readers get that start and the rest.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::compressed::{Compression, Compressions, MAX_DECOMPRESSED};
use super::error::{LoadError, ReadError};
use super::mpatrol::{TRACE_FORMAT, TRACE_MAGIC, TraceReader};
use super::recognise;
use super::{Hints, may_start_profile, streamed_format, whole_file};
use crate::files::readable;
use crate::progress::Progress;

/// Bytes at the start of an input that identify it.
const HEAD_SIZE: usize = 4096;

/// Bytes of a pipe that decide whether it is a profile, if its first ones do not: the first line
/// of a profile can be a long command.
const MOST_UNRECOGNISED: u64 = 4 << 20;

/// An open input with at least its start in memory.
#[derive(Debug)]
pub struct OpenFile {
    path: PathBuf,
    head: Vec<u8>,
    rest: Rest,
    progress: Progress,
}

/// The part that was not read yet.
#[derive(Debug)]
enum Rest {
    /// A regular file of this size, which can be reopened.
    Plain(u64),
    /// Contains nothing.
    Nothing,
    Pipe(File),
    Stdin,
}

impl OpenFile {
    /// Opens a file, or standard input for `-`. Reads anything but regular files and traces
    /// completely, since the writer may wait for that before it opens the next one.
    ///
    /// # Errors
    /// If it cannot be read or is a directory. A file that is not regular and does not end is
    /// refused at once, unless it starts like a profile or `is_wanted`; otherwise at a gigabyte.
    pub fn open(
        path: &Path,
        hints: &Hints,
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<Self, LoadError> {
        let mut opened = Self::start(path)?;
        opened.progress = hints.progress;
        if opened.is_plain() || opened.is_trace() || opened.is_streamed() {
            // Thousands of files may hold their head until it is their turn.
            opened.head.shrink_to_fit();
            return Ok(opened);
        }
        let can_be_used = opened.head.len() < HEAD_SIZE
            || Compression::of(&opened.head, Compressions::All).is_some()
            || is_wanted(&opened.head)
            || may_start_profile(&opened.head, hints)
            || opened.read_more()?
            || may_start_profile(&opened.head, hints);
        if !can_be_used {
            return Err(recognise::not_a_profile(&opened.path(), &opened.head));
        }
        opened.head = opened.read_rest()?;
        opened.rest = Rest::Nothing;
        Ok(opened)
    }

    /// Opens an input and reads its start.
    fn start(path: &Path) -> Result<Self, LoadError> {
        let io_error = |source| io_error(&path.display().to_string(), source);
        let mut rest = match readable(path) {
            None => Rest::Stdin,
            Some(path) => Rest::Pipe(File::open(path).map_err(io_error)?),
        };
        let mut head = Vec::new();
        let read = rest.by_ref().take(HEAD_SIZE as u64).read_to_end(&mut head);
        read.map_err(io_error)?;
        if let Rest::Pipe(file) = &rest
            && let Ok(metadata) = file.metadata()
            && metadata.is_file()
        {
            rest = Rest::Plain(metadata.len());
        }
        Ok(Self { path: path.to_owned(), head, rest, progress: Progress::default() })
    }

    /// The path as given; `-` for standard input.
    pub fn path(&self) -> String {
        self.path.display().to_string()
    }

    pub fn head(&self) -> &[u8] {
        &self.head[..self.head.len().min(HEAD_SIZE)]
    }

    /// The first bytes, decompressed.
    pub fn decompressed_head(&self) -> Cow<'_, [u8]> {
        let head = self.head();
        let Some(compression) = Compression::of(head, Compressions::All) else {
            return Cow::Borrowed(head);
        };
        let mut decompressed = Vec::new();
        let mut decoder = compression.decoder(head).take(HEAD_SIZE as u64);
        // The head ends anywhere in the data; only the bytes decoded before matter.
        let _ = decoder.read_to_end(&mut decompressed);
        Cow::Owned(decompressed)
    }

    /// The first bytes of any file, decompressed.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn decompressed_start(path: &Path) -> Result<Vec<u8>, LoadError> {
        Ok(Self::start(path)?.decompressed_head().into_owned())
    }

    pub fn given_path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the path can be opened again.
    pub fn is_plain(&self) -> bool {
        matches!(self.rest, Rest::Plain(_))
    }

    /// Size in bytes; `None` for a stream.
    pub fn size(&self) -> Option<u64> {
        match self.rest {
            Rest::Plain(size) => Some(size),
            Rest::Nothing => Some(self.head.len() as u64),
            Rest::Pipe(_) | Rest::Stdin => None,
        }
    }

    /// All bytes.
    ///
    /// # Errors
    /// If reading fails.
    pub fn into_bytes(mut self) -> Result<Vec<u8>, LoadError> {
        match self.rest {
            Rest::Plain(size) => self
                .reopen()
                .and_then(|mut file| whole_file::read_whole(&mut file, size))
                .map_err(|source| io_error(&self.path(), source)),
            Rest::Nothing => Ok(self.head),
            Rest::Pipe(_) | Rest::Stdin => self.read_rest(),
        }
    }

    pub(super) fn is_trace(&self) -> bool {
        self.decompressed_head().starts_with(TRACE_MAGIC)
    }

    /// Returns whether the file is read as a stream.
    fn is_streamed(&self) -> bool {
        streamed_format(&self.decompressed_head()).is_some()
    }

    /// The bytes as a stream, decompressed.
    ///
    /// # Errors
    /// If the file cannot be opened again.
    pub(super) fn into_decompressed(self) -> Result<Box<dyn Read>, LoadError> {
        let path = self.path();
        let compression = Compression::of(&self.head, Compressions::All);
        let stream = self.into_stream().map_err(|source| io_error(&path, source))?;
        Ok(match compression {
            Some(compression) => compression.decoder(stream),
            None => stream,
        })
    }

    /// The input as a trace.
    pub(super) fn into_trace(self, compressions: Compressions) -> TraceInput {
        TraceInput { compression: Compression::of(&self.head, compressions), file: self }
    }

    /// The start of a pipe and the rest.
    fn read_rest(&mut self) -> Result<Vec<u8>, LoadError> {
        let mut bytes = std::mem::take(&mut self.head);
        let rest = CountedReader(&mut self.rest, self.progress);
        let mut limited = rest.take(MAX_DECOMPRESSED + 1);
        let read = limited.read_to_end(&mut bytes).and_then(|_| {
            if limited.limit() == 0 {
                return Err(io::Error::other("is not a regular file and contains more than 1 GiB"));
            }
            Ok(())
        });
        read.map_err(|source| io_error(&self.path(), source))?;
        Ok(bytes)
    }

    /// Reads more of a pipe. Returns whether that was all.
    fn read_more(&mut self) -> Result<bool, LoadError> {
        let mut more = (&mut self.rest).take(MOST_UNRECOGNISED);
        let read = more.read_to_end(&mut self.head);
        let is_whole = more.limit() > 0;
        read.map_err(|source| io_error(&self.path(), source))?;
        Ok(is_whole)
    }

    /// The file from its start on.
    fn reopen(&self) -> io::Result<File> {
        let path = readable(&self.path).ok_or(io::ErrorKind::NotSeekable)?;
        File::open(path)
    }

    /// The bytes as a stream.
    fn into_stream(self) -> io::Result<Box<dyn Read>> {
        let progress = self.progress;
        Ok(match self.rest {
            Rest::Plain(_) => Box::new(CountedReader(self.reopen()?, progress)),
            rest => Box::new(CountedReader(Cursor::new(self.head).chain(rest), progress)),
        })
    }
}

impl Read for Rest {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(_) | Self::Nothing => Ok(0),
            Self::Pipe(file) => file.read(buffer),
            Self::Stdin => io::stdin().lock().read(buffer),
        }
    }
}

/// Adds the bytes read to the progress.
struct CountedReader<R>(R, Progress);

impl<R: Read> Read for CountedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.0.read(buffer)?;
        self.1.advance(size as u64);
        Ok(size)
    }
}

/// Returns whether a regular file has at most `most` bytes after decompression. Needs only
/// the memory of a decoder.
pub fn is_within(path: &Path, most: u64) -> bool {
    let Ok(file) = OpenFile::start(path) else {
        return false;
    };
    if !fs::metadata(path).is_ok_and(|metadata| metadata.len() <= most) {
        return false;
    }
    let Some(compression) = Compression::of(&file.head, Compressions::All) else {
        return true;
    };
    let Ok(stream) = file.into_stream() else {
        return false;
    };
    let mut limited = compression.decoder(stream).take(most + 1);
    // Data damaged after its start counts as short.
    let _ = io::copy(&mut limited, &mut io::sink());
    limited.limit() > 0
}

/// Opens a trace, or standard input for `-`, without checking its format.
///
/// # Errors
/// If it cannot be read.
pub fn open_trace(path: &Path, compressions: Compressions) -> Result<TraceInput, LoadError> {
    Ok(OpenFile::start(path)?.into_trace(compressions))
}

/// A trace that was not read yet, possibly compressed.
#[derive(Debug)]
pub struct TraceInput {
    file: OpenFile,
    compression: Option<Compression>,
}

impl TraceInput {
    /// The path as given; `-` for standard input.
    pub fn path(&self) -> String {
        self.file.path()
    }

    /// Starts reading, once.
    ///
    /// # Errors
    /// If it does not start like a trace.
    pub fn into_reader(self) -> Result<TraceReader<'static>, LoadError> {
        let path = self.path();
        if self.file.head.is_empty() {
            return Err(LoadError::Empty { path });
        }
        let stream = self.file.into_stream();
        let stream = stream.map_err(|source| io_error(&path, source))?;
        start(&path, self.compression, stream)
    }

    /// Makes the trace rewindable. Copies anything but a regular file to an unnamed temporary
    /// file, up to the first invalid event, so that endless inputs end.
    ///
    /// # Errors
    /// If it does not start like a trace, cannot be copied, or is a stream of more than 16
    /// GiB.
    pub fn into_rewindable(self) -> Result<RewindableTrace, LoadError> {
        let (path, compression) = (self.path(), self.compression);
        let file = if self.file.is_plain() {
            self.file.reopen()
        } else {
            start(&path, compression, Cursor::new(self.file.head.clone()))?;
            let stream = self.file.into_stream();
            stream.and_then(|stream| copied(stream, compression))
        };
        Ok(RewindableTrace {
            file: file.map_err(|source| io_error(&path, source))?,
            path,
            compression,
        })
    }
}

/// A trace that can be read repeatedly.
pub struct RewindableTrace {
    path: String,
    file: File,
    compression: Option<Compression>,
}

impl RewindableTrace {
    /// Starts reading from the beginning, which invalidates earlier readers.
    ///
    /// # Errors
    /// If it does not start like a trace.
    pub fn reader(&mut self) -> Result<TraceReader<'static>, LoadError> {
        let rewound = self.file.rewind().and_then(|()| self.file.try_clone());
        let file = rewound.map_err(|source| io_error(&self.path, source))?;
        start(&self.path, self.compression, file)
    }

    /// The error of the input for an error of its reader.
    pub fn malformed(&self, source: ReadError) -> LoadError {
        malformed(&self.path, source)
    }
}

fn start(
    path: &str,
    compression: Option<Compression>,
    bytes: impl Read + 'static,
) -> Result<TraceReader<'static>, LoadError> {
    let bytes: Box<dyn Read> = match compression {
        Some(compression) => compression.decoder(bytes),
        None => Box::new(bytes),
    };
    TraceReader::new(bytes).map_err(|source| malformed(path, source))
}

/// Maximum size of a copied trace in bytes.
const MAX_COPIED: u64 = 1 << 34;

/// Bytes to copy after the last event, because readers look ahead.
const BEHIND: u64 = 1 << 16;

fn copied(bytes: impl Read, compression: Option<Compression>) -> io::Result<File> {
    let mut copying = Copying { bytes: bytes.take(MAX_COPIED), copy: tempfile::tempfile()? };
    let events: Box<dyn Read + '_> = match compression {
        Some(compression) => compression.decoder(&mut copying),
        None => Box::new(&mut copying),
    };
    // Reading the copy will report the error of an event.
    if let Ok(mut reader) = TraceReader::new(events) {
        while let Ok(Some(_)) = reader.next_event() {}
    }
    io::copy(&mut (&mut copying).take(BEHIND), &mut io::sink())?;
    if copying.bytes.limit() == 0 {
        return Err(io::Error::other("is not a regular file and contains more than 16 GiB"));
    }
    Ok(copying.copy)
}

/// Copies all bytes read.
struct Copying<R> {
    bytes: R,
    copy: File,
}

impl<R: Read> Read for Copying<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.bytes.read(buffer)?;
        self.copy.write_all(&buffer[..size])?;
        Ok(size)
    }
}

fn malformed(path: &str, source: ReadError) -> LoadError {
    LoadError::Malformed { path: path.to_owned(), format: TRACE_FORMAT, source }
}

fn io_error(path: &str, source: io::Error) -> LoadError {
    LoadError::Io { path: path.to_owned(), source }
}
