//! Which of several profiles is not of the program that the others are of.

use std::path::{Path, PathBuf};

use crate::cli::Plan;
use crate::diagnose::{Warning, check_verdict, verdict};
use crate::load::{in_parallel, plain_size};
use crate::run::inputs::{self, ProgramFile};

/// What the sum of profiles has to say of their program, or rather what a single one has
/// that is to blame, where it is not so of all.
pub(in crate::run) fn blamed(
    warning: Warning,
    paths: &[PathBuf],
    program: ProgramFile<'_>,
    plan: &Plan,
) -> Warning {
    let judged = judged(paths, program, plan);
    let is_so = |found: &Warning| found.code() == warning.code();
    let is_so_of_all = judged
        .iter()
        .all(|(_, found)| found.as_ref().is_some_and(is_so));
    match is_so_of_all {
        true => warning,
        false => first_of(judged).unwrap_or(warning),
    }
}

/// What is wrong with the first of several profiles that do not fit their program.
pub(in crate::run) fn first(
    paths: &[PathBuf],
    program: ProgramFile<'_>,
    plan: &Plan,
) -> Option<Warning> {
    first_of(judged(paths, program, plan))
}

fn first_of(judged: Vec<(PathBuf, Option<Warning>)>) -> Option<Warning> {
    let n_all = judged.len();
    let mut mismatch = judged
        .into_iter()
        .filter_map(|(path, found)| Some((path, found.filter(Warning::is_urgent)?)));
    let (path, found) = mismatch.next()?;
    Some(Warning::Mismatch {
        profile: path.display().to_string(),
        n_more: mismatch.count(),
        n_all,
        found: Box::new(found),
    })
}

/// Several profiles by their names, not by the order in which they were given, and what
/// each has to say of the program. Only what is wrong makes files be read again: there is
/// none if one of them cannot be, or there is only one.
fn judged(
    paths: &[PathBuf],
    program: ProgramFile<'_>,
    plan: &Plan,
) -> Vec<(PathBuf, Option<Warning>)> {
    if paths.len() < 2 {
        return Vec::new();
    }
    let mut paths = paths.to_vec();
    paths.sort();
    let judge = |path: PathBuf| {
        let found = alone(&path, program, plan)?;
        Some((path, found))
    };
    let mut judged = Vec::new();
    let all = in_parallel(paths, |path| plain_size(path), judge, &mut |batch| {
        let batch: Option<Vec<_>> = batch.into_iter().collect();
        judged.extend(batch.ok_or(())?);
        Ok(())
    });
    match all {
        Ok(()) => judged,
        Err(()) => Vec::new(),
    }
}

/// What one file has to say of the program; `None` if it cannot be read again.
fn alone(
    path: &Path,
    (executable, program): ProgramFile<'_>,
    plan: &Plan,
) -> Option<Option<Warning>> {
    let mut loaded = inputs::load_again(path, plan, program)?;
    if let Some(base) = plan.base {
        let distance = base.0.0.wrapping_sub(program.link_base.0);
        loaded.profile.move_down(distance);
    }
    let verdict = verdict(&loaded.profile, executable, program).ok()?;
    Some(check_verdict(&verdict, executable.path()))
}
