//! Files next to a profile: the executable that wrote it, and profiles written later.

use std::path::{Path, PathBuf};

use super::hints;
use super::nearby::{named, profiles_nearby};
use crate::cli::ReadingOptions;
use crate::diagnose::{self, CheckedProgram, Judgement, RunError, RunResult, find_programs};
use crate::files::{MOST_UNASKED, are_same};
use crate::load::{Input, OpenFile, load};
use crate::symbols::{Executable, Instruments, NamesFrom, read_program};

/// The only executable in the directory of the profile, or the current directory, that wrote
/// it.
///
/// # Errors
/// If several could have written it.
pub(super) fn program_of(
    profile: &mut OpenFile,
    reading: &ReadingOptions,
) -> RunResult<Option<Executable>> {
    // Profiles of text have names of their own.
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    if profile.decompressed_head().iter().all(is_text) {
        return Ok(None);
    }
    let path = profile.given_path().to_owned();
    let contents = profile.contents_by_address(&hints(reading, None));
    let Some(contents) = contents.filter(|contents| contents.size() <= MOST_UNASKED) else {
        return Ok(None);
    };
    let can_write_profiles = |path: &PathBuf| {
        let executable = Executable::open(path).ok();
        let instruments = executable.and_then(|executable| Instruments::of(&executable).ok());
        instruments.is_some_and(|has| has.refers_to_mcount)
    };
    let mut programs = find_programs([&*path].into_iter());
    programs.retain(can_write_profiles);
    let mut fitting: Vec<Executable> = Vec::new();
    for executable in programs.iter().filter_map(|path| Executable::open(path).ok()) {
        let is_known = |one: &Executable| are_same(one.path(), executable.path());
        if !fitting.iter().any(is_known) && wrote(&executable, contents, reading) {
            fitting.push(executable);
        }
    }
    if let [_, _, ..] = &*fitting {
        let programs = fitting.iter().map(|one| one.path().display().to_string());
        return Err(RunError::SeveralPrograms {
            profile: path.display().to_string(),
            programs: programs.collect(),
        });
    }
    Ok(fitting.pop())
}

/// Returns whether everything in a profile fits an executable with names.
fn wrote(executable: &Executable, profile: &Input, reading: &ReadingOptions) -> bool {
    let Ok(program) = read_program(executable, &reading.symbols) else {
        return false;
    };
    let is_candidate = program.names_from == NamesFrom::SymbolTable && !program.linkage.is_library;
    let loaded = is_candidate.then(|| load(profile, &hints(reading, Some(&program))).ok());
    let Some(loaded) = loaded.flatten() else {
        return false;
    };
    let kind = loaded.profile.kind;
    kind.is_some_and(|kind| kind.is_by_address)
        && !loaded.layout.is_of_library
        && loaded.encoding.is_none_or(|encoding| encoding == program.encoding)
        && CheckedProgram::new(executable, &program)
            .is_ok_and(|checked| checked.verdict(&loaded.profile).judgement == Judgement::SameBuild)
}

/// The latest profile in this directory that is newer than the default one and whose name
/// ends in a process ID.
pub(super) fn newer_profiles(usual: &Path, reading: &ReadingOptions) -> Option<String> {
    let written = named(usual).modified?;
    let is_of_process = |path: &Path| {
        let number = path.extension().unwrap_or_default().as_encoded_bytes();
        !number.is_empty() && number.iter().all(u8::is_ascii_digit)
    };
    let mut nearby = profiles_nearby(Path::new(""), reading);
    nearby.retain(|file| {
        let is_newer = file.modified.is_some_and(|modified| modified > written);
        is_newer && !file.is_of_library && is_of_process(&file.path)
    });
    let latest = nearby.iter().max_by_key(|file| file.modified)?;
    Some(diagnose::newer_profiles(&latest.path, nearby.len(), usual))
}
