//! Opens the files of a command line and identifies them.

mod beside;
mod directories;
pub(super) mod libtool;
pub(super) mod nearby;
pub(super) mod over_input;
pub(super) mod run_files;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::other_words::is_other_word;
use super::skipping::Skipped;
use crate::cli::{Plan, ReadingOptions};
use crate::diagnose::{self, RunError, Warning};
use crate::files::{peek_plain, why_passed_over};
use crate::load::{self, CounterBits, Hints, LoadError, Loaded, OpenFile, load_file, load_hexdump};
use crate::render::json;
use crate::report::{Report, ReportInput};
use crate::symbols::{Executable, Program, library_of, shared_address};

/// Opens each file once: a pipe can be read only once. Omits files that cannot be opened, unless
/// all cannot.
///
/// # Errors
/// If a file is refused, or its name may be another word than a file.
pub(super) fn open_all(paths: &[PathBuf], plan: &Plan) -> Result<(Vec<OpenFile>, Skipped)> {
    let (mut files, mut skipped) = (Vec::new(), Skipped::default());
    let paths = &*directories::replaced(paths, plan.reading.files_like.as_ref())?;
    for path in paths {
        match open_one_of(paths.len(), path, &plan.reading) {
            Ok(file) => files.push(file),
            Err(error) if paths.len() == 1 || is_other_word(path, plan) => return Err(error),
            Err(error) => skipped.add(path.display().to_string(), error, plan.reading.strict)?,
        }
    }
    Ok((files, skipped))
}

/// Maximum number of files that stay open until they are read: systems allow 256 and more.
const MAX_OPEN: usize = 64;

/// Opens one of several files. Of many, each is closed and opened again in its turn.
fn open_one_of(n_files: usize, path: &Path, reading: &ReadingOptions) -> Result<OpenFile> {
    let mut file = open(path, reading)?;
    if n_files > MAX_OPEN {
        file.close();
    }
    Ok(file)
}

pub(super) fn open(path: &Path, reading: &ReadingOptions) -> Result<OpenFile> {
    let is_hexdump = reading.from_hexdump;
    let is_wanted =
        |head: &[u8]| is_hexdump || Executable::is_recognized(head) || json::is_report(head);
    let hints = hints(reading, None);
    let opened = OpenFile::open(path, &hints, is_wanted);
    let program = match &opened {
        Ok(file) if !is_wanted(file.head()) => libtool::program_of(path, file.head()),
        _ => None,
    };
    let opened = match program {
        Some(program) => OpenFile::open(&program, &hints, is_wanted),
        None => opened,
    };
    opened.map_err(|error| match error {
        LoadError::Io { path, source } => {
            let advice = None;
            RunError::Unreadable { path, source, advice }.into()
        }
        error => error.into(),
    })
}

/// The files of a command line, by kind.
pub(super) struct InputFiles {
    /// As given, or the default one.
    pub(super) executables: Vec<Executable>,
    /// The executable is the default one.
    pub(super) is_usual: bool,
    /// All other files.
    pub(super) profiles: Vec<OpenFile>,
    /// Notes on files that were chosen by default.
    pub(super) notes: Vec<String>,
    /// Warnings about files that are not profiles.
    pub(super) warnings: Vec<Warning>,
    /// Files that cannot be opened or are empty.
    pub(super) skipped: Skipped,
    /// An executable was given.
    pub(super) is_program_known: bool,
}

/// Identifies executables and profiles by their contents. If one is missing, tries its
/// default name; without an executable, then the only one nearby that wrote the profile if the
/// report needs symbols.
///
/// # Errors
/// If a file cannot be used, or all profiles are `skipped`.
pub(super) fn sort_out(
    files: Vec<OpenFile>,
    mut skipped: Skipped,
    plan: &Plan,
) -> Result<InputFiles> {
    let reading = &plan.reading;
    let (executables, mut profiles): (Vec<_>, Vec<_>) = files.into_iter().partition(is_executable);
    let (mut executables, is_usual) = open_executables(executables, reading)?;
    let is_program_known = !executables.is_empty() && !is_usual;
    let mut notes = Vec::new();
    let warnings = omit_unwritten(&mut profiles, reading, &mut skipped);
    if profiles.is_empty() {
        if !skipped.is_empty() {
            skipped.warning(0, is_program_known)?;
            bail!(RunError::NoProfile);
        }
        profiles = usual_profiles(reading)?;
        notes.extend(beside::newer_profiles(profiles[0].given_path(), reading));
    }
    let wants_program = !plan.sections.need_no_symbols()
        && !reading.from_hexdump
        && reading.symbols.external.is_none();
    if let [profile, ..] = &mut *profiles
        && executables.is_empty()
        && wants_program
        && let Some(program) = beside::program_of(profile, reading)?
    {
        notes.push(diagnose::found_program(program.path(), &profile.path()));
        executables.push(program);
    }
    Ok(InputFiles { executables, is_usual, profiles, notes, warnings, skipped, is_program_known })
}

/// Removes empty files, those of callgrind with a warning for each.
fn omit_unwritten(
    profiles: &mut Vec<OpenFile>,
    reading: &ReadingOptions,
    skipped: &mut Skipped,
) -> Vec<Warning> {
    let warnings = omit_thread_bases(profiles);
    if !reading.strict {
        omit_empty(profiles, skipped);
    }
    warnings
}

/// Removes the empty files of runs for which callgrind wrote a file for each thread: with
/// `--separate-threads=yes`, these have the name of the empty file, `-` and the number of the
/// thread.
fn omit_thread_bases(profiles: &mut Vec<OpenFile>) -> Vec<Warning> {
    let names: HashSet<_> = profiles.iter().map(OpenFile::path).collect();
    let base_of = |name: &str| {
        let base = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let base = base.strip_suffix('-').filter(|_| base.len() < name.len());
        base.map(str::to_owned)
    };
    let bases: HashSet<_> = names.iter().filter_map(|name| base_of(name)).collect();
    let is_base = |file: &mut OpenFile| file.head().is_empty() && bases.contains(&file.path());
    let removed = profiles.extract_if(.., is_base);
    removed.map(|file| Warning::ThreadBase { path: file.path() }).collect()
}

/// Removes the empty files of runs that were killed, unless all files are empty.
fn omit_empty(profiles: &mut Vec<OpenFile>, skipped: &mut Skipped) {
    if !profiles.iter().all(|file| file.head().is_empty()) {
        let removed = profiles.extract_if(.., |file| file.head().is_empty());
        removed.for_each(|file| skipped.add_empty(file.path()));
    }
}

/// Opens the default profile, followed by the table of names of a Standard ML program, if the
/// profile is of one.
///
/// # Errors
/// If the profile does not exist, or one of them cannot be opened.
pub(super) fn usual_profiles(reading: &ReadingOptions) -> Result<Vec<OpenFile>> {
    let found = USUAL_PROFILES.into_iter().find(|path| can_be_usual(Path::new(path)));
    let profile = found.ok_or(RunError::NoProfile)?;
    let table = Some(USUAL_TABLE).filter(|path| profile == MLMON && can_be_usual(Path::new(path)));
    [profile].into_iter().chain(table).map(|path| open(Path::new(path), reading)).collect()
}

/// Returns whether a default name exists and is not a pipe, which could block.
fn can_be_usual(path: &Path) -> bool {
    match peek_plain(path) {
        Ok(_) => true,
        Err(error) => path.exists() && why_passed_over(&error).is_none(),
    }
}

/// Opens each executable once: the program, its images as one, or several programs first, or the
/// default one. Returns whether it is the default.
///
/// # Errors
/// If one cannot be used.
pub(super) fn open_executables(
    mut files: Vec<OpenFile>,
    reading: &ReadingOptions,
) -> Result<(Vec<Executable>, bool)> {
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(same_path(file)));
    let opened = files.into_iter().map(open_executable);
    let opened = opened.collect::<Result<Vec<_>>>()?;
    let (libraries, programs): (Vec<_>, Vec<_>) =
        opened.into_iter().partition(|one| library_of(one).is_some());
    let mut executables = match why_apart(&programs)? {
        None => Executable::of_images(programs).into_iter().collect(),
        Some(_) => programs,
    };
    executables.extend(libraries);
    let usual = || {
        let path = Some(Path::new("a.out")).filter(|path| can_be_usual(path))?;
        open(path, reading).ok().filter(is_executable)
    };
    let usual = if executables.is_empty() { usual() } else { None };
    let is_usual = usual.is_some();
    executables.extend(usual.map(open_executable).transpose()?);
    Ok((executables, is_usual))
}

/// Programs as images of one memory.
///
/// # Errors
/// If two cannot be.
pub(super) fn of_one_memory(programs: Vec<Executable>) -> Result<Option<Executable>> {
    match why_apart(&programs)? {
        None => Ok(Executable::of_images(programs)),
        Some(error) => bail!(error),
    }
}

/// Why executables cannot be images of one memory.
fn why_apart(programs: &[Executable]) -> Result<Option<RunError>> {
    for (n_before, second) in programs.iter().enumerate() {
        for first in &programs[..n_before] {
            if let Some(address) = shared_address(first, second)? {
                let [first, second] = [first, second].map(|one| one.path().display().to_string());
                return Ok(Some(RunError::SharedMemory { first, second, address }));
            }
            if first.machine() != second.machine() || first.encoding()? != second.encoding()? {
                return Ok(Some(two_executables(first, second)));
            }
        }
    }
    Ok(None)
}

/// The same for all names of a file.
pub(super) fn same_path(file: &OpenFile) -> PathBuf {
    let path = file.given_path();
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn is_executable(file: &OpenFile) -> bool {
    Executable::is_recognized(file.head())
}

fn open_executable(file: OpenFile) -> Result<Executable> {
    let path = file.given_path().to_owned();
    if file.is_plain() && path != Path::new("-") {
        return Ok(Executable::open(&path)?);
    }
    Ok(Executable::from_bytes(&path, file.into_bytes()?)?)
}

/// The error for two executables, one of which belongs to no profile.
pub(super) fn two_executables(first: &Executable, second: &Executable) -> RunError {
    RunError::TwoExecutables {
        first: first.path().display().to_string(),
        second: second.path().display().to_string(),
    }
}

/// Default names of profiles, by priority.
const USUAL_PROFILES: [&str; 4] = ["gmon.out", "mpatrol.out", "mpatrol.trace", MLMON];

/// The profile that MLton's programs write, without names.
const MLMON: &str = "mlmon.out";

/// The table of names that its program prints.
const USUAL_TABLE: &str = "show-prof.txt";

/// An executable and its contents.
pub(super) type ProgramFile<'a> = (&'a Executable, &'a Program);

pub(super) fn load_one(
    file: OpenFile,
    reading: &ReadingOptions,
    hints: &Hints,
) -> Result<Loaded, LoadError> {
    if reading.from_hexdump {
        return load_hexdump(&file.into_input(load::Compressions::All)?, hints);
    }
    load_file(file, hints)
}

/// Reads a saved report.
///
/// # Errors
/// If it is damaged.
pub(super) fn read_report(file: OpenFile) -> Result<Report> {
    let path = file.path();
    let input = file.into_input(load::Compressions::All)?;
    json::read(input.bytes()).map_err(|error| {
        let reason = error.to_string();
        RunError::MalformedReport { path, reason }.into()
    })
}

/// Reads a profile again if it is a regular file, with counters of this width.
pub(super) fn load_as(
    path: &Path,
    reading: &ReadingOptions,
    program: &Program,
    counter_bits: Option<CounterBits>,
) -> Option<Loaded> {
    if !path.is_file() {
        return None;
    }
    let mut hints = hints(reading, Some(program));
    hints.policy.counter_bits = counter_bits;
    load_one(open(path, reading).ok()?, reading, &hints).ok()
}

/// The executable, or its images, as inputs of the report.
pub(super) fn of_executable(
    executable: &Executable,
    program: &Program,
) -> impl Iterator<Item = ReportInput> {
    executable.images().iter().map(|image| ReportInput {
        path: image.path().display().to_string(),
        kind: "executable".into(),
        layout: program.encoding.to_string(),
        build_id: image.build_id(),
        verdict: None,
    })
}

pub(super) fn hints(reading: &ReadingOptions, program: Option<&Program>) -> Hints {
    Hints {
        encoding: program.map(|program| program.encoding),
        has_short_long: program.is_some_and(|p| p.is_windows),
        ..reading.hints
    }
}
