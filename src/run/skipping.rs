//! Omits profiles that cannot be used among others that can.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Error, Result, anyhow};

use super::destination::{open_output, unwritable, written};
use crate::diagnose::{self, RunError, RunResult, SkippedFile, Warning};
use crate::load::LoadError;
use crate::model::MergeError;
use crate::report::escape_controls;
use crate::sorting::ColdSort;

/// Omitted files with their errors, in order.
#[derive(Default)]
pub(super) struct Skipped(Vec<(String, Error)>);

impl Skipped {
    /// Omits a file because of this error.
    ///
    /// # Errors
    /// If the error is not about the file alone, or damaged files are refused.
    pub(super) fn add(&mut self, path: String, error: Error, is_strict: bool) -> Result<()> {
        if is_strict || !is_about_file(&error) {
            return Err(error);
        }
        self.0.push((path, error));
        Ok(())
    }

    /// Omits an empty file.
    pub(super) fn add_empty(&mut self, path: String) {
        self.0.push((path.clone(), LoadError::Empty { path }.into()));
    }

    /// Omits a run of a side that ended before it was sampled, unlike the other runs.
    ///
    /// # Errors
    /// If damaged files are refused.
    pub(super) fn add_failed(&mut self, path: String, is_strict: bool) -> Result<()> {
        let error = anyhow!(diagnose::failed_run(&path));
        if is_strict {
            return Err(error);
        }
        self.0.push((path, error));
        Ok(())
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The warning about omitted files, if `n_used` profiles remain. If the executable `is_known`,
    /// none of the files can be meant as one.
    ///
    /// # Errors
    /// The first error, if none remains; that of another kind of profile, if these are not fewer;
    /// or that of a file that may be meant as the executable.
    pub(super) fn warning(self, n_used: usize, is_known: bool) -> Result<Option<Warning>> {
        let n_unlike = self.0.iter().filter(|(_, error)| is_unlike(error)).count();
        let n_all = n_used + self.0.len();
        let (mut files, mut refused) = (Vec::new(), None);
        for (path, error) in self.0 {
            let is_refused = n_used == 0
                || n_unlike >= n_used && is_unlike(&error)
                || !is_known && may_be_program(&error);
            let message = error.to_string();
            let reason = message
                .strip_prefix(&*path)
                .and_then(|rest| rest.strip_prefix(": ").or_else(|| rest.strip_prefix(" ")));
            files.push(SkippedFile { reason: reason.unwrap_or(&message).to_owned(), path });
            refused = refused.or(is_refused.then_some(error));
        }
        match refused {
            Some(error) => Err(error),
            None => {
                files.cold_sort_by_key(|file| file.path.clone());
                Ok((!files.is_empty()).then_some(Warning::Skipped { files, n_all }))
            }
        }
    }
}

/// Returns whether an error is about one profile, and does not concern others.
pub(super) fn is_about_file(error: &Error) -> bool {
    let is_run_error = error.downcast_ref().is_some_and(|error| {
        let is_unlike = matches!(error, RunError::NotBeside { .. } | RunError::UnlikeRun { .. });
        is_unlike
            || matches!(
                error,
                RunError::Unreadable { .. }
                    | RunError::MalformedReport { .. }
                    | RunError::NotComparable { .. }
                    | RunError::OfNoProgram { .. }
                    | RunError::SeveralPrograms { .. }
            )
    });
    match error.downcast_ref() {
        // A profile of another kind is refused before any of it is added.
        Some(LoadError::Unlike { source, .. }) => matches!(source, MergeError::Kind { .. }),
        Some(_) => true,
        None => is_run_error,
    }
}

fn is_unlike(error: &Error) -> bool {
    let of_run = error.downcast_ref();
    matches!(error.downcast_ref(), Some(LoadError::Unlike { .. }))
        || matches!(of_run, Some(RunError::NotBeside { .. } | RunError::UnlikeRun { .. }))
}

/// Returns whether a file that is missing or not a profile may be meant as the executable.
fn may_be_program(error: &Error) -> bool {
    is_missing(error) || matches!(error.downcast_ref(), Some(LoadError::NotAProfile { .. }))
}

/// Returns whether a file does not exist.
fn is_missing(error: &Error) -> bool {
    let error = error.downcast_ref();
    matches!(error, Some(RunError::Unreadable { source, .. })
        if source.kind() == ErrorKind::NotFound)
}

/// Writes a line with the name of each omitted file, a tab, and the reason.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write_list(path: &Path, warnings: &[Warning]) -> RunResult {
    let mut out = open_output(Some(path))?;
    for warning in warnings {
        if let Warning::Skipped { files, .. } = warning {
            for SkippedFile { path: file, reason } in files {
                let [file, reason] = [file, reason].map(|text| escape_controls(text.as_bytes()));
                let line = [&*file, b"\t", &*reason, b"\n"].concat();
                out.write_all(&line).map_err(|source| unwritable(Some(path), source))?;
            }
        }
    }
    written(out.finish(), Some(path))
}
