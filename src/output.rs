//! Destinations of a report: standard output, a pager, or a file that appears when it is
//! complete; and progress until then.

mod closed_stdout;
mod compression;
mod directory;
#[cfg(unix)]
mod full_screen;
mod guard;
#[cfg(unix)]
mod keys;
mod messages;
mod pager;
mod path_kind;
mod progress_bar;
mod progress_line;
mod replacement;
mod screen;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

pub use closed_stdout::check_stdout;
pub use compression::Compression;
#[cfg(unix)]
pub use full_screen::{Event, FullScreen, ScreenLine};
pub use guard::Guarded;
#[cfg(unix)]
pub use keys::Key;
pub use messages::{ColorWhen, Severity, print_advice, print_line, print_message, print_sentence};
pub use pager::{Paged, PagerWhen, pager_command};
pub use progress_bar::ProgressBar;
pub use replacement::write_here;
pub use screen::ScreenSize;

use compression::Compressor;
use directory::NewDirectory;
use guard::Guard;
use path_kind::PathKind;
use replacement::Replacement;

/// Ignores a closed pipe: its reader has read enough.
///
/// # Errors
/// For all other errors.
pub fn unless_closed(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    }
}

/// Writes the contents of a file.
pub type FileContents<'c> = dyn Fn(&mut dyn Write) -> io::Result<()> + 'c;

/// The destination of a report.
pub trait Sink: Write {
    /// Text above the report, if messages after the report would scroll out of sight.
    fn preface(&mut self, _text: &[u8]) {}

    /// Writes a file of a directory.
    ///
    /// # Errors
    /// If the destination is not a directory, or writing fails.
    fn write_file(&mut self, _name: &str, _contents: &FileContents<'_>) -> io::Result<()> {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

impl Sink for Vec<u8> {}

/// A destination. The file with its name stays unchanged until [`Output::finish`]. Control
/// sequences do not reach a terminal.
pub struct Output {
    to: Destination,
    /// For a terminal.
    guard: Option<Guard>,
    /// Compresses all output.
    compressor: Option<Compressor>,
    /// Erased before any output.
    bar: Option<ProgressBar>,
    /// Continue without output after the reader closed the pipe.
    outlives_reader: bool,
}

enum Destination {
    /// Standard output, a device or a pipe, written directly.
    Plain(Box<dyn Write>),
    /// A terminal, possibly with a pager.
    Screen(Paged),
    /// A file that appears when it is complete.
    File(Replacement),
    /// Files of [`Sink::write_file`].
    Directory(NewDirectory, io::Sink),
}

impl Destination {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(out) => out,
            Self::Screen(out) => out,
            Self::File(file) => file,
            Self::Directory(_, out) => out,
        }
    }
}

impl Output {
    fn new(to: Destination, is_terminal: bool) -> Self {
        let guard = is_terminal.then(Guard::default);
        Self { to, guard, compressor: None, bar: None, outlives_reader: false }
    }

    /// Opens `path`; standard output for `None` and `-`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(path: Option<&Path>) -> io::Result<Self> {
        match path.filter(|path| *path != Path::new("-")) {
            Some(path) => Self::create(path),
            None => Ok(Self::stdout()),
        }
    }

    /// Opens a file of any name, even `-`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(match PathKind::of(path)? {
            PathKind::Stdout => Self::stdout(),
            PathKind::Special(file) => {
                let is_terminal = file.is_terminal();
                let out = Box::new(BufWriter::new(file));
                Self::new(Destination::Plain(out), is_terminal)
            }
            PathKind::File(file) => Self::new(Destination::File(Replacement::of(file)?), false),
        })
    }

    /// Creates a directory, or fills an empty one.
    ///
    /// # Errors
    /// If it has files or cannot be written.
    pub fn directory(path: &Path) -> io::Result<Self> {
        let directory = Destination::Directory(NewDirectory::of(path)?, io::sink());
        Ok(Self::new(directory, false))
    }

    /// Writes to the terminal on standard output, possibly with a pager.
    pub fn screen(pager: Paged) -> Self {
        Self::new(Destination::Screen(pager), true)
    }

    fn stdout() -> Self {
        let out = Box::new(BufWriter::new(io::stdout().lock()));
        Self::new(Destination::Plain(out), io::stdout().is_terminal())
    }

    /// Returns whether a person reads the output directly.
    pub fn is_terminal(&self) -> bool {
        self.guard.is_some()
    }

    /// Completes the report even if the reader closes the pipe, because its result matters.
    pub fn outlive_reader(&mut self) {
        self.outlives_reader = true;
    }

    /// Compresses all output, unless it goes to a terminal.
    pub fn compress(&mut self, compression: Compression) {
        if !self.is_terminal() {
            self.compressor = Some(Compressor::new(compression));
        }
    }

    fn write_cleaned(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(compressor) = &mut self.compressor {
            compressor.write(bytes, self.to.writer())?;
            return Ok(bytes.len());
        }
        match &mut self.guard {
            None => self.to.writer().write(bytes),
            Some(guard) => {
                self.to.writer().write_all(guard.cleaned(bytes))?;
                Ok(bytes.len())
            }
        }
    }

    /// Erases the progress bar before any output.
    pub fn clear_before(&mut self, bar: ProgressBar) {
        self.bar = Some(bar);
    }

    #[inline]
    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish();
        }
    }

    /// Passes the colours of reports to the terminal.
    pub fn allow_color(&mut self) {
        if let Some(guard) = &mut self.guard {
            guard.allow_color();
        }
    }

    /// Why the requested pager was not used for a long report.
    pub fn missing_pager(&self) -> Option<String> {
        match &self.to {
            Destination::Screen(out) => out.missing_pager(),
            _ => None,
        }
    }

    /// Completes the output.
    ///
    /// # Errors
    /// If writing or renaming fails.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(mut guard) = self.guard.take() {
            self.to.writer().write_all(guard.rest())?;
        }
        if let Some(compressor) = self.compressor.take() {
            compressor.finish(self.to.writer())?;
        }
        match self.to {
            Destination::Plain(mut out) => out.flush(),
            Destination::Screen(out) => out.finish(),
            Destination::File(file) => file.finish(),
            Destination::Directory(directory, _) => directory.finish(),
        }
    }

    /// Discards the output: a file does not appear; the pager stays open until its user
    /// leaves.
    pub fn abandon(self) {
        if let Destination::Screen(out) = self.to {
            // Another error happened before and is reported.
            let _ = out.finish();
        }
    }
}

impl Sink for Output {
    fn preface(&mut self, text: &[u8]) {
        self.clear();
        let Destination::Screen(out) = &mut self.to else {
            return;
        };
        match &self.guard {
            Some(guard) => out.preface(&guard.whole(text)),
            None => out.preface(text),
        }
    }

    fn write_file(&mut self, name: &str, contents: &FileContents<'_>) -> io::Result<()> {
        self.clear();
        match &self.to {
            Destination::Directory(directory, _) => directory.write_file(name, contents),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.clear();
        let written = self.write_cleaned(bytes);
        let Err(error) = written else {
            return written;
        };
        let is_plain = matches!(self.to, Destination::Plain(_));
        if !self.outlives_reader || !is_plain {
            return Err(error);
        }
        unless_closed(error)?;
        self.to = Destination::Plain(Box::new(io::sink()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.clear();
        self.to.writer().flush()
    }
}
