//! A new directory of files, which appears when all of them are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};

use super::FileContents;

/// A temporary directory next to the one that it will replace.
#[derive(Debug)]
pub(super) struct NewDirectory {
    beside: TempDir,
    path: PathBuf,
}

impl NewDirectory {
    /// Creates the temporary directory.
    ///
    /// # Errors
    /// If that fails, or the path exists and is not an empty directory.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        match fs::read_dir(path).map(|mut files| files.next()) {
            Ok(None) => {}
            Ok(Some(_)) => {
                let reason = "the directory has files, which profan would mix with its own";
                return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, reason));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let parent = path.parent().filter(|parent| parent != &Path::new(""));
        let mut builder = Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        Ok(Self {
            beside: builder.tempdir_in(parent.unwrap_or(Path::new(".")))?,
            path: path.to_owned(),
        })
    }

    /// Writes a file. Its name is one of the format, never one of a profile.
    pub(super) fn write_file(&self, name: &str, contents: &FileContents<'_>) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(self.beside.path().join(name))?);
        contents(&mut file)?;
        file.flush()
    }

    /// Renames the directory to its final path.
    pub(super) fn finish(self) -> io::Result<()> {
        match fs::remove_dir(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::rename(self.beside.path(), &self.path)?;
        // It has another name now.
        let _ = self.beside.keep();
        Ok(())
    }
}
