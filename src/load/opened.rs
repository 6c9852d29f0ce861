//! Opening an input without reading it whole: a trace may be larger than memory.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::error::{LoadError, ReadError};
use super::input::{GZIP_MAGIC, Input};
use super::mpatrol::{TRACE_FORMAT, TRACE_MAGIC, TraceReader};

/// Bytes that are looked at to tell what an input is.
const HEAD_SIZE: u64 = 4096;

/// An input, once it is known how to read it.
pub enum Opened {
    /// One that is read whole, and is in memory now.
    Whole(Input),
    /// An allocation trace, of which only the start was looked at.
    Trace(TraceInput),
}

/// Opens a file, or standard input where the path is `-`. Traces are left unread;
/// everything else is read whole.
///
/// # Errors
/// When it cannot be read, is a folder, or unpacks to more than a gigabyte.
pub fn open(path: &Path) -> Result<Opened, LoadError> {
    let trace = open_trace(path)?;
    if trace.starts_as_trace() {
        return Ok(Opened::Trace(trace));
    }
    let mut bytes = Vec::new();
    let all = trace.head.chain(trace.rest).read_to_end(&mut bytes);
    all.map_err(|source| io_error(&trace.path, source))?;
    Input::from_bytes(path, bytes).map(Opened::Whole)
}

/// Opens what has to be a trace: a file, or standard input where the path is `-`.
/// Whether it is one shows when it is read.
///
/// # Errors
/// When it cannot be read.
pub fn open_trace(path: &Path) -> Result<TraceInput, LoadError> {
    let name = path.display().to_string();
    let mut rest = if path == Path::new("-") {
        Rest::Stdin
    } else {
        Rest::File(File::open(path).map_err(|source| io_error(&name, source))?)
    };
    let mut head = Vec::new();
    let read = rest.by_ref().take(HEAD_SIZE).read_to_end(&mut head);
    read.map_err(|source| io_error(&name, source))?;
    Ok(TraceInput {
        path: name,
        head: Cursor::new(head),
        rest,
    })
}

/// A trace that is not read yet, compressed with gzip or not.
pub struct TraceInput {
    path: String,
    head: Cursor<Vec<u8>>,
    rest: Rest,
}

impl TraceInput {
    /// The name it was given, `-` for standard input.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Starts reading, once.
    ///
    /// # Errors
    /// When it does not start as a trace does.
    pub fn into_reader(self) -> Result<TraceReader<'static>, LoadError> {
        if self.head.get_ref().is_empty() {
            return Err(LoadError::Empty { path: self.path });
        }
        let is_compressed = self.head.get_ref().starts_with(GZIP_MAGIC);
        start(&self.path, is_compressed, self.head.chain(self.rest))
    }

    /// Makes it a trace that can be read several times. What is no plain file is
    /// copied to a temporary one, which has no name.
    ///
    /// # Errors
    /// When it cannot be copied.
    pub fn into_rewindable(self) -> Result<RewindableTrace, LoadError> {
        let Self { path, head, rest } = self;
        let is_compressed = head.get_ref().starts_with(GZIP_MAGIC);
        let is_plain = |file: &File| file.metadata().is_ok_and(|metadata| metadata.is_file());
        let file = match rest {
            Rest::File(file) if is_plain(&file) => Ok(file),
            rest => copied(head.chain(rest)),
        };
        Ok(RewindableTrace {
            file: file.map_err(|source| io_error(&path, source))?,
            path,
            is_compressed,
        })
    }

    fn starts_as_trace(&self) -> bool {
        let head = self.head.get_ref().as_slice();
        if !head.starts_with(GZIP_MAGIC) {
            return head.starts_with(TRACE_MAGIC);
        }
        let mut magic = [0; TRACE_MAGIC.len()];
        let unpacked = MultiGzDecoder::new(head).read_exact(&mut magic);
        unpacked.is_ok() && magic == *TRACE_MAGIC
    }
}

/// A trace that can be read again from its start.
pub struct RewindableTrace {
    path: String,
    file: File,
    is_compressed: bool,
}

impl RewindableTrace {
    /// Starts reading from the start. A reader from before is of no use any more.
    ///
    /// # Errors
    /// When it does not start as a trace does.
    pub fn reader(&mut self) -> Result<TraceReader<'static>, LoadError> {
        let rewound = self.file.rewind().and_then(|()| self.file.try_clone());
        let file = rewound.map_err(|source| io_error(&self.path, source))?;
        start(&self.path, self.is_compressed, file)
    }

    /// The error that the whole has because its reader failed.
    #[must_use]
    pub fn malformed(&self, source: ReadError) -> LoadError {
        malformed(&self.path, source)
    }
}

/// The part of an input that was not looked at yet.
enum Rest {
    File(File),
    Stdin,
}

impl Read for Rest {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stdin => io::stdin().lock().read(buffer),
        }
    }
}

fn start(
    path: &str,
    is_compressed: bool,
    bytes: impl Read + 'static,
) -> Result<TraceReader<'static>, LoadError> {
    let bytes: Box<dyn Read> = if is_compressed {
        Box::new(MultiGzDecoder::new(bytes))
    } else {
        Box::new(bytes)
    };
    TraceReader::new(bytes).map_err(|source| malformed(path, source))
}

fn copied(mut bytes: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut bytes, &mut file)?;
    Ok(file)
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
