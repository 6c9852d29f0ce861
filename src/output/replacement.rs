//! A file in the making, which takes the place of another when it is whole.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use super::place::PlainFile;
use crate::signals::Unfinished;

/// What is written of a file so far.
#[derive(Debug)]
pub(super) struct Replacement {
    new: BufWriter<File>,
    /// The name that it gets.
    path: PathBuf,
    /// Where it is: beside the file whose name, mode and owner it gets. A signal that ends
    /// the program removes it. `None` for a file without a name: what is in it is copied
    /// over what is there, which has other names too, or is in a folder where no file can
    /// be made.
    beside: Option<(TempPath, Unfinished)>,
}

impl Replacement {
    /// Starts one.
    ///
    /// # Errors
    /// When no file can be made.
    pub(super) fn of(file: PlainFile) -> io::Result<Self> {
        // Else the error would name the new file, which nobody knows.
        fs::metadata(file.folder())?;
        let replaced = file.replaced.as_ref();
        let (new, beside) = if replaced.is_some_and(has_other_names) {
            (tempfile::tempfile()?, None)
        } else {
            match new_beside(&file) {
                Err(error) if replaced.is_some() && is_refusal(&error) => {
                    (tempfile::tempfile()?, None)
                }
                new => {
                    let (new, unfinished) = new?;
                    let (new, path) = new.into_parts();
                    if let Some(replaced) = replaced {
                        take_over(&new, replaced)?;
                    }
                    (new, Some((path, unfinished)))
                }
            }
        };
        Ok(Self {
            new: BufWriter::new(new),
            path: file.path,
            beside,
        })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// When the rest cannot be written, or the place cannot be taken.
    pub(super) fn finish(self) -> io::Result<()> {
        let mut new = self
            .new
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        if let Some((beside, _unfinished)) = self.beside {
            return beside.persist(self.path).map_err(|error| error.error);
        }
        new.rewind()?;
        let mut there = OpenOptions::new()
            .write(true)
            .truncate(true)
            .open(self.path)?;
        io::copy(&mut new, &mut there)?;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.flush()
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
