//! Writes a complete new file before it replaces the old one.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use super::path_kind::PlainFile;
use crate::files::{are_same, is_input};
use crate::signals::Unfinished;

/// A temporary file next to the file whose name, mode and owner it gets. A signal that ends
/// the program removes it.
#[derive(Debug)]
pub(super) struct Replacement {
    new: BufWriter<File>,
    beside: TempPath,
    /// Its final path.
    path: PathBuf,
    /// Whether a file has this path now (not a link that is not followed).
    replaces: bool,
    _unfinished: Unfinished,
}

/// Why a file is kept: it could only be overwritten in place, where a full disk or a signal
/// would leave it incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotReplaced {
    #[error("it has {0} hard links, which profan would break; remove it first")]
    HardLinks(u64),
    #[error("cannot create a temporary file in its directory")]
    NoFileBeside,
    #[error("it is an input of the report")]
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
    /// Creates the temporary file.
    ///
    /// # Errors
    /// If that fails.
    pub(super) fn of(file: PlainFile) -> io::Result<Self> {
        // Otherwise the error would name the temporary file, which the user does not know.
        fs::metadata(file.directory())?;
        let (new, unfinished) = new_beside(&file).map_err(|error| {
            if is_refusal(&error) && file.replaced.is_some() {
                NotReplaced::NoFileBeside.into()
            } else {
                error
            }
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

    /// Renames the file to its final path.
    ///
    /// # Errors
    /// If writing or renaming fails, or the present file is an input or has other hard links,
    /// which would keep the old contents.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.new.flush()?;
        if self.replaces {
            if is_input(&self.path) {
                return Err(NotReplaced::Input.into());
            }
            // Checked after the inputs, so that a link to an input is reported as such.
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

/// Writes a new file in the current directory and replaces any file of that name. Replaces a
/// link without following it.
///
/// # Errors
/// If the name leads out of the directory or names an input, or writing fails.
pub fn write_here(
    name: &Path,
    inputs: &[PathBuf],
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut components = name.components();
    let is_plain = matches!(components.next(), Some(Component::Normal(only)) if only == name);
    if !is_plain || components.next().is_some() {
        return Err(io::Error::other("not a file name"));
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

/// A new file that signal handlers know before it exists.
fn new_beside(file: &PlainFile) -> io::Result<(NamedTempFile, Unfinished)> {
    let mut unfinished = None;
    let new = Builder::new().make_in(file.directory(), |path| {
        unfinished = Some(Unfinished::new(path));
        create_new(path, file.replaced.is_some())
    })?;
    let unfinished = unfinished.expect("a file that was made had a path");
    Ok((new, unfinished))
}

/// Creates a file with default permissions, or only for the owner until it gets the permissions
/// of the file that it replaces.
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

/// Returns whether the error means that the directory is not writable.
fn is_refusal(error: &io::Error) -> bool {
    use io::ErrorKind as E;
    matches!(error.kind(), E::PermissionDenied | E::ReadOnlyFilesystem)
}

/// Copies owner, mode and access list. If one cannot be set, permissions become stricter,
/// never wider.
#[cfg(unix)]
fn take_over(new: &File, path: &Path, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let made = new.metadata()?;
    let has_owner = made.uid() == replaced.uid() || fchown(new, Some(replaced.uid()), None).is_ok();
    let has_group = made.gid() == replaced.gid() || fchown(new, None, Some(replaced.gid())).is_ok();
    let mut mode = narrowed(replaced.mode(), has_owner, has_group);
    // With an access list, the group bits of the mode are the maximum of all its entries.
    if take_over_list(new, path, has_owner && has_group).is_err() {
        mode &= 0o700;
    }
    new.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn take_over(_new: &File, _path: &Path, _replaced: &Metadata) -> io::Result<()> {
    Ok(())
}

/// The mode after a change of owner or group: their previous members are now others.
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
        // The owner has to be able to write the file.
        owner |= 2;
    }
    owner << 6 | group << 3 | others
}

/// Copies the access list, or removes it if the old file does not have one: the directory may
/// have a default list.
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
        return fremovexattr(new, LIST)
            .or_else(|error| if is_none(error) { Ok(()) } else { Err(error) });
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
    fn permissions_never_grow_with_a_new_owner_or_group() {
        assert_eq!(narrowed(0o100_664, true, true), 0o664);
        assert_eq!(narrowed(0o664, true, false), 0o644);
        assert_eq!(narrowed(0o604, true, false), 0o600);
        assert_eq!(narrowed(0o466, false, true), 0o644);
        assert_eq!(narrowed(0o660, false, false), 0o600);
    }
}
