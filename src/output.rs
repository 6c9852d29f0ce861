//! Where a report goes: standard output, a pager, or a file that appears when it is
//! whole; and what is seen before it is there.

mod cleared;
mod interrupts;
mod overwritten;
mod pager;
mod progress_bar;
mod progress_line;
mod screen;

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Component, Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

pub use cleared::Cleared;
pub use pager::{Paged, PagerWhen, pager_command};
pub use progress_bar::ProgressBar;
pub use screen::ScreenSize;

/// Takes a report.
pub trait Sink: Write {
    /// Shows this above the report if what is said behind it would be out of sight.
    fn preface(&mut self, _text: &[u8]) {}
}

impl Sink for Vec<u8> {}

/// A destination. A file under its name is not touched before [`Output::finish`].
#[derive(Debug)]
pub enum Output {
    /// Standard output.
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A terminal, through a pager if need be.
    Screen(Paged),
    /// A new file beside the one that it will replace.
    File {
        /// The new file.
        new: BufWriter<NamedTempFile>,
        /// The name that it gets.
        path: PathBuf,
    },
    /// What is no plain file (a device, a pipe) and is written as it is.
    Special(BufWriter<fs::File>),
}

impl Output {
    /// Opens a destination; standard output for none and for `-`.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn open(path: Option<&Path>) -> io::Result<Self> {
        match path.filter(|path| *path != Path::new("-")) {
            Some(path) => Self::create(path),
            None => Ok(Self::Stdout(BufWriter::new(io::stdout().lock()))),
        }
    }

    /// Opens a file, whatever its name: `-` is one like any other.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn create(path: &Path) -> io::Result<Self> {
        // Without a name this would show only when the file is whole.
        if path.as_os_str().is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        // A link is followed, so that it stays one.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(Self::Special(BufWriter::new(file)));
        }
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // Else the error would name the new file, which nobody knows.
        fs::metadata(folder)?;
        let new = BufWriter::new(new_file_in(folder)?);
        Ok(Self::File { new, path })
    }

    /// Why what is longer than the screen was shown without the pager that was wanted.
    #[must_use]
    pub fn missing_pager(&self) -> Option<String> {
        match self {
            Self::Screen(out) => out.missing_pager(),
            Self::Stdout(_) | Self::File { .. } | Self::Special(_) => None,
        }
    }

    /// Makes the report appear.
    ///
    /// # Errors
    /// When the rest cannot be written or the file cannot be renamed.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Stdout(mut out) => out.flush(),
            Self::Screen(out) => out.finish(),
            Self::Special(mut out) => out.flush(),
            Self::File { new, path } => {
                let new = new.into_inner().map_err(io::IntoInnerError::into_error)?;
                new.persist(path).map_err(|error| error.error)?;
                Ok(())
            }
        }
    }

    /// Gives up: a file does not appear, and what is shown already stays for as long as
    /// its reader likes.
    pub fn abandon(self) {
        if let Self::Screen(out) = self {
            // Something else went wrong before, and is told.
            let _ = out.finish();
        }
    }
}

impl Sink for Output {
    fn preface(&mut self, text: &[u8]) {
        if let Self::Screen(out) = self {
            out.preface(text);
        }
    }
}

/// Writes a file of this name in the current directory: a new one, which then
/// takes the place of whatever had the name. A link there is replaced, not followed.
///
/// # Errors
/// When the name leads out of the directory, or the file cannot be written.
pub fn write_here(
    name: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut components = name.components();
    let is_plain = matches!(components.next(), Some(Component::Normal(only)) if only == name);
    if !is_plain || components.next().is_some() {
        return Err(io::Error::other("not a name for a file in this folder"));
    }
    let mut new = BufWriter::new(new_file_in(Path::new("."))?);
    write(&mut new)?;
    let new = new.into_inner().map_err(io::IntoInnerError::into_error)?;
    new.persist(name).map_err(|error| error.error)?;
    Ok(())
}

/// A file with the permissions of any other new one.
#[cfg(unix)]
fn new_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    let usual = fs::Permissions::from_mode(0o666);
    Builder::new().permissions(usual).tempfile_in(folder)
}

#[cfg(not(unix))]
fn new_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new().tempfile_in(folder)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::Screen(out) => out.write(bytes),
            Self::File { new, .. } => new.write(bytes),
            Self::Special(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::Screen(out) => out.flush(),
            Self::File { new, .. } => new.flush(),
            Self::Special(out) => out.flush(),
        }
    }
}
