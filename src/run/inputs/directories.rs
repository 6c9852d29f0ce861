//! The files in directories of a command line.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::cli::FilePattern;
use crate::diagnose::{RunError, RunResult};

/// Replaces each directory by its files whose names match the pattern, in order of names.
///
/// # Errors
/// If a directory cannot be read, or has no such file.
pub(super) fn replaced<'p>(
    paths: &'p [PathBuf],
    pattern: Option<&FilePattern>,
) -> RunResult<Cow<'p, [PathBuf]>> {
    let Some(pattern) = pattern.filter(|_| paths.iter().any(|path| path.is_dir())) else {
        return Ok(Cow::Borrowed(paths));
    };
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(files_in(path, pattern).map_err(|source| {
                let path = path.display().to_string();
                let advice = (source.kind() == io::ErrorKind::Other).then(|| ADVICE.to_owned());
                RunError::Unreadable { path, source, advice }
            })?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(Cow::Owned(files))
}

const ADVICE: &str = "in a pattern, `*` stands for any characters, and `?` for one";

fn files_in(directory: &Path, pattern: &FilePattern) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        // A link counts as its target; one without a target is reported as missing.
        let is_file = |path: &Path| fs::metadata(path).map_or(true, |found| found.is_file());
        if pattern.matches(&entry.file_name()) && is_file(&entry.path()) {
            files.push(entry.path());
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(io::Error::other(format!("contains no file like `{pattern}`")));
    }
    Ok(files)
}
