//! Files of a command line: told apart, opened, read and summed.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::objects::{Object, ProgramSum, gather};
use super::placing::put_in_place;
use crate::analyze::{FileSummary, file_section};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{self, RunError, Warning};
use crate::load::{Hints, Layout, Loaded, ReadPolicy, Sum, load_file};
use crate::model::Kind;
use crate::report::{Input, Section};
use crate::symbols::{Executable, Program, library_of};

/// The files of a command line, told apart.
pub(super) struct Files {
    /// What was given, or else the usual one.
    pub(super) executables: Vec<Executable>,
    /// Nobody gave the executable: it has the usual name.
    pub(super) is_usual: bool,
    /// All else.
    pub(super) profiles: Vec<PathBuf>,
}

/// Tells executables from profiles, by what is in them. Where one of them is missing,
/// its usual name is tried.
pub(super) fn sort_out(files: &[PathBuf]) -> Result<Files> {
    let mut executables = Vec::new();
    let mut profiles = Vec::new();
    for path in files {
        if is_executable(path)? {
            executables.push(Executable::open(path)?);
        } else {
            profiles.push(path.clone());
        }
    }
    let mut programs = executables.iter().filter(|one| library_of(one).is_none());
    if let (Some(first), Some(second)) = (programs.next(), programs.next()) {
        bail!(two_executables(first, second));
    }
    let usual = Path::new("a.out");
    let is_usual = executables.is_empty() && is_executable(usual).unwrap_or(false);
    if is_usual {
        executables.push(Executable::open(usual)?);
    }
    if profiles.is_empty() {
        let usual = USUAL_PROFILES.iter().map(PathBuf::from);
        let found = usual.into_iter().find(|path| path.exists());
        profiles.push(found.ok_or(RunError::NoProfile)?);
    }
    Ok(Files {
        executables,
        is_usual,
        profiles,
    })
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

/// Bytes at the start of a file that tell what it is.
const HEAD_SIZE: u64 = 4096;

fn is_executable(path: &Path) -> Result<bool> {
    if path == Path::new("-") {
        return Ok(false);
    }
    let read_head = || -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        File::open(path)?.take(HEAD_SIZE).read_to_end(&mut head)?;
        Ok(head)
    };
    let head = read_head().map_err(|source| RunError::Unreadable {
        path: path.display().to_string(),
        source,
    })?;
    Ok(Executable::is_one(&head))
}

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
    paths: &[PathBuf],
    plan: &Plan,
    executables: &[ProgramFile<'a>],
    is_usual: bool,
) -> Result<Read<'a>> {
    let executable = program_among(executables);
    let hints = hints(plan, executables.first().map(|&(_, program)| program));
    let mut sum = Sum::new(ReadPolicy::CAREFUL);
    let (mut of_program, mut of_libraries) = (ProgramSum::default(), Vec::new());
    let (mut warnings, mut files, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let mut loaded = load_file(path, &hints)?;
        if plan.is_strict {
            loaded = undamaged(loaded)?;
        }
        warnings.extend(diagnose::check_file(&loaded));
        inputs.push(Input {
            path: loaded.path().to_owned(),
            kind: "profile".into(),
            layout: loaded.layout().to_string(),
            build_id: None,
        });
        if plan.styles.wants(OutputStyle::FileInfo) {
            files.push(file_section(&summary_of(&loaded)));
        }
        // Files that do not go together can be looked at all the same.
        if plan.styles.want_only(OutputStyle::FileInfo) {
            continue;
        }
        if loaded.layout() == Layout::LdProfile {
            of_libraries.push(loaded);
            continue;
        }
        of_program.encoding = of_program.encoding.or(loaded.encoding());
        if let (Some(Kind::Heap), Some(executable)) = (loaded.profile().kind(), executable) {
            warnings.extend(put_in_place(loaded.profile_mut(), executable, plan)?);
        }
        of_program.paths.push(path.clone());
        sum.add(loaded)?;
    }
    let is_of_libraries = !of_libraries.is_empty() && of_program.paths.is_empty();
    let executables = match executables {
        // An executable of the usual name is a program.
        _ if is_usual && is_of_libraries => &[],
        given => given,
    };
    inputs.extend(executables.iter().map(|&(executable, program)| Input {
        path: executable.path().display().to_string(),
        kind: "executable".into(),
        layout: program.encoding.to_string(),
        build_id: executable.build_id(),
    }));
    of_program.profile = sum.into_profile();
    if let Some(mlmon_counts) = &of_program.profile.mlmon_counts {
        let build = mlmon_counts.build;
        bail!(RunError::NoTable { build });
    }
    if plan.styles.want_only(OutputStyle::FileInfo) {
        return Ok(Read {
            objects: Vec::new(),
            warnings,
            files,
            inputs,
        });
    }
    let (objects, odd) = gather(of_program, of_libraries, executables)?;
    warnings.extend(odd);
    Ok(Read {
        objects,
        warnings,
        files,
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

fn hints(plan: &Plan, program: Option<&Program>) -> Hints {
    Hints {
        encoding: program.map(|program| program.encoding),
        layout: plan.layout,
        policy: ReadPolicy::CAREFUL,
        has_short_long: program.is_some_and(|p| p.is_windows),
    }
}
