//! Programs and libraries with their profiles.

pub(super) mod build;
pub(super) mod joining;
mod libraries;
mod mismatch;
mod naming;
mod placing;
mod programs;
pub(super) mod reading;
pub(super) mod sum;
pub(super) mod symbol_files;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::inputs::{ProgramFile, two_executables};
use crate::diagnose::{self, RunError, Warning, unused_images};
use crate::load::{CounterBits, Loaded, ReadPolicy, Sum};
use crate::model::{Address, CallArc, Encoding, Profile, RecordedCosts};
use crate::sorting::ColdSort;
use crate::symbols::{Library, library_of};
pub(in crate::run) use libraries::file_name;
use libraries::{check_name, choose, stem_of};

/// A program or library with the sum of its profiles.
#[derive(Default)]
pub(super) struct Object<'a> {
    /// Name in reports.
    pub(super) name: String,
    /// The sum of its profiles.
    pub(super) profile: Profile,
    /// Encodings of its profiles.
    pub(super) encodings: Vec<Encoding>,
    /// The executable, if given.
    pub(super) executable: Option<ProgramFile<'a>>,
    /// Paths of its profiles; empty for libraries.
    pub(super) paths: Vec<PathBuf>,
    /// The width that the counters of the first profile suggest.
    pub(super) likely_width: Option<CounterBits>,
    /// It was profiled by `LD_PROFILE`.
    pub(super) is_library: bool,
    /// Its code, if it was given and profiled.
    pub(super) library: Option<Library>,
    /// Number of runs in its profiles; `None` if unknown.
    pub(super) n_runs: Option<u64>,
}

impl<'a> Object<'a> {
    /// The same object with other costs.
    pub(super) fn with_costs(&self, costs: RecordedCosts) -> Object<'a> {
        let of_costs = |kind| Profile::of_costs(kind, costs);
        Object {
            name: self.name.clone(),
            profile: self.profile.kind.map(of_costs).unwrap_or_default(),
            encodings: self.encodings.clone(),
            paths: self.paths.clone(),
            library: None,
            ..*self
        }
    }

    /// The name by which programs load it, if it is a library.
    pub(super) fn loaded_name(&self) -> Cow<'_, str> {
        let soname = self.library.as_ref().and_then(|library| library.soname.as_deref());
        soname.map_or(Cow::Borrowed(&self.name), String::from_utf8_lossy)
    }

    /// The most informative encoding of the profiles: one that differs from the program's.
    pub(super) fn informative_encoding(&self) -> Option<Encoding> {
        let program = self.executable.map(|(_, program)| program.encoding);
        let is_other = |one: &&Encoding| program.is_some_and(|program| program != **one);
        let others = self.encodings.iter().filter(is_other);
        others.min().or(self.encodings.iter().min()).copied()
    }
}

/// Returns whether time was sampled by address; otherwise values belong to contexts.
pub(super) fn is_sampled(profile: &Profile) -> bool {
    profile.kind.is_none_or(|kind| kind.is_by_address)
}

/// The sum of the profiles of the program.
#[derive(Default)]
pub(super) struct ProgramSum {
    pub(super) profile: Profile,
    /// How they store words.
    pub(super) encodings: Vec<Encoding>,
    /// Their names.
    pub(super) paths: Vec<PathBuf>,
    /// The width that the counters of the first one suggest.
    pub(super) likely_width: Option<CounterBits>,
}

/// Objects and their warnings.
pub(super) struct Gathered<'a> {
    pub(super) objects: Vec<Object<'a>>,
    pub(super) warnings: Vec<Warning>,
    pub(super) notes: Vec<String>,
}

/// Makes objects: the program, unless there are only libraries, and libraries by name. An
/// `LD_PROFILE` file belongs to a library; all other profiles belong to the program.
///
/// # Errors
/// If the object of a profile is ambiguous, or an executable has no profile.
pub(super) fn gather<'a>(
    mut of_programs: Vec<(ProgramSum, Option<ProgramFile<'a>>)>,
    of_libraries: Vec<Loaded>,
    executables: &[ProgramFile<'a>],
    is_one_of_many: bool,
) -> Result<Gathered<'a>> {
    let has_libraries = !of_libraries.is_empty();
    let (libraries, warnings) = libraries_with(of_libraries, executables)?;
    let mut objects = Vec::new();
    let are_several = of_programs.len() > 1;
    if are_several {
        of_programs.retain(|(sum, _)| !sum.paths.is_empty());
        let programs = of_programs.into_iter();
        objects.extend(programs.map(|(sum, program)| program_with(sum, program)));
        name_apart(&mut objects);
    } else if let Some((sum, _)) = of_programs.pop()
        && (!has_libraries || !sum.paths.is_empty())
    {
        let left = || executables.iter().filter(|one| !is_of_any(one, &libraries));
        let program = left().find(|one| executables.len() == 1 || can_be_program(one));
        objects.push(program_with(sum, program.copied()));
    }
    objects.extend(libraries);
    // Other runs have profiles of the other programs.
    let notes = if are_several && is_one_of_many {
        Vec::new()
    } else {
        notes_on_unused(executables, &objects)?
    };
    Ok(Gathered { objects, warnings, notes })
}

/// Names programs in files of the same name by their paths.
fn name_apart(objects: &mut [Object<'_>]) {
    let names: Vec<_> = objects.iter().map(|object| object.name.clone()).collect();
    for object in objects {
        if let (Some((executable, _)), true) =
            (object.executable, names.iter().filter(|name| **name == object.name).count() > 1)
        {
            object.name = executable.path().display().to_string();
        }
    }
}

/// Returns whether an executable can be a program, which has no soname.
fn can_be_program((executable, _): &ProgramFile<'_>) -> bool {
    library_of(executable).is_none_or(|library| library.soname.is_none())
}

fn program_with<'a>(of_program: ProgramSum, executable: Option<ProgramFile<'a>>) -> Object<'a> {
    let path = executable.map(|(executable, _)| executable.path());
    let path = path.or(of_program.paths.first().map(PathBuf::as_path));
    Object {
        name: lossy(path.map_or(b"", file_name)),
        profile: of_program.profile,
        encodings: of_program.encodings,
        executable,
        n_runs: Some(of_program.paths.len() as u64),
        paths: of_program.paths,
        likely_width: of_program.likely_width,
        ..Object::default()
    }
}

fn is_of_any(executable: &ProgramFile<'_>, objects: &[Object<'_>]) -> bool {
    let mut used = objects.iter().filter_map(|object| object.executable);
    used.any(|used| std::ptr::eq(used.0, executable.0))
}

/// Notes on the libraries of a program that have no profile.
///
/// # Errors
/// If any other executable was not used.
fn notes_on_unused(executables: &[ProgramFile<'_>], objects: &[Object<'_>]) -> Result<Vec<String>> {
    let unused = || executables.iter().filter(|one| !is_of_any(one, objects));
    let mut programs = objects.iter().filter(|object| !object.is_library);
    let has_program = programs.any(|object| object.executable.is_some());
    let is_library = |(executable, _): &ProgramFile<'_>| library_of(executable).is_some();
    // The program that loaded the libraries of all profiles, without a profile of its own.
    let are_complete = objects.iter().all(|one| one.is_library && one.executable.is_some());
    let may_have_loaded = are_complete && unused().count() == 1;
    let may_be_unused = |one: &ProgramFile<'_>| {
        if is_library(one) { has_program } else { may_have_loaded && can_be_program(one) }
    };
    let Some(&zero_cost) = unused().find(|one| !may_be_unused(one)) else {
        let names = unused().map(|(executable, _)| lossy(file_name(executable.path())));
        let mut notes: Vec<_> = names.map(|name| diagnose::unprofiled(&name)).collect();
        for object in objects.iter().filter(|object| is_sampled(&object.profile)) {
            if let Some((executable, _)) = object.executable
                && executable.images().len() > 1
            {
                let unused = unused_images(&object.profile, executable)?.into_iter();
                let names = unused.map(|path| lossy(file_name(path)));
                notes.extend(names.map(|name| diagnose::unused(&name)));
            }
        }
        return Ok(notes);
    };
    let mut others = executables.iter().filter(|one| !std::ptr::eq(one.0, zero_cost.0));
    match others.next() {
        Some(other) => bail!(two_executables(other.0, zero_cost.0)),
        None => bail!(RunError::ProgramOfLibrary {
            library: objects.first().map_or_else(String::new, |one| one.name.clone()),
            executable: zero_cost.0.path().display().to_string(),
        }),
    }
}

/// The libraries of profiles, in an order independent of the files.
fn libraries_with<'a>(
    mut profiles: Vec<Loaded>,
    executables: &[ProgramFile<'a>],
) -> Result<(Vec<Object<'a>>, Vec<Warning>)> {
    profiles.cold_sort_by(|a, b| a.path.cmp(&b.path));
    let choices = choose(&profiles, executables)?;
    let mut warnings = Vec::new();
    // By name, then by path, which distinguishes libraries with the same name.
    let mut objects: BTreeMap<(String, String), (Object<'a>, Sum)> = BTreeMap::new();
    for (loaded, library) in profiles.into_iter().zip(choices) {
        warnings.extend(library.and_then(|library| check_name(&loaded, library)));
        let key = match library {
            Some((library, _)) => {
                let path = library.path();
                (lossy(file_name(path)), path.display().to_string())
            }
            None => (stem_of(&loaded.path).to_owned(), String::new()),
        };
        let (object, sum) = objects
            .entry(key)
            .or_insert_with(|| (unread_library(library), Sum::new(ReadPolicy::CAREFUL)));
        object.encodings.extend(loaded.encoding);
        if let Some(n_runs) = n_runs(loaded.profile.arcs()) {
            object.n_runs = Some(object.n_runs.unwrap_or(0) + n_runs);
        }
        sum.add(loaded)?;
    }
    let mut n_named: HashMap<String, usize> = HashMap::new();
    for (name, _) in objects.keys() {
        *n_named.entry(name.clone()).or_default() += 1;
    }
    let libraries = objects.into_iter().map(|((name, path), (object, sum))| {
        let is_only = n_named[&name] == 1 || path.is_empty();
        Object { name: if is_only { name } else { path }, profile: sum.into_profile(), ..object }
    });
    Ok((libraries.collect(), warnings))
}

fn lossy(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// A library whose profiles were not added up yet.
fn unread_library(executable: Option<ProgramFile<'_>>) -> Object<'_> {
    Object {
        executable,
        is_library: true,
        library: executable.and_then(|(executable, _)| library_of(executable)),
        ..Object::default()
    }
}

/// Number of runs in a file, by its arcs: each run appends the arcs that it needs, so the most
/// frequent arc occurs once for each run.
fn n_runs(arcs: &[CallArc]) -> Option<u64> {
    let mut n_copies: HashMap<(Address, Address), u64> = HashMap::new();
    for arc in arcs {
        *n_copies.entry((arc.call_site, arc.callee)).or_default() += 1;
    }
    n_copies.into_values().max()
}
