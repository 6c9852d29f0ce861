//! Where a report goes: standard output, a pager, or a file that appears when it is
//! whole; and what is seen before it is there.

mod guard;
mod messages;
mod pager;
mod place;
mod progress_bar;
mod progress_line;
mod replacement;
mod screen;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;

pub use guard::Guarded;
pub use messages::{ColorWhen, Severity, print_line, print_message};
pub use pager::{Paged, PagerWhen, pager_command};
pub use place::write_here;
pub use progress_bar::ProgressBar;
pub use screen::ScreenSize;

use guard::Guard;
use place::Place;
use replacement::Replacement;

/// Takes a report.
pub trait Sink: Write {
    /// Shows this above the report if what is said behind it would be out of sight.
    fn preface(&mut self, _text: &[u8]) {}
}

impl Sink for Vec<u8> {}

/// A destination. A file under its name is not touched before [`Output::finish`].
///
/// What would drive a terminal does not reach one.
#[derive(Debug)]
pub struct Output {
    to: Destination,
    /// Where it is a terminal.
    guard: Option<Guard>,
    /// What goes away before anything is written.
    bar: Option<ProgressBar>,
}

#[derive(Debug)]
enum Destination {
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A terminal, through a pager if need be.
    Screen(Paged),
    /// A file that appears when it is whole.
    File(Replacement),
    /// What is no plain file (a device, a pipe) and is written as it is.
    Special(BufWriter<File>),
}

impl Output {
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
        Ok(match Place::of(path)? {
            Place::Stdout => Self::stdout(),
            Place::Special(file) => Self {
                guard: file.is_terminal().then(Guard::default),
                to: Destination::Special(BufWriter::new(file)),
                bar: None,
            },
            Place::File(file) => Self {
                to: Destination::File(Replacement::of(file)?),
                guard: None,
                bar: None,
            },
        })
    }

    /// Shows it on the terminal that standard output is, through a pager if need be.
    #[must_use]
    pub fn screen(pager: Paged) -> Self {
        Self {
            to: Destination::Screen(pager),
            guard: Some(Guard::default()),
            bar: None,
        }
    }

    fn stdout() -> Self {
        Self {
            to: Destination::Stdout(BufWriter::new(io::stdout().lock())),
            guard: io::stdout().is_terminal().then(Guard::default),
            bar: None,
        }
    }

    /// Whether people see what is written, and nothing else reads it.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        self.guard.is_some()
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
    #[must_use]
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
            self.to.write_all(guard.rest())?;
        }
        match self.to {
            Destination::Stdout(mut out) => out.flush(),
            Destination::Screen(out) => out.finish(),
            Destination::Special(mut out) => out.flush(),
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
        match &mut self.guard {
            None => self.to.write(bytes),
            Some(guard) => {
                self.to.write_all(guard.cleaned(bytes))?;
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.clear();
        self.to.flush()
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::Screen(out) => out.write(bytes),
            Self::File(file) => file.write(bytes),
            Self::Special(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::Screen(out) => out.flush(),
            Self::File(file) => file.flush(),
            Self::Special(out) => out.flush(),
        }
    }
}
