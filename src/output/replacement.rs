//! A file in the making, which takes the place of another when it is whole.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use super::path_kind::PlainFile;
use crate::files::is_input;
use crate::signals::Unfinished;

/// What is written of a file so far.
///
/// It is beside the file whose name, mode and owner it gets. A signal that ends the program
/// removes it.
#[derive(Debug)]
pub(super) struct Replacement {
    new: BufWriter<File>,
    beside: TempPath,
    /// The name that it gets.
    path: PathBuf,
    /// Whether a file has the name so far, not a link that is not followed.
    replaces: bool,
    _unfinished: Unfinished,
}

/// Why a file stays as it is: it could only be written over in place, where a full disk or
/// a signal leaves a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotReplaced {
    #[error("it has {0} hard links, which cannot change together; remove it first")]
    HardLinks(u64),
    #[error("no file can be made beside it, to be whole before it gets the name")]
    NoFileBeside,
    #[error("the report is made from it")]
    Input,
}

impl From<NotReplaced> for io::Error {
    fn from(error: NotReplaced) -> Self {
        let kind = match error {
            NotReplaced::HardLinks(_) => io::ErrorKind::TooManyLinks,
            NotReplaced::NoFileBeside => io::ErrorKind::ReadOnlyFilesystem,
            NotReplaced::Input => io::ErrorKind::InvalidInput,
        };
        Self::new(kind, error)
    }
}

impl Replacement {
    /// Starts one.
    ///
    /// # Errors
    /// When no file can be made.
    pub(super) fn of(file: PlainFile) -> io::Result<Self> {
        // Else the error would name the new file, which nobody knows.
        fs::metadata(file.directory())?;
        let (new, unfinished) = new_beside(&file).map_err(|error| match is_refusal(&error) {
            true if file.replaced.is_some() => NotReplaced::NoFileBeside.into(),
            _ => error,
        })?;
        let (new, beside) = new.into_parts();
        if let Some(replaced) = &file.replaced {
            take_over(&new, &file.path, replaced)?;
        }
        Ok(Self {
            new: BufWriter::new(new),
            beside,
            replaces: file.replaced.is_some(),
            path: file.path,
            _unfinished: unfinished,
        })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// When the rest cannot be written, the place cannot be taken, or what is there is an
    /// input, or has other names, which would stay with what is replaced.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.new.flush()?;
        if self.replaces {
            if is_input(&self.path) {
                return Err(NotReplaced::Input.into());
            }
            // Now, since a link to an input is told as that, which is known by now.
            match fs::metadata(&self.path).map_or(1, |there| n_links(&there)) {
                0 | 1 => {}
                n_links => return Err(NotReplaced::HardLinks(n_links).into()),
            }
        }
        self.beside.persist(self.path).map_err(|error| error.error)
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
    let new = Builder::new().make_in(file.directory(), |path| {
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

/// Gives a file the owner, the mode and the access list of another. Where it cannot have
/// them all, nobody may do more than before.
#[cfg(unix)]
fn take_over(new: &File, path: &Path, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let made = new.metadata()?;
    let has_owner = made.uid() == replaced.uid() || fchown(new, Some(replaced.uid()), None).is_ok();
    let has_group = made.gid() == replaced.gid() || fchown(new, None, Some(replaced.gid())).is_ok();
    let mut mode = narrowed(replaced.mode(), has_owner, has_group);
    // What the mode has for the group is the most of all in a list.
    if take_over_list(new, path, has_owner && has_group).is_err() {
        mode &= 0o700;
    }
    new.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn take_over(_new: &File, _path: &Path, _replaced: &Metadata) -> io::Result<()> {
    Ok(())
}

/// What is left of a mode where the owner or the group becomes another: who was one of
/// them is one of the others then.
#[cfg(unix)]
fn narrowed(mode: u32, has_owner: bool, has_group: bool) -> u32 {
    let [mut owner, mut group, mut others] = [mode >> 6, mode >> 3, mode].map(|bits| bits & 7);
    if !has_group {
        group &= others;
        others = group;
    }
    if !has_owner {
        group &= owner;
        others &= owner;
        // Its owner has to be one who could write it.
        owner |= 2;
    }
    owner << 6 | group << 3 | others
}

/// Gives a file the access list of another, or none where that has none: a folder may have
/// given it one.
#[cfg(target_os = "linux")]
fn take_over_list(new: &File, path: &Path, can_stay: bool) -> rustix::io::Result<()> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr, getxattr_query};
    use rustix::io::Errno;
    const LIST: &str = "system.posix_acl_access";
    let is_none = |error| matches!(error, Errno::NODATA | Errno::OPNOTSUPP);
    let size = match getxattr_query(path, LIST) {
        Err(error) if is_none(error) => 0,
        size => size?,
    };
    if size == 0 {
        return fremovexattr(new, LIST).or_else(|error| match is_none(error) {
            true => Ok(()),
            false => Err(error),
        });
    }
    if !can_stay {
        return Err(Errno::PERM);
    }
    let mut list = vec![0; size];
    let size = getxattr(path, LIST, &mut list)?;
    fsetxattr(new, LIST, &list[..size], XattrFlags::empty())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn take_over_list(_new: &File, _path: &Path, _can_stay: bool) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn n_links(there: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    there.nlink()
}

#[cfg(not(unix))]
fn n_links(_there: &Metadata) -> u64 {
    1
}

#[cfg(all(test, unix))]
mod tests {
    use super::narrowed;

    #[test]
    fn nobody_may_do_more_where_the_owner_or_the_group_becomes_another() {
        assert_eq!(narrowed(0o100_664, true, true), 0o664);
        assert_eq!(narrowed(0o664, true, false), 0o644);
        assert_eq!(narrowed(0o604, true, false), 0o600);
        assert_eq!(narrowed(0o466, false, true), 0o644);
        assert_eq!(narrowed(0o660, false, false), 0o600);
    }
}
