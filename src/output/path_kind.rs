//! Where a file of a name goes.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use super::replacement::{NotReplaced, Replacement};
use crate::files::are_same;

/// What is at a path, as a shell's `>` sees it.
#[derive(Debug)]
pub(super) enum PathKind {
    /// Standard output, by one of the names that it has as a file.
    Stdout,
    /// What is no plain file. It was opened.
    Special(File),
    File(PlainFile),
}

/// A name for a plain file.
#[derive(Debug)]
pub(super) struct PlainFile {
    pub(super) path: PathBuf,
    /// What has the name so far, and may be written.
    pub(super) replaced: Option<Metadata>,
}

/// The names of standard output.
const STDOUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// The folders of files that are open. Who opens them a second time would write over what
/// was written through them before.
const OPEN_FILES: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

/// As many links as Linux follows.
const MAX_LINKS: usize = 40;

impl PathKind {
    /// Looks at what is there. Links are followed, also to what is not there yet.
    ///
    /// # Errors
    /// When links go round, or what is there may not be written.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        // Without a name this would show only when the file is whole.
        if path.as_os_str().is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        if STDOUT.iter().any(|name| path == Path::new(name)) {
            return Ok(Self::Stdout);
        }
        if is_open_file(path) {
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(Self::Special(file));
        }
        let path = resolved(path)?;
        match fs::metadata(&path) {
            Ok(there) if !there.is_file() => {
                let file = OpenOptions::new().write(true).open(&path)?;
                Ok(Self::Special(file))
            }
            there => Ok(Self::File(PlainFile::new(path, there.ok())?)),
        }
    }
}

impl PlainFile {
    /// The name of what is there, or of what is not.
    ///
    /// # Errors
    /// When it may not be written.
    fn new(path: PathBuf, replaced: Option<Metadata>) -> io::Result<Self> {
        if let Some(there) = &replaced {
            // Root may write what nobody may, and would not have meant to.
            if there.permissions().readonly() {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            // Opened as `>` opens it, but not emptied.
            OpenOptions::new().write(true).open(&path)?;
        }
        Ok(Self { path, replaced })
    }

    /// The folder that it is in.
    pub(super) fn directory(&self) -> &Path {
        directory_of(&self.path)
    }
}

/// Writes a file of this name in the current directory: a new one, which then
/// takes the place of whatever had the name. A link there is replaced, not followed.
///
/// # Errors
/// When the name leads out of the directory or is one of an input, or the file cannot be
/// written.
pub fn write_here(
    name: &Path,
    inputs: &[PathBuf],
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut components = name.components();
    let is_plain = matches!(components.next(), Some(Component::Normal(only)) if only == name);
    if !is_plain || components.next().is_some() {
        return Err(io::Error::other("not a name for a file in this folder"));
    }
    let there = fs::symlink_metadata(name).ok();
    let there = there.filter(Metadata::is_file);
    if there.is_some() && inputs.iter().any(|input| are_same(input, name)) {
        return Err(NotReplaced::Input.into());
    }
    let file = PlainFile::new(name.to_owned(), there)?;
    let mut new = Replacement::of(file)?;
    write(&mut new)?;
    new.finish()
}

fn is_open_file(path: &Path) -> bool {
    let directory = path.parent();
    let is_in = |open: &&str| directory == Some(Path::new(open));
    OPEN_FILES.iter().any(is_in) || path == Path::new("/dev/stderr")
}

/// The path without links.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::canonicalize(&path) {
            Ok(real) => return Ok(real),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        // It is a link to what is not there, or not there itself.
        match fs::read_link(&path) {
            Ok(target) => path = directory_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links lead to each other"))
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(directory) if directory != Path::new("") => directory,
        _ => Path::new("."),
    }
}
