//! Finds the library of an `LD_PROFILE` profile: by name, or the only one whose code it covers.
//! Otherwise the profile has no library.

use std::path::Path;

use crate::diagnose::{RunError, RunResult, Warning};
use crate::load::{Loaded, without_ending};
use crate::model::Profile;
use crate::run::inputs::ProgramFile;
use crate::symbols::{Library, library_of};

/// For each profile its library among the executables, if found.
///
/// # Errors
/// If several match.
pub(in crate::run) fn choose<'a>(
    profiles: &[Loaded],
    executables: &[ProgramFile<'a>],
) -> RunResult<Vec<Option<ProgramFile<'a>>>> {
    let candidates = executables.iter().filter_map(|&executable| {
        Some(LibraryCandidate { executable, library: library_of(executable.0)?, is_taken: false })
    });
    let mut candidates: Vec<_> = candidates.collect();
    let mut choices = profiles
        .iter()
        .map(|loaded| by_name(loaded, &candidates))
        .collect::<Result<Vec<_>, _>>()?;
    take(&choices, &mut candidates);
    for (loaded, choice) in profiles.iter().zip(&mut choices) {
        if choice.is_none() {
            *choice = by_addresses(loaded, &candidates)?;
        }
    }
    take(&choices, &mut candidates);
    give_last(profiles, &mut choices, &candidates);
    let executable = |index: usize| candidates[index].executable;
    Ok(choices.into_iter().map(|choice| choice.map(executable)).collect())
}

/// Warns of a profile named after another library.
pub(in crate::run) fn check_name(loaded: &Loaded, library: ProgramFile<'_>) -> Option<Warning> {
    let stem = stem_of(&loaded.path);
    let is_of_another = names_library(stem) && !has_name(library, stem.as_bytes());
    is_of_another.then(|| Warning::OtherLibraryName {
        profile: loaded.path.clone(),
        named: stem.to_owned(),
        library: library.0.path().display().to_string(),
    })
}

/// The object name in the file name that `LD_PROFILE` made.
pub(in crate::run) fn stem_of(path: &str) -> &str {
    let name = without_ending(path.rsplit('/').next().unwrap_or(path));
    name.strip_suffix(".profile").unwrap_or(name)
}

/// The last component of a path.
pub(in crate::run) fn file_name(path: &Path) -> &[u8] {
    path.file_name().map_or(b"", |name| name.as_encoded_bytes())
}

/// Returns whether a name looks like a shared object.
fn names_library(stem: &str) -> bool {
    stem.contains(".so")
}

/// Returns whether the soname or file name of an executable is `name`.
fn has_name((executable, _): ProgramFile<'_>, name: &[u8]) -> bool {
    let library = library_of(executable);
    let soname = library.and_then(|library| library.soname);
    soname.as_deref() == Some(name) || file_name(executable.path()) == name
}

/// An executable, and its properties as a shared object.
struct LibraryCandidate<'a> {
    executable: ProgramFile<'a>,
    library: Library,
    is_taken: bool,
}

impl LibraryCandidate<'_> {
    fn fits(&self, profile: &Profile) -> bool {
        let histograms = profile.histograms().iter();
        let mut ranges = histograms.map(|h| h.low..h.high);
        ranges.all(|range| self.library.fits(&range))
    }

    fn path(&self) -> String {
        self.executable.0.path().display().to_string()
    }
}

/// The library with the name of a profile; of several, the one that matches.
fn by_name(loaded: &Loaded, candidates: &[LibraryCandidate<'_>]) -> RunResult<Option<usize>> {
    let stem = stem_of(&loaded.path).as_bytes();
    let named: Vec<usize> = indices(candidates, |candidate| has_name(candidate.executable, stem));
    let fits = |&index: &usize| candidates[index].fits(&loaded.profile);
    match &*named {
        [] => Ok(None),
        &[index] => Ok(Some(index)),
        _ => match &*named.iter().copied().filter(fits).collect::<Vec<_>>() {
            &[index] => Ok(Some(index)),
            [] => Err(unclear(loaded, &named, candidates)),
            several => Err(unclear(loaded, several, candidates)),
        },
    }
}

/// The only library whose code a profile covers, among libraries that no profile names. A profile
/// whose name matches no known library may belong to any.
fn by_addresses(loaded: &Loaded, candidates: &[LibraryCandidate<'_>]) -> RunResult<Option<usize>> {
    let fits = |candidate: &LibraryCandidate<'_>| candidate.fits(&loaded.profile);
    let mut fitting = indices(candidates, |one| !one.is_taken && fits(one));
    if fitting.is_empty() && !names_library(stem_of(&loaded.path)) {
        fitting = indices(candidates, fits);
    }
    match &*fitting {
        [] => Ok(None),
        &[index] => Ok(Some(index)),
        several => Err(unclear(loaded, several, candidates)),
    }
}

/// If one library and the profiles of one name remain, they belong together. Other checks
/// report contradictions.
fn give_last(
    profiles: &[Loaded],
    choices: &mut [Option<usize>],
    candidates: &[LibraryCandidate<'_>],
) {
    let left = indices(candidates, |candidate| !candidate.is_taken);
    let &[library] = &*left else { return };
    let without = choices.iter().zip(profiles);
    let without = without.filter(|(choice, _)| choice.is_none());
    let mut stems = without.map(|(_, loaded)| stem_of(&loaded.path));
    let first = stems.next();
    if stems.all(|stem| Some(stem) == first) {
        for choice in choices {
            choice.get_or_insert(library);
        }
    }
}

fn indices<'a>(
    candidates: &[LibraryCandidate<'a>],
    is_meant: impl Fn(&LibraryCandidate<'a>) -> bool,
) -> Vec<usize> {
    let all = candidates.iter().enumerate();
    let meant = all.filter(|(_, candidate)| is_meant(candidate));
    meant.map(|(index, _)| index).collect()
}

fn take(choices: &[Option<usize>], candidates: &mut [LibraryCandidate<'_>]) {
    for &index in choices.iter().flatten() {
        candidates[index].is_taken = true;
    }
}

fn unclear(loaded: &Loaded, libraries: &[usize], candidates: &[LibraryCandidate<'_>]) -> RunError {
    RunError::UnclearLibrary {
        profile: loaded.path.clone(),
        libraries: libraries.iter().map(|&index| candidates[index].path()).collect(),
    }
}
