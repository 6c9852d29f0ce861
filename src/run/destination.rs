//! Where a command writes: a file, a directory or standard output.

use std::io;
use std::path::Path;

use crate::diagnose::{RunError, RunResult};
use crate::output::{Output, unless_closed};

/// Opens the output file, or standard output.
///
/// # Errors
/// If it is not writable.
pub(super) fn open_output(path: Option<&Path>) -> RunResult<Output> {
    Output::open(path).map_err(|source| unwritable(path, source))
}

/// Opens the output directory of a format that writes several files.
///
/// # Errors
/// If it has files, or is not writable.
pub(super) fn open_directory(path: &Path) -> RunResult<Output> {
    Output::directory(path).map_err(|source| unwritable(Some(path), source))
}

/// The error for an output, standard output for `None` and `-`.
pub(super) fn unwritable(path: Option<&Path>, source: io::Error) -> RunError {
    let path = path.filter(|path| *path != Path::new("-"));
    let path = path.map_or_else(|| "standard output".to_owned(), |path| path.display().to_string());
    RunError::Unwritable { path, source }
}

/// Ignores a closed pipe, and adds the name of the file to other errors.
///
/// # Errors
/// If writing failed.
pub(super) fn written(result: io::Result<()>, path: Option<&Path>) -> RunResult {
    result.or_else(unless_closed).map_err(|source| unwritable(path, source))
}
