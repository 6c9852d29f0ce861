//! The kind of file at an output path.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The kind of file at a path, as for a shell's `>`.
#[derive(Debug)]
pub(super) enum PathKind {
    /// Standard output, by one of its file names.
    Stdout,
    /// Not a regular file; already open.
    Special(File),
    File(PlainFile),
}

/// The path of a regular file.
#[derive(Debug)]
pub(super) struct PlainFile {
    pub(super) path: PathBuf,
    /// The writable file that has this name now.
    pub(super) replaced: Option<Metadata>,
}

/// Names of standard output.
const STDOUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Directories of open files. A second open would overwrite earlier output.
const OPEN_FILES: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

/// Maximum number of symbolic links, as in Linux (path_resolution(7)).
const MAX_LINKS: usize = 40;

impl PathKind {
    /// Follows links, even to a file that does not exist.
    ///
    /// # Errors
    /// If links form a loop, or the file is not writable.
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
    /// A path with or without a file.
    ///
    /// # Errors
    /// If the file is not writable.
    pub(super) fn new(path: PathBuf, replaced: Option<Metadata>) -> io::Result<Self> {
        if let Some(there) = &replaced {
            // Root can write to read-only files, but hardly intends to.
            if there.permissions().readonly() {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            // Opened as `>` opens it, but not emptied.
            OpenOptions::new().write(true).open(&path)?;
        }
        Ok(Self { path, replaced })
    }

    /// The directory of the file.
    pub(super) fn directory(&self) -> &Path {
        directory_of(&self.path)
    }
}

fn is_open_file(path: &Path) -> bool {
    let directory = path.parent();
    let is_in = |open: &&str| directory == Some(Path::new(open));
    OPEN_FILES.iter().any(is_in) || path == Path::new("/dev/stderr")
}

/// The path with its links resolved.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::canonicalize(&path) {
            Ok(real) => return Ok(real),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        // It is a dangling link, or does not exist.
        match fs::read_link(&path) {
            Ok(target) => path = directory_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(directory) if directory != Path::new("") => directory,
        _ => Path::new("."),
    }
}
