//! Traces that were not read yet, and traces that are read repeatedly.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::Path;

use super::super::BUFFER_SIZE;
use super::super::compressed::{Compression, Compressions};
use super::super::error::{LoadError, ReadError};
use super::super::opened::{OpenFile, io_error};
use super::TRACE_FORMAT;
use super::trace::TraceReader;

/// Opens a trace, or standard input for `-`, without checking its format.
///
/// # Errors
/// If it cannot be read.
pub fn open_trace(path: &Path, compressions: Compressions) -> Result<TraceInput, LoadError> {
    let file = OpenFile::start(path)?;
    Ok(TraceInput { compression: file.compression(compressions), file })
}

/// A trace that was not read yet, possibly compressed.
#[derive(Debug)]
pub struct TraceInput {
    file: OpenFile,
    compression: Option<Compression>,
}

impl TraceInput {
    /// Makes the trace rewindable. Copies anything but a regular file to an unnamed temporary
    /// file, up to the first invalid event, so that endless inputs end.
    ///
    /// # Errors
    /// If it does not start like a trace, cannot be copied, or is a stream of more than 16
    /// GiB.
    pub fn into_rewindable(self) -> Result<RewindableTrace, LoadError> {
        let (path, compression) = (self.file.path(), self.compression);
        let file = if self.file.is_plain() {
            self.file.into_file()
        } else {
            start(&path, compression, Cursor::new(self.file.head().to_vec()))?;
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

fn copied(bytes: impl Read, compression: Option<Compression>) -> io::Result<File> {
    let mut copying = Copying { bytes: bytes.take(MAX_COPIED), copy: tempfile::tempfile()? };
    let events: Box<dyn Read + '_> = match compression {
        Some(compression) => compression.decoder(&mut copying),
        None => Box::new(&mut copying),
    };
    // Loaded the copy will report the error of an event.
    if let Ok(mut reader) = TraceReader::new(events) {
        while let Ok(Some(_)) = reader.next_event() {}
    }
    io::copy(&mut (&mut copying).take(BUFFER_SIZE as u64), &mut io::sink())?;
    if copying.bytes.limit() == 0 {
        return Err(io::Error::other("is not a regular file and contains more than 16 GiB"));
    }
    Ok(copying.copy)
}

/// Copies what is read.
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
