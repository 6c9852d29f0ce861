//! Where a report goes: standard output, a pager, or a file that appears when it is
//! whole; and what is seen before it is there.

mod guard;
mod messages;
mod pager;
mod path_kind;
mod progress_bar;
mod progress_line;
mod replacement;
mod screen;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

pub use guard::Guarded;
pub use messages::{ColorWhen, Severity, print_advice, print_line, print_message, print_sentence};
pub use pager::{Paged, PagerWhen, pager_command};
pub use path_kind::write_here;
pub use progress_bar::ProgressBar;
pub use screen::ScreenSize;

use guard::Guard;
use path_kind::PathKind;
use replacement::Replacement;

/// A reader who closes a pipe has read enough, which is not a failure.
///
/// # Errors
/// When writing failed for any other reason.
pub fn unless_closed(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    }
}

/// Takes a report.
pub trait Sink: Write {
    /// Shows this above the report if what is said behind it would be out of sight.
    fn preface(&mut self, _text: &[u8]) {}
}

impl Sink for Vec<u8> {}

/// A destination. A file under its name is not touched before [`Output::finish`].
///
/// What would drive a terminal does not reach one.
pub struct Output {
    to: Destination,
    /// Where it is a terminal.
    guard: Option<Guard>,
    /// What goes away before anything is written.
    bar: Option<ProgressBar>,
    /// Whether writing goes on, to nowhere, once the reader of a pipe has left.
    outlives_reader: bool,
}

enum Destination {
    /// Standard output, a device or a pipe, which is written as it is.
    Plain(Box<dyn Write>),
    /// A terminal, through a pager if need be.
    Screen(Paged),
    /// A file that appears when it is whole.
    File(Replacement),
}

impl Destination {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(out) => out,
            Self::Screen(out) => out,
            Self::File(file) => file,
        }
    }
}

impl Output {
    fn new(to: Destination, is_terminal: bool) -> Self {
        Self {
            to,
            guard: is_terminal.then(Guard::default),
            bar: None,
            outlives_reader: false,
        }
    }

    /// Opens a destination; standard output for none and for `-`.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn open(path: Option<&Path>) -> io::Result<Self> {
        match path.filter(|path| *path != Path::new("-")) {
            Some(path) => Self::create(path),
            None => Ok(Self::stdout()),
        }
    }

    /// Opens a file, whatever its name: `-` is one like any other.
    ///
    /// # Errors
    /// When nothing can be written there.
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

    /// Shows it on the terminal that standard output is, through a pager if need be.
    pub fn screen(pager: Paged) -> Self {
        Self::new(Destination::Screen(pager), true)
    }

    fn stdout() -> Self {
        let out = Box::new(BufWriter::new(io::stdout().lock()));
        Self::new(Destination::Plain(out), io::stdout().is_terminal())
    }

    /// Whether people see what is written, and nothing else reads it.
    pub fn is_terminal(&self) -> bool {
        self.guard.is_some()
    }

    /// Has a report made to its end though the reader of a pipe left: what is found on the
    /// way counts.
    pub fn outlive_reader(&mut self) {
        self.outlives_reader = true;
    }

    fn write_cleaned(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.guard {
            None => self.to.writer().write(bytes),
            Some(guard) => {
                self.to.writer().write_all(guard.cleaned(bytes))?;
                Ok(bytes.len())
            }
        }
    }

    /// Takes a line of progress away before anything is written.
    pub fn clear_before(&mut self, bar: ProgressBar) {
        self.bar = Some(bar);
    }

    #[inline]
    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish();
        }
    }

    /// Lets the orders for colours of reports reach the terminal.
    pub fn allow_color(&mut self) {
        if let Some(guard) = &mut self.guard {
            guard.allow_color();
        }
    }

    /// Why what is longer than the screen was shown without the pager that was wanted.
    pub fn missing_pager(&self) -> Option<String> {
        match &self.to {
            Destination::Screen(out) => out.missing_pager(),
            _ => None,
        }
    }

    /// Makes the report appear.
    ///
    /// # Errors
    /// When the rest cannot be written or the file cannot get its name.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(mut guard) = self.guard.take() {
            self.to.writer().write_all(guard.rest())?;
        }
        match self.to {
            Destination::Plain(mut out) => out.flush(),
            Destination::Screen(out) => out.finish(),
            Destination::File(file) => file.finish(),
        }
    }

    /// Gives up: a file does not appear, and what is shown already stays for as long as
    /// its reader likes.
    pub fn abandon(self) {
        if let Destination::Screen(out) = self.to {
            // Something else went wrong before, and is told.
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
