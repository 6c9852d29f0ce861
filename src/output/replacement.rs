//! A file in the making, which takes the place of another when it is whole.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::place::PlainFile;
use crate::signals::Unfinished;

/// What is written of a file so far.
#[derive(Debug)]
pub(super) enum Replacement {
    /// A new file beside the one whose name it gets, with its mode and its owner. A
    /// signal that ends the program removes it.
    Beside {
        new: BufWriter<NamedTempFile>,
        path: PathBuf,
        _unfinished: Unfinished,
    },
    /// A file without a name. What is in it is copied over what is there, which has other
    /// names too, or is in a folder where no file can be made.
    Apart { new: BufWriter<File>, path: PathBuf },
}

impl Replacement {
    /// Starts one.
    ///
    /// # Errors
    /// When no file can be made.
    pub(super) fn of(file: PlainFile) -> io::Result<Self> {
        // Else the error would name the new file, which nobody knows.
        fs::metadata(file.folder())?;
        let path = file.path.clone();
        if file.replaced.as_ref().is_some_and(has_other_names) {
            return Self::apart(path);
        }
        let (new, unfinished) = match new_beside(&file) {
            Err(error) if file.replaced.is_some() && is_refusal(&error) => {
                return Self::apart(path);
            }
            new => new?,
        };
        if let Some(replaced) = &file.replaced {
            take_over(new.as_file(), replaced)?;
        }
        Ok(Self::Beside {
            new: BufWriter::new(new),
            path,
            _unfinished: unfinished,
        })
    }

    fn apart(path: PathBuf) -> io::Result<Self> {
        let new = BufWriter::new(tempfile::tempfile()?);
        Ok(Self::Apart { new, path })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// When the rest cannot be written, or the place cannot be taken.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Beside { new, path, .. } => {
                let new = new.into_inner().map_err(io::IntoInnerError::into_error)?;
                new.persist(path).map_err(|error| error.error)?;
            }
            Self::Apart { new, path } => {
                let mut new = new.into_inner().map_err(io::IntoInnerError::into_error)?;
                new.rewind()?;
                let mut there = OpenOptions::new().write(true).truncate(true).open(path)?;
                io::copy(&mut new, &mut there)?;
            }
        }
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside { new, .. } => new.write(bytes),
            Self::Apart { new, .. } => new.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside { new, .. } => new.flush(),
            Self::Apart { new, .. } => new.flush(),
        }
    }
}

/// A new file that signals remove, known to them before it is there.
fn new_beside(file: &PlainFile) -> io::Result<(NamedTempFile, Unfinished)> {
    let mut unfinished = None;
    let new = Builder::new().make_in(file.folder(), |path| {
        unfinished = Some(Unfinished::new(path));
        create_new(path, file.replaced.is_some())
    })?;
    let unfinished = unfinished.expect("a file that was made had a path");
    Ok((new, unfinished))
}

/// Makes a file with the permissions of any other new one, or for its owner alone until
/// it has those of what it replaces.
fn create_new(path: &Path, replaces: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(if replaces { 0o600 } else { 0o666 });
    }
    #[cfg(not(unix))]
    let _ = replaces;
    options.open(path)
}

/// Whether the system does not let files be made in a folder.
fn is_refusal(error: &io::Error) -> bool {
    use io::ErrorKind as E;
    matches!(error.kind(), E::PermissionDenied | E::ReadOnlyFilesystem)
}

/// Gives a file the owner and the mode of another. Where it cannot have the group of it,
/// it is open to its own no further than to everybody.
#[cfg(unix)]
fn take_over(new: &File, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let made = new.metadata()?;
    let has_owner = made.uid() == replaced.uid() || fchown(new, Some(replaced.uid()), None).is_ok();
    let has_group = made.gid() == replaced.gid() || fchown(new, None, Some(replaced.gid())).is_ok();
    let mut mode = replaced.mode() & 0o777;
    if !has_group {
        mode &= 0o707 | (mode & 0o007) << 3;
    }
    // Its owner has to be one who could write it.
    if !has_owner {
        mode |= 0o200;
    }
    new.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn take_over(_new: &File, _replaced: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Whether a file has names that would stay with what is replaced.
#[cfg(unix)]
fn has_other_names(there: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    there.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_there: &Metadata) -> bool {
    false
}
