//! Opening an input without reading it whole: a trace may be larger than memory.
//!
//! A pipe can be read once only, so every input is opened once. Its start says what
//! it is, and whoever wants all of it gets that start and what follows.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::compressed::{Compression, Compressions, MAX_DECOMPRESSED};
use super::error::{LoadError, ReadError};
use super::mpatrol::{TRACE_FORMAT, TRACE_MAGIC, TraceReader};
use super::recognise;
use super::{Hints, may_start_profile, whole_file};
use crate::progress::Progress;

/// Bytes that are looked at to tell what an input is.
const HEAD_SIZE: usize = 4096;

/// An input that was opened, and of which at least the start was read.
#[derive(Debug)]
pub struct OpenFile {
    path: PathBuf,
    head: Vec<u8>,
    rest: Rest,
    progress: Progress,
}

/// The part of an input that was not read yet.
#[derive(Debug)]
enum Rest {
    /// It is a plain file of this size, all of which is there when it is opened again.
    Plain(u64),
    /// There is none: all of it was read.
    Nothing,
    Pipe(File),
    Stdin,
}

impl OpenFile {
    /// Opens a file, or standard input where the path is `-`. What is no plain file is
    /// read whole, but for traces: its writer may wait for that before it opens the next.
    ///
    /// # Errors
    /// When it cannot be read or is a folder. When it is no plain file and endless, as
    /// devices are: those whose start is that of no profile, and of nothing that
    /// `is_wanted` knows, are refused at once, others at a gigabyte.
    pub fn open(
        path: &Path,
        hints: &Hints,
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<Self, LoadError> {
        let mut opened = Self::start(path)?;
        opened.progress = hints.progress;
        if opened.is_plain() || opened.is_trace() {
            // Of thousands of files this is what is held until their turn has come.
            opened.head.shrink_to_fit();
            return Ok(opened);
        }
        let is_whole = opened.head.len() < HEAD_SIZE;
        let can_be_used = is_whole
            || Compression::of(&opened.head, Compressions::All).is_some()
            || is_wanted(&opened.head)
            || may_start_profile(&opened.head, hints);
        if !can_be_used {
            return Err(recognise::not_a_profile(&opened.path(), &opened.head));
        }
        opened.head = opened.read_rest()?;
        opened.rest = Rest::Nothing;
        Ok(opened)
    }

    /// Opens it and reads its start, and no more.
    fn start(path: &Path) -> Result<Self, LoadError> {
        let io_error = |source| io_error(&path.display().to_string(), source);
        let mut rest = if path == Path::new("-") {
            Rest::Stdin
        } else {
            Rest::Pipe(File::open(path).map_err(io_error)?)
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
        Ok(Self {
            path: path.to_owned(),
            head,
            rest,
            progress: Progress::default(),
        })
    }

    /// The name it was given, `-` for standard input.
    pub fn path(&self) -> String {
        self.path.display().to_string()
    }

    pub fn head(&self) -> &[u8] {
        &self.head[..self.head.len().min(HEAD_SIZE)]
    }

    /// What its first bytes unpack to; themselves where it is not compressed.
    pub fn decompressed_head(&self) -> Cow<'_, [u8]> {
        let head = self.head();
        let Some(compression) = Compression::of(head, Compressions::All) else {
            return Cow::Borrowed(head);
        };
        let mut decompressed = Vec::new();
        let mut decoder = compression.decoder(head).take(HEAD_SIZE as u64);
        // The head ends anywhere. What comes of it before is what matters.
        let _ = decoder.read_to_end(&mut decompressed);
        Cow::Owned(decompressed)
    }

    /// What a file starts with, unpacked, whatever it is.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn decompressed_start(path: &Path) -> Result<Vec<u8>, LoadError> {
        Ok(Self::start(path)?.decompressed_head().into_owned())
    }

    pub fn given_path(&self) -> &Path {
        &self.path
    }

    /// Whether what is at its path can be opened again.
    pub fn is_plain(&self) -> bool {
        matches!(self.rest, Rest::Plain(_))
    }

    /// The bytes that are to be read of it; `None` where they come one by one.
    pub fn size(&self) -> Option<u64> {
        match self.rest {
            Rest::Plain(size) => Some(size),
            Rest::Nothing => Some(self.head.len() as u64),
            Rest::Pipe(_) | Rest::Stdin => None,
        }
    }

    /// All of its bytes.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn into_bytes(mut self) -> Result<Vec<u8>, LoadError> {
        match self.rest {
            Rest::Plain(size) => File::open(&self.path)
                .and_then(|mut file| whole_file::read_whole(&mut file, size))
                .map_err(|source| io_error(&self.path(), source)),
            Rest::Nothing => Ok(self.head),
            Rest::Pipe(_) | Rest::Stdin => self.read_rest(),
        }
    }

    pub(super) fn is_trace(&self) -> bool {
        self.decompressed_head().starts_with(TRACE_MAGIC)
    }

    /// The same as what has to be a trace.
    pub(super) fn into_trace(self, compressions: Compressions) -> TraceInput {
        TraceInput {
            compression: Compression::of(&self.head, compressions),
            file: self,
        }
    }

    /// The head of a pipe and all that follows it.
    fn read_rest(&mut self) -> Result<Vec<u8>, LoadError> {
        let mut bytes = std::mem::take(&mut self.head);
        let rest = CountedReader(&mut self.rest, self.progress);
        let mut limited = rest.take(MAX_DECOMPRESSED + 1);
        let read = limited.read_to_end(&mut bytes).and_then(|_| {
            if limited.limit() == 0 {
                return Err(io::Error::other(
                    "is no plain file and gives more than 1 GiB",
                ));
            }
            Ok(())
        });
        read.map_err(|source| io_error(&self.path(), source))?;
        Ok(bytes)
    }

    /// All of its bytes as they come.
    fn into_stream(self) -> io::Result<Box<dyn Read>> {
        let progress = self.progress;
        Ok(match self.rest {
            Rest::Plain(_) => Box::new(CountedReader(File::open(&self.path)?, progress)),
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

/// Tells how much of it was read.
struct CountedReader<R>(R, Progress);

impl<R: Read> Read for CountedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.0.read(buffer)?;
        self.1.advance(size as u64);
        Ok(size)
    }
}

/// Whether a plain file is no larger than `most` bytes, unpacked if it is compressed.
/// Holds no more than a decoder needs.
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
    // What is damaged behind its start is short.
    let _ = io::copy(&mut limited, &mut io::sink());
    limited.limit() > 0
}

/// Opens what has to be a trace: a file, or standard input where the path is `-`.
/// Whether it is one shows when it is read.
///
/// # Errors
/// When it cannot be read.
pub fn open_trace(path: &Path, compressions: Compressions) -> Result<TraceInput, LoadError> {
    Ok(OpenFile::start(path)?.into_trace(compressions))
}

/// A trace that is not read yet, compressed or not.
#[derive(Debug)]
pub struct TraceInput {
    file: OpenFile,
    compression: Option<Compression>,
}

impl TraceInput {
    /// The name it was given, `-` for standard input.
    pub fn path(&self) -> String {
        self.file.path()
    }

    /// Starts reading, once.
    ///
    /// # Errors
    /// When it does not start as a trace does.
    pub fn into_reader(self) -> Result<TraceReader<'static>, LoadError> {
        let path = self.path();
        if self.file.head.is_empty() {
            return Err(LoadError::Empty { path });
        }
        let stream = self.file.into_stream();
        let stream = stream.map_err(|source| io_error(&path, source))?;
        start(&path, self.compression, stream)
    }

    /// Makes it a trace that can be read several times. What is no plain file is
    /// copied to a temporary one, which has no name: as far as it can be read, so that
    /// what is endless ends where it makes no sense.
    ///
    /// # Errors
    /// When it does not start as a trace does, cannot be copied, or is no plain file and
    /// gives more than 16 GiB.
    pub fn into_rewindable(self) -> Result<RewindableTrace, LoadError> {
        let (path, compression) = (self.path(), self.compression);
        let file = if self.file.is_plain() {
            File::open(self.file.given_path())
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

/// A trace that can be read again from its start.
pub struct RewindableTrace {
    path: String,
    file: File,
    compression: Option<Compression>,
}

impl RewindableTrace {
    /// Starts reading from the start. A reader from before is of no use any more.
    ///
    /// # Errors
    /// When it does not start as a trace does.
    pub fn reader(&mut self) -> Result<TraceReader<'static>, LoadError> {
        let rewound = self.file.rewind().and_then(|()| self.file.try_clone());
        let file = rewound.map_err(|source| io_error(&self.path, source))?;
        start(&self.path, self.compression, file)
    }

    /// The error that the whole has because its reader failed.
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

/// The most bytes of a trace that are copied.
const MAX_COPIED: u64 = 1 << 34;

/// Bytes that are copied behind the last event: a reader looks ahead.
const BEHIND: u64 = 1 << 16;

fn copied(bytes: impl Read, compression: Option<Compression>) -> io::Result<File> {
    let mut copying = Copying {
        bytes: bytes.take(MAX_COPIED),
        copy: tempfile::tempfile()?,
    };
    let events: Box<dyn Read + '_> = match compression {
        Some(compression) => compression.decoder(&mut copying),
        None => Box::new(&mut copying),
    };
    // What is wrong with an event, who reads the copy will say.
    if let Ok(mut reader) = TraceReader::new(events) {
        while let Ok(Some(_)) = reader.next_event() {}
    }
    io::copy(&mut (&mut copying).take(BEHIND), &mut io::sink())?;
    if copying.bytes.limit() == 0 {
        return Err(io::Error::other(
            "is no plain file and gives more than 16 GiB",
        ));
    }
    Ok(copying.copy)
}

/// Copies what is read of it.
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
    LoadError::Malformed {
        path: path.to_owned(),
        format: TRACE_FORMAT,
        source,
    }
}

fn io_error(path: &str, source: io::Error) -> LoadError {
    LoadError::Io {
        path: path.to_owned(),
        source,
    }
}
