//! Files of a command line: told apart, opened, read and summed.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::build;
use super::objects::{Object, ProgramSum, gather};
use super::placing::put_in_place;
use crate::analyze::{FileSummary, file_section};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{self, RunError, Warning};
use crate::load::{
    self, Hints, Layout, LoadError, Loaded, OpenFile, ReadPolicy, Sum, load_file, load_hexdump,
    side_by_side,
};
use crate::progress::Stage;
use crate::render::json;
use crate::report::{Input, Section};
use crate::symbols::{Executable, Program, library_of};

/// Opens files, each once: a pipe gives what is in it to the first who reads it.
pub(super) fn open_all(paths: &[PathBuf], plan: &Plan) -> Result<Vec<OpenFile>> {
    let files = paths.iter().map(|path| open(path, plan));
    files.collect()
}

pub(super) fn open(path: &Path, plan: &Plan) -> Result<OpenFile> {
    let is_hexdump = plan.reading.is_hexdump;
    let is_wanted = |head: &[u8]| is_hexdump || Executable::is_one(head) || json::is_report(head);
    let opened = OpenFile::open(path, &hints(plan, None), is_wanted);
    opened.map_err(|error| match error {
        LoadError::Io { path, source } => {
            let advice = None;
            RunError::Unreadable {
                path,
                source,
                advice,
            }
            .into()
        }
        error => error.into(),
    })
}

/// The files of a command line, told apart.
pub(super) struct Files {
    /// What was given, or else the usual one.
    pub(super) executables: Vec<Executable>,
    /// Nobody gave the executable: it has the usual name.
    pub(super) is_usual: bool,
    /// All else.
    pub(super) profiles: Vec<OpenFile>,
}

/// Tells executables from profiles, by what is in them. Where one of them is missing,
/// its usual name is tried.
pub(super) fn sort_out(files: Vec<OpenFile>, plan: &Plan) -> Result<Files> {
    let (executables, mut profiles): (Vec<_>, Vec<_>) = files.into_iter().partition(is_executable);
    let (executables, is_usual) = open_executables(executables, plan)?;
    if profiles.is_empty() {
        profiles.push(usual_profile(plan)?);
    }
    Ok(Files {
        executables,
        is_usual,
        profiles,
    })
}

/// Opens the profile that is called as usual.
///
/// # Errors
/// When there is none, or it cannot be opened.
pub(super) fn usual_profile(plan: &Plan) -> Result<OpenFile> {
    let usual = USUAL_PROFILES.iter().map(Path::new);
    let found = usual.into_iter().find(|path| path.exists());
    open(found.ok_or(RunError::NoProfile)?, plan)
}

/// Opens executables, each once: what was given, or else that of the usual name.
/// Returns whether it is the latter.
///
/// # Errors
/// When there are two programs, or one cannot be used.
pub(super) fn open_executables(
    mut files: Vec<OpenFile>,
    plan: &Plan,
) -> Result<(Vec<Executable>, bool)> {
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(same_path(file)));
    let opened = files.into_iter().map(open_executable);
    let mut executables = opened.collect::<Result<Vec<_>>>()?;
    let mut programs = executables.iter().filter(|one| library_of(one).is_none());
    if let (Some(first), Some(second)) = (programs.next(), programs.next()) {
        bail!(two_executables(first, second));
    }
    let usual = || {
        let file = open(Path::new("a.out"), plan).ok();
        file.filter(is_executable)
    };
    let usual = if executables.is_empty() {
        usual()
    } else {
        None
    };
    let is_usual = usual.is_some();
    executables.extend(usual.map(open_executable).transpose()?);
    Ok((executables, is_usual))
}

/// What two names of one file have in common.
pub(super) fn same_path(file: &OpenFile) -> PathBuf {
    let path = file.given_path();
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn is_executable(file: &OpenFile) -> bool {
    Executable::is_one(file.head())
}

fn open_executable(file: OpenFile) -> Result<Executable> {
    let path = file.given_path().to_owned();
    if file.is_plain() {
        return Ok(Executable::open(&path)?);
    }
    Ok(Executable::from_bytes(&path, file.into_bytes()?)?)
}

/// The error that two executables are, of which one is of no profile.
pub(super) fn two_executables(first: &Executable, second: &Executable) -> RunError {
    RunError::TwoExecutables {
        first: first.path().display().to_string(),
        second: second.path().display().to_string(),
    }
}

/// What profiles are called where nobody says otherwise; the first that is there.
const USUAL_PROFILES: [&str; 3] = ["gmon.out", "mpatrol.out", "mpatrol.trace"];

/// Profiles by what they are of, and what there is to say of each.
pub(super) struct Read<'a> {
    /// The program, then libraries by their names.
    pub(super) objects: Vec<Object<'a>>,
    /// What is odd about single files.
    pub(super) warnings: Vec<Warning>,
    /// What is in each, where that is asked for.
    pub(super) files: Vec<Section<'static>>,
    /// The files themselves.
    pub(super) inputs: Vec<Input>,
}

/// An executable, and what was read of it.
pub(super) type ProgramFile<'a> = (&'a Executable, &'a Program);

/// Reads profiles, and adds up those of one object.
pub(super) fn read_profiles<'a>(
    files: Vec<OpenFile>,
    plan: &Plan,
    executables: &[ProgramFile<'a>],
    is_usual: bool,
) -> Result<Read<'a>> {
    let executable = program_among(executables);
    let hints = hints(plan, executables.first().map(|&(_, program)| program));
    let mut sum = Sum::new(hints.policy);
    let (mut of_program, mut of_libraries) = (ProgramSum::default(), Vec::new());
    let (mut warnings, mut sections, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    let mut sizes = files.iter().map(OpenFile::size);
    let total = sizes.try_fold(0, |sum: u64, size| Some(sum.saturating_add(size?)));
    plan.progress.begin(Stage::Reading, total);
    let mut n_left = total.unwrap_or(0);
    let load = |file: OpenFile| (file.size(), load_one(file, plan, &hints));
    let mut add = |(size, loaded): (Option<u64>, Result<Loaded, LoadError>)| -> Result<()> {
        n_left = n_left.saturating_sub(size.unwrap_or(0));
        let mut loaded = loaded?;
        plan.progress.leave(n_left);
        if plan.is_strict {
            loaded = undamaged(loaded)?;
        }
        warnings.extend(diagnose::check_file(&loaded, plan.reading.rate));
        inputs.push(Input {
            path: loaded.path().to_owned(),
            kind: "profile".into(),
            layout: loaded.layout().to_string(),
            build_id: None,
        });
        let is_of_library = loaded.layout() == Layout::LdProfile;
        if plan.styles.wants(OutputStyle::FileInfo) {
            let mut section = file_section(&summary_of(&loaded));
            let program = executable.filter(|_| !is_of_library);
            section
                .summary
                .extend(build::lines(&loaded, program, plan)?);
            sections.push(section);
        }
        // Files that do not go together can be looked at all the same.
        if plan.styles.want_only(OutputStyle::FileInfo) {
            return Ok(());
        }
        if let Some(rate) = plan.reading.rate {
            loaded.profile_mut().set_rate(rate);
        }
        if is_of_library {
            of_libraries.push(loaded);
            return Ok(());
        }
        of_program.encodings.extend(loaded.encoding());
        let profile = loaded.profile();
        let has_stacks = profile.heap.is_some() && profile.history.is_none();
        if let Some(executable) = executable.filter(|_| has_stacks) {
            warnings.extend(put_in_place(loaded.profile_mut(), executable, plan)?);
        }
        of_program.paths.push(PathBuf::from(loaded.path()));
        sum.add(loaded)?;
        Ok(())
    };
    side_by_side(files, OpenFile::size, load, &mut |batch| {
        batch.into_iter().try_for_each(&mut add)
    })?;
    let is_of_libraries = !of_libraries.is_empty() && of_program.paths.is_empty();
    let executables = match executables {
        // An executable of the usual name is a program.
        _ if is_usual && is_of_libraries => &[],
        given => given,
    };
    let described = executables.iter();
    inputs.extend(described.map(|&(executable, program)| of_executable(executable, program)));
    of_program.profile = sum.into_profile();
    if of_program.paths.len() > 1 {
        of_program.profile.sort_records();
    }
    if let Some(mlmon_counts) = &of_program.profile.mlmon_counts {
        let build = mlmon_counts.build;
        bail!(RunError::NoTable { build });
    }
    if plan.styles.want_only(OutputStyle::FileInfo) {
        return Ok(Read {
            objects: Vec::new(),
            warnings,
            files: sections,
            inputs,
        });
    }
    let (objects, odd) = gather(of_program, of_libraries, executables)?;
    warnings.extend(odd);
    Ok(Read {
        objects,
        warnings,
        files: sections,
        inputs,
    })
}

/// The executable that is a program; one alone is taken for it until it shows that it
/// is not.
fn program_among<'a>(executables: &[ProgramFile<'a>]) -> Option<ProgramFile<'a>> {
    match executables {
        &[one] => Some(one),
        several => {
            let mut all = several.iter().copied();
            all.find(|(executable, _)| library_of(executable).is_none())
        }
    }
}

fn load_one(file: OpenFile, plan: &Plan, hints: &Hints) -> Result<Loaded, LoadError> {
    if plan.reading.is_hexdump {
        return load_hexdump(&load::Input::from_file(file)?, hints);
    }
    load_file(file, hints)
}

/// Reads a profile once more, if it is a plain file: a pipe is empty by then.
pub(super) fn load_again(path: &Path, plan: &Plan, program: &Program) -> Option<Loaded> {
    if !path.is_file() {
        return None;
    }
    load_one(open(path, plan).ok()?, plan, &hints(plan, Some(program))).ok()
}

/// What a report says of the executable that it was made from.
pub(super) fn of_executable(executable: &Executable, program: &Program) -> Input {
    Input {
        path: executable.path().display().to_string(),
        kind: "executable".into(),
        layout: program.encoding.to_string(),
        build_id: executable.build_id(),
    }
}

fn summary_of(loaded: &Loaded) -> FileSummary {
    FileSummary::new(
        loaded.path(),
        loaded.layout().to_string(),
        loaded.encoding(),
        loaded.version().unwrap_or(0),
        loaded.profile(),
    )
}

fn undamaged(loaded: Loaded) -> Result<Loaded> {
    match loaded.damage() {
        None => Ok(loaded),
        Some(_) => {
            let error = loaded.into_error().expect("damage makes an error");
            Err(error.into())
        }
    }
}

pub(super) fn hints(plan: &Plan, program: Option<&Program>) -> Hints {
    Hints {
        encoding: program.map(|program| program.encoding),
        layout: plan.layout,
        policy: ReadPolicy {
            heap_events: plan.exact.heap_events(),
            ..plan.reading.policy()
        },
        has_short_long: program.is_some_and(|p| p.is_windows),
        progress: plan.progress,
    }
}
