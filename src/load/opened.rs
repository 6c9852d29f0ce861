//! Opens inputs without reading them completely: a trace may be larger than memory.
//!
//! A pipe can be read only once, so each input is opened once. Its start identifies it, and
//! readers get that start and the rest.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use super::compressed::{Compression, Compressions};
use super::error::LoadError;
use super::format::{FilePart, Format, Hints};
use super::input::{Input, InputBytes};
use super::recognise::{choose, is_by_address, may_start_profile, part_of, streamed_format};
use super::{HEAD_SIZE, other_files};
use crate::files::{MOST_BYTES, readable};
use crate::memory;
use crate::progress::Progress;
use crate::signals::Mapped;

/// Minimum size of a file in bytes that is not copied to memory.
const WORTH_MAPPING: u64 = 8 << 20;

/// Bytes of a pipe that decide whether it is a profile, if its first ones do not: the first line
/// of a profile can be a long command.
const MOST_UNRECOGNISED: u64 = 4 << 20;

/// An open input with at least its start in memory.
#[derive(Debug)]
pub struct OpenFile {
    path: PathBuf,
    head: Vec<u8>,
    /// The first bytes, decompressed, of a compressed file.
    decompressed_head: Option<Vec<u8>>,
    /// The format, once it is known.
    format: Option<&'static dyn Format>,
    rest: Rest,
    progress: Progress,
}

/// The part that was not read yet.
#[derive(Debug)]
enum Rest {
    /// A regular file of this size, which is opened again if it was closed.
    Plain(Option<File>, u64),
    /// A regular file that was read.
    Read(Box<Input>),
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
        opened.format = streamed_format(opened.decompressed_head());
        if opened.is_plain() || opened.format.is_some() {
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
            return Err(other_files::not_a_profile(&opened.path(), &opened.head));
        }
        opened.head = opened.read_rest()?;
        opened.rest = Rest::Nothing;
        Ok(opened)
    }

    /// Opens an input and reads its start.
    pub(super) fn start(path: &Path) -> Result<Self, LoadError> {
        let io_error = |source| io_error(&path.display().to_string(), source);
        let mut rest = match readable(path) {
            None => Rest::Stdin,
            Some(path) => Rest::Pipe(File::open(path).map_err(io_error)?),
        };
        let mut head = Vec::new();
        let read = rest.by_ref().take(HEAD_SIZE as u64).read_to_end(&mut head);
        read.map_err(io_error)?;
        if let Rest::Pipe(file) = rest {
            let found = file.metadata().ok().filter(|found| found.is_file());
            rest = match found {
                Some(found) => Rest::Plain(Some(file), found.len()),
                None => Rest::Pipe(file),
            };
        }
        let decompressed_head = decompressed(&head);
        let (path, progress) = (path.to_owned(), Progress::default());
        Ok(Self { path, head, decompressed_head, format: None, rest, progress })
    }

    /// Closes a regular file until it is read.
    pub fn close(&mut self) {
        if let Rest::Plain(file, _) = &mut self.rest {
            *file = None;
        }
    }

    /// The path as given; `-` for standard input.
    pub fn path(&self) -> String {
        self.path.display().to_string()
    }

    pub fn head(&self) -> &[u8] {
        &self.head[..self.head.len().min(HEAD_SIZE)]
    }

    /// The first bytes, decompressed.
    pub fn decompressed_head(&self) -> &[u8] {
        self.decompressed_head.as_deref().unwrap_or(self.head())
    }

    /// The first bytes of any file, decompressed.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn decompressed_start(path: &Path) -> Result<Vec<u8>, LoadError> {
        Ok(Self::start(path)?.decompressed_head().to_vec())
    }

    /// Returns whether its start shows that it samples code by address.
    pub fn is_by_address(&self) -> bool {
        is_by_address(self.decompressed_head())
    }

    /// The part of a run that the file contains.
    pub fn part(&self) -> FilePart {
        part_of(self.decompressed_head())
    }

    /// The contents of a regular file whose costs have addresses, so that an executable gives
    /// them names. Reads the file, once; its errors are reported when it is loaded.
    pub fn contents_by_address(&mut self, hints: &Hints) -> Option<&Input> {
        if self.format.is_none()
            && let Rest::Plain(file, _) = &mut self.rest
        {
            let bytes = plain_bytes(&self.path, file.take()).ok()?;
            let input = Input::from_bytes(&self.path, bytes).ok()?;
            self.format = choose(&input, hints).ok();
            self.rest = Rest::Read(Box::new(input));
        }
        match (&self.rest, self.format) {
            (Rest::Read(input), Some(format)) if format.is_by_address() => Some(input),
            _ => None,
        }
    }

    pub fn given_path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the path can be opened again.
    pub fn is_plain(&self) -> bool {
        matches!(self.rest, Rest::Plain(..) | Rest::Read(_))
    }

    /// Returns whether the whole file is in memory.
    pub(super) fn is_read(&self) -> bool {
        matches!(self.rest, Rest::Read(_))
    }

    /// Size in bytes; `None` for a stream.
    pub fn size(&self) -> Option<u64> {
        match &self.rest {
            Rest::Plain(_, size) => Some(*size),
            Rest::Read(input) => Some(input.n_compressed()),
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
            Rest::Plain(file, _) => plain_bytes(&self.path, file),
            Rest::Read(_) => plain_bytes(&self.path, None),
            Rest::Nothing => Ok(self.head),
            Rest::Pipe(_) | Rest::Stdin => self.read_rest(),
        }
    }

    /// Reads and decompresses the file.
    ///
    /// # Errors
    /// If it cannot be read, or decompresses to too much for its size.
    pub fn into_input(mut self, compressions: Compressions) -> Result<Input, LoadError> {
        match self.rest {
            Rest::Read(input) => Ok(*input),
            _ => {
                let path = self.path();
                let bytes = match self.mapped() {
                    Some(mapped) => InputBytes::Mapped(mapped),
                    None => InputBytes::Owned(self.into_bytes()?),
                };
                Input::decompressed(path, bytes, compressions)
            }
        }
    }

    /// The bytes of a large regular file, unless it exceeds the memory limit.
    fn mapped(&mut self) -> Option<Mapped> {
        match &mut self.rest {
            Rest::Plain(file, size) if (WORTH_MAPPING..=memory::limit()).contains(size) => {
                let file = plain_file(&self.path, file.take()).ok()?;
                Mapped::new(file, &self.path).ok()
            }
            _ => None,
        }
    }

    /// The format, if it is known.
    pub(super) fn format(&self) -> Option<&'static dyn Format> {
        self.format
    }

    pub(super) fn compression(&self, known: Compressions) -> Option<Compression> {
        Compression::of(&self.head, known)
    }

    /// A regular file at its start.
    pub(super) fn into_file(self) -> io::Result<File> {
        match self.rest {
            Rest::Plain(file, _) => plain_file(&self.path, file),
            _ => plain_file(&self.path, None),
        }
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

    /// The start of a pipe and the rest.
    fn read_rest(&mut self) -> Result<Vec<u8>, LoadError> {
        let mut bytes = std::mem::take(&mut self.head);
        let rest = CountedReader(&mut self.rest, self.progress);
        let mut limited = rest.take(MOST_BYTES + 1);
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

    /// The bytes as a stream.
    pub(super) fn into_stream(self) -> io::Result<Box<dyn Read>> {
        let progress = self.progress;
        Ok(match self.rest {
            Rest::Plain(..) => Box::new(CountedReader(self.into_file()?, progress)),
            rest => Box::new(CountedReader(Cursor::new(self.head).chain(rest), progress)),
        })
    }
}

impl Read for Rest {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(..) | Self::Read(_) | Self::Nothing => Ok(0),
            Self::Pipe(file) => file.read(buffer),
            Self::Stdin => io::stdin().lock().read(buffer),
        }
    }
}

/// The first bytes of a compressed file, decompressed.
fn decompressed(head: &[u8]) -> Option<Vec<u8>> {
    let compression = Compression::of(head, Compressions::All)?;
    let mut bytes = Vec::new();
    // The head ends anywhere: the bytes before an error matter.
    let _ = compression.decoder(head).take(HEAD_SIZE as u64).read_to_end(&mut bytes);
    Some(bytes)
}

/// A regular file at its start, opened again if it was closed.
fn plain_file(path: &Path, file: Option<File>) -> io::Result<File> {
    let Some(mut file) = file else {
        return File::open(readable(path).ok_or(io::ErrorKind::NotSeekable)?);
    };
    file.rewind()?;
    Ok(file)
}

fn plain_bytes(path: &Path, file: Option<File>) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    let read = plain_file(path, file).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|source| io_error(&path.display().to_string(), source))?;
    Ok(bytes)
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

pub(super) fn io_error(path: &str, source: io::Error) -> LoadError {
    LoadError::Io { path: path.to_owned(), source }
}
