//! Finds which of several profiles does not match the program.

use std::path::{Path, PathBuf};

use super::Object;
use crate::cli::ReadingOptions;
use crate::diagnose::{
    CheckedProgram, Judgement, Warning, check_verdict, counter_width as counter_width_warning,
};
use crate::load::{in_parallel, plain_size};
use crate::run::inputs::{self, ProgramFile};

/// The warning about the sum of profiles, or about a single profile if not all have the
/// problem.
pub(in crate::run) fn blamed(warning: Warning, of_files: &[FileWarning]) -> Warning {
    let is_so = |found: &Warning| found.code() == warning.code();
    let is_so_of_all = of_files.iter().all(|(_, found)| found.as_ref().is_some_and(is_so));
    if is_so_of_all { warning } else { first_of(of_files).unwrap_or(warning) }
}

/// The warning that the counters of a profile have another width, if only with that the
/// executable matches.
pub(in crate::run) fn counter_width(
    object: &Object<'_>,
    (executable, program): ProgramFile<'_>,
    reading: &ReadingOptions,
) -> Option<Warning> {
    let (path, width) = (object.paths.first()?, object.likely_width?);
    let wider = inputs::load_as(path, reading, program, Some(width))?;
    let verdict = CheckedProgram::new(executable, program).ok()?.verdict(&wider.profile);
    let is_same = verdict.judgement == Judgement::SameBuild;
    is_same.then(|| counter_width_warning(wider.path, width, true))
}

/// The warning about the first profile that does not match.
pub(in crate::run) fn first_of<'a>(of_files: &'a [FileWarning]) -> Option<Warning> {
    let urgent = |(path, found): &'a FileWarning| {
        Some((path, found.as_ref().filter(|one| one.is_urgent())?))
    };
    let mut mismatch = of_files.iter().filter_map(urgent);
    let (path, found) = mismatch.next()?;
    Some(Warning::Mismatch {
        profile: path.display().to_string(),
        n_more: mismatch.count(),
        n_all: of_files.len(),
        found: Box::new(found.clone()),
    })
}

/// A profile, with its most urgent warning if it has any.
type FileWarning = (PathBuf, Option<Warning>);

/// Profiles by name, not by position, each with its warnings. Files are read again only if
/// there is a problem; empty if one cannot be, or there is only one.
pub(in crate::run) fn warnings_of_files(
    paths: &[PathBuf],
    (executable, program): ProgramFile<'_>,
    reading: &ReadingOptions,
) -> Vec<FileWarning> {
    if paths.len() < 2 {
        return Vec::new();
    }
    let Ok(checked) = CheckedProgram::new(executable, program) else {
        return Vec::new();
    };
    let mut paths = paths.to_vec();
    paths.sort();
    let warning_of = |path: PathBuf| {
        let found = alone(&path, &checked, reading)?;
        Some((path, found))
    };
    let mut warnings_of_files = Vec::new();
    let all = in_parallel(paths, |path| plain_size(path), warning_of, &mut |batch| {
        let batch: Option<Vec<_>> = batch.into_iter().collect();
        warnings_of_files.extend(batch.ok_or(())?);
        Ok(())
    });
    match all {
        Ok(()) => warnings_of_files,
        Err(()) => Vec::new(),
    }
}

/// The warnings of one file; `None` if it cannot be read again.
fn alone(
    path: &Path,
    checked: &CheckedProgram<'_>,
    reading: &ReadingOptions,
) -> Option<Option<Warning>> {
    let program = checked.program;
    let mut loaded = inputs::load_as(path, reading, program, reading.counter_bits)?;
    if let Some(base) = reading.base {
        loaded.profile.move_down(base.distance_from(program.link_base));
    }
    let mut verdicts = checked.verdicts(&loaded.profile).ok()?.into_iter();
    Some(verdicts.find_map(|(image, verdict)| check_verdict(&verdict.unless_fixed(program), image)))
}
