//! Errors about missing files, with similar names, and with the advice of `profan doctor` on the
//! existing files.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Error;

use super::inputs::nearby::{load, may_be_read_unasked, named, profiles_nearby};
use super::objects::reading::{ExecutablesUse, read_profiles};
use super::other_words::{first_word, with_hyphens};
use super::{inputs, names};
use crate::cli::{Plan, ReadingOptions};
use crate::diagnose::{
    Inspected, Meant, Nearby, ProfileState, RunError, Status, error_codes, find_programs,
    inspect_profile, short_advice,
};
use crate::files::MOST_ENTRIES;
use crate::filter::{Finder, Nearest, SymSpec};
use crate::limits::LONGEST_TEXT;
use crate::load::LoadError;
use crate::symbols::{
    ContextKeys, Executable, ExecutableError, Instruments, NamedContexts, NamesFrom, Program,
    read_program,
};

/// Adds similar names for a missing file: an option with its argument, a command, or another
/// file.
pub(super) fn with_nearest(error: Error, plan: &Plan) -> Error {
    match error.downcast::<RunError>() {
        Ok(RunError::Unreadable { path, source, .. }) if source.kind() == ErrorKind::NotFound => {
            let word = OsStr::new(&path);
            if let Some(error) = too_large_list(&path) {
                return error;
            }
            let advice = attached(word, plan)
                .or_else(|| with_hyphens(word))
                .or_else(|| first_word(word, &plan.files))
                .or_else(|| nearest_file(Path::new(word)));
            unreadable(path, source, advice)
        }
        Ok(error) => error.into(),
        Err(error) => error,
    }
}

/// The error for the program of `doctor`, with similar names.
pub(super) fn program(error: ExecutableError, files: &[PathBuf]) -> Error {
    match error {
        ExecutableError::Io { path, source } if source.kind() == ErrorKind::NotFound => {
            let meant = nearest_file(Path::new(&path)).filter(|_| !files.is_empty());
            let advice = meant.or_else(|| Some(Meant::Program.to_string()));
            unreadable(path, source, advice)
        }
        error => error.into(),
    }
}

/// The error for a list of files, `@FILE`, that exists and is too large.
fn too_large_list(path: &str) -> Option<Error> {
    let list = path.strip_prefix('@')?;
    let is_too_large = match list {
        "-" => !io::stdin().is_terminal(),
        _ => fs::metadata(list).is_ok_and(|found| found.len() > LONGEST_TEXT as u64),
    };
    let reason = format!("the list exceeds {} MiB", LONGEST_TEXT >> 20);
    let advice = "name shorter lists, each with an @".to_owned();
    is_too_large.then(|| unreadable(path.to_owned(), io::Error::other(reason), Some(advice)))
}

fn unreadable(path: String, source: io::Error, advice: Option<String>) -> Error {
    let error = RunError::Unreadable { path, source, advice };
    error.into()
}

/// The word as the argument of the option before it. A name must be one of the program or profile
/// next to the word.
fn attached(word: &OsStr, plan: &Plan) -> Option<String> {
    let loose = plan.loose.iter().find(|loose| loose.word == word)?;
    let attach = || Some(Meant::Argument(&loose.attached).to_string());
    if !loose.wants_name {
        return attach();
    }
    let mut others = plan.files.clone();
    // A pipe can be read only once.
    others.retain(|path| path != word && path.is_file());
    let (opened, skipped) = inputs::open_all(&others, plan).ok()?;
    let given = inputs::sort_out(opened, skipped, plan).ok()?;
    let table = match given.executables.first() {
        Some(executable) => read_program(executable, &plan.reading.symbols).ok()?.table,
        None => {
            let read = read_profiles(given.profiles, plan, &[], ExecutablesUse::All).ok()?;
            let costs = &read.objects.first()?.profile.costs;
            NamedContexts::new(costs, None, ContextKeys::Functions).table
        }
    };
    let finder = Finder::new(&table, names::style(&plan.look));
    let text = word.to_str()?;
    let spec = SymSpec::of_names(text);
    let mut halves = [Some(&spec.left), spec.right.as_ref()].into_iter().flatten();
    if halves.all(|half| finder.find(half).is_ok()) {
        return attach();
    }
    let nearest = finder.nearest(&spec.left);
    let option = loose.attached.strip_suffix(text)?;
    nearest.first().map(|name| Meant::Function { option, name }.to_string())
}

/// The file with the most similar name in its directory.
fn nearest_file(path: &Path) -> Option<String> {
    let name = path.file_name()?;
    let directory = path.parent().filter(|directory| *directory != Path::new(""));
    let entries = fs::read_dir(directory.unwrap_or(Path::new("."))).ok()?;
    let mut nearest = Nearest::new(name.as_encoded_bytes());
    for entry in entries.filter_map(Result::ok).take(MOST_ENTRIES) {
        let name = entry.file_name();
        let shown = || directory.unwrap_or(Path::new("")).join(&name).display().to_string();
        nearest.look_at(name.as_encoded_bytes(), shown);
    }
    let nearest = nearest.into_near_names();
    Some(Meant::File(nearest.first()?).to_string())
}

/// Adds advice on the files that exist.
pub(super) fn with_advice(error: Error, files: &[PathBuf], reading: &ReadingOptions) -> Error {
    let Some(code) = code_of_missing(&error) else {
        return error;
    };
    // An option may name the missing file.
    if !files.is_empty()
        && files.iter().all(|path| path.exists())
        && code == error_codes::UNREADABLE
    {
        return error;
    }
    let Some(mut advice) = advice_by_files(files, reading) else {
        return error;
    };
    if code == error_codes::UNREADABLE {
        advice = Meant::Else(&advice).to_string();
    }
    let missing = RunError::Missing { cause: error.to_string(), code, advice };
    missing.into()
}

/// The code of an error about a missing file.
fn code_of_missing(error: &Error) -> Option<&'static str> {
    let io = match error.downcast_ref::<RunError>() {
        Some(RunError::NoProfile) => return Some(error_codes::NO_PROFILE),
        // The error already suggests a name.
        Some(RunError::Unreadable { advice: Some(_), .. }) => return None,
        Some(RunError::Unreadable { source, .. }) => source,
        _ => match error.downcast_ref::<LoadError>()? {
            LoadError::Io { source, .. } => source,
            _ => return None,
        },
    };
    (io.kind() == ErrorKind::NotFound).then_some(error_codes::UNREADABLE)
}

/// Advice by the files that exist: the named program, the default program, or a profile
/// alone.
fn advice_by_files(files: &[PathBuf], reading: &ReadingOptions) -> Option<String> {
    let environment = &reading.environment;
    let there = || files.iter().filter(|path| path.is_file());
    let usual = PathBuf::from("a.out");
    let mut programs = there().chain(Some(&usual).filter(|path| path.is_file()));
    if let Some(path) = programs.find(|path| Executable::open(path).is_ok()) {
        let nearby = profiles_nearby(path, reading);
        let known = KnownProgram::open(path, reading)?;
        let inspected = known.inspected(reading)?;
        let profile = nearby.iter().find(|file| fits(file, &inspected, reading));
        return short_advice(Some(&inspected), profile.map(|file| &*file.path), environment);
    }
    let is_profile = |file: &Nearby| {
        let is_file = file.path.is_file();
        is_file && !file.is_of_library && load(file, reading, None).is_ok()
    };
    let given = there().filter(|path| may_be_read_unasked(path));
    let given = given.map(|path| named(path));
    let mut profiles = given.chain(profiles_nearby(Path::new(""), reading));
    let profile = profiles.find(is_profile);
    let program = profile.as_ref().and_then(|profile| program_of(profile, reading));
    let inspected = program.as_ref().and_then(|program| program.inspected(reading));
    let profile = profile.as_ref().map(|profile| &*profile.path);
    short_advice(inspected.as_ref(), profile, environment)
}

/// A nearby program with names that matches the profile.
fn program_of(profile: &Nearby, reading: &ReadingOptions) -> Option<KnownProgram> {
    let programs = find_programs([&*profile.path].into_iter());
    let can_write_profiles = |path: &&PathBuf| {
        let executable = Executable::open(path).ok();
        let instruments = executable.and_then(|executable| Instruments::of(&executable).ok());
        instruments.is_some_and(|has| has.refers_to_mcount || has.has_mpatrol)
    };
    let candidates = programs.iter().filter(can_write_profiles);
    let mut known = candidates.filter_map(|path| KnownProgram::open(path, reading));
    known.find(|known| {
        let has_names = known.program.names_from == NamesFrom::SymbolTable;
        let inspected = known.inspected(reading).filter(|_| has_names);
        inspected.is_some_and(|inspected| fits(profile, &inspected, reading))
    })
}

/// An inspected program.
struct KnownProgram {
    executable: Executable,
    program: Program,
}

impl KnownProgram {
    fn open(path: &Path, reading: &ReadingOptions) -> Option<Self> {
        let executable = Executable::open(path).ok()?;
        let program = read_program(&executable, &reading.symbols).ok()?;
        Some(Self { executable, program })
    }

    fn inspected<'a>(&'a self, reading: &'a ReadingOptions) -> Option<Inspected<'a>> {
        Inspected::new(&self.executable, &self.program, &reading.environment).ok()
    }
}

/// Returns whether a profile and a program give a report.
fn fits(file: &Nearby, inspected: &Inspected<'_>, reading: &ReadingOptions) -> bool {
    let loaded = load(file, reading, Some(inspected.program));
    let (finding, state) = inspect_profile(file, loaded.as_ref(), inspected, None);
    let is_fit = state == ProfileState::Usable && finding.status == Status::Good;
    is_fit && !file.is_of_library && !inspected.program.linkage.is_library
}
