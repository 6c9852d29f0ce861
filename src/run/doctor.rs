//! What there is to profile a program with: `profan doctor`, and the same in short for
//! errors about files that are not there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;

use super::{Draft, Press, Terminal, inputs};
use crate::cli::Plan;
use crate::diagnose::{
    Nearby, Patient, ProfileState, RunError, Status, Warning, doctor_section, examine_build,
    examine_library_profile, examine_profile, find_nearby, find_programs, next_step, short_advice,
};
use crate::load::{LoadError, Loaded, load_file};
use crate::report::NoNames;
use crate::symbols::{Executable, Program, SymbolOptions, read_program};

/// The most profiles that are looked into without being named.
const MAX_PROFILES: usize = 8;

/// The largest file that is.
const MAX_SIZE: u64 = 64 << 20;

/// Examines the first file of a plan, the program, and the profiles that are named
/// behind it or lie about.
///
/// # Errors
/// When the program cannot be read, or the report cannot be written.
pub fn examine(plan: &Plan, terminal: Terminal, out: &mut dyn Write) -> Result<Vec<Warning>> {
    let (path, files) = match &*plan.files {
        [] => (Path::new("a.out"), &[][..]),
        [program, files @ ..] => (program.as_path(), files),
    };
    let executable = Executable::open(path)?;
    let options = SymbolOptions {
        wants_sources: true,
        ..plan.symbols.clone()
    };
    let program = read_program(&executable, &options)?;
    let patient = Patient::new(&executable, &program, &plan.environment)?;
    let mut findings = examine_build(&patient, &plan.source.search);
    let nearby = match files {
        [] => lying_about(path, plan),
        files => files.iter().map(|file| named(file)).collect(),
    };
    let mut usable: Option<(Status, &Path)> = None;
    for file in &nearby {
        if file.is_of_library {
            findings.push(examine_library_profile(file));
            continue;
        }
        let loaded = load(file, plan, &program);
        let (finding, state) = examine_profile(file, loaded.as_ref(), &patient, time_of(path));
        let is_best = match usable {
            None => true,
            Some((status, _)) => status != Status::Good && finding.status == Status::Good,
        };
        if state == ProfileState::Usable && is_best {
            usable = Some((finding.status, &file.path));
        }
        findings.push(finding);
    }
    let usable = usable.map(|(_, path)| path);
    let section = doctor_section(path, &findings, next_step(&patient, usable));
    let mut press = Press {
        plan,
        terminal,
        inputs: vec![inputs::of_executable(&executable, &program)],
        files: Vec::new(),
        out,
    };
    let draft = Draft {
        names: Box::new(NoNames),
        sections: vec![section],
        ..Draft::of_files()
    };
    press.print(draft, &[])?;
    Ok(Vec::new())
}

/// The latest profiles that lie about and are not too large to look into.
fn lying_about(program: &Path, plan: &Plan) -> Vec<Nearby> {
    let mut nearby = find_nearby(program, &plan.environment);
    nearby.retain(|file| fs::metadata(&file.path).is_ok_and(|file| file.len() <= MAX_SIZE));
    nearby.truncate(MAX_PROFILES);
    nearby
}

/// Reads a file, if it is one: a pipe would wait for somebody to write into it.
fn load(file: &Nearby, plan: &Plan, program: &Program) -> Result<Loaded, LoadError> {
    if fs::metadata(&file.path).is_ok_and(|file| !file.is_file()) {
        return Err(LoadError::Io {
            path: file.path.display().to_string(),
            source: io::Error::other("not a regular file"),
        });
    }
    load_file(&file.path, &inputs::hints(plan, Some(program)))
}

fn named(path: &Path) -> Nearby {
    Nearby {
        path: path.to_owned(),
        modified: time_of(path),
        is_of_library: false,
    }
}

fn time_of(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// The error, with what can be said of the files that are there in the place of one
/// that is not.
pub(super) fn with_advice(error: anyhow::Error, plan: &Plan) -> anyhow::Error {
    let Some(code) = code_of_missing(&error) else {
        return error;
    };
    match advice(plan) {
        None => error,
        Some(advice) => {
            let cause = error.to_string();
            let advice = match code {
                "E001" => format!("look at the spelling and the folder, or: {advice}"),
                _ => advice,
            };
            RunError::Missing {
                cause,
                code,
                advice,
            }
            .into()
        }
    }
}

/// The code of an error that says that a file is not there.
fn code_of_missing(error: &anyhow::Error) -> Option<&'static str> {
    let io = match error.downcast_ref::<RunError>() {
        Some(RunError::NoProfile) => return Some("E007"),
        Some(RunError::Unreadable { source, .. }) => source,
        _ => match error.downcast_ref::<LoadError>()? {
            LoadError::Io { source, .. } => source,
            _ => return None,
        },
    };
    (io.kind() == io::ErrorKind::NotFound).then_some("E001")
}

/// What to do by the files that are there: with the program that is named, or is called
/// as usual, or with a profile alone.
fn advice(plan: &Plan) -> Option<String> {
    let environment = &plan.environment;
    let there = || plan.files.iter().filter(|path| path.is_file());
    let usual = PathBuf::from("a.out");
    let mut programs = there().chain(Some(&usual).filter(|path| path.is_file()));
    if let Some(path) = programs.find(|path| inputs::is_executable(path).unwrap_or(false)) {
        let nearby = lying_about(path, plan);
        let known = Known::open(path, plan)?;
        let patient = known.patient(plan)?;
        let profile = nearby.iter().find(|file| fits(file, &patient, plan));
        return short_advice(Some(&patient), profile.map(|file| &*file.path), environment);
    }
    let nearby = lying_about(Path::new(""), plan);
    let profile = there().next().map(|path| named(path));
    let Some(profile) = profile.or(nearby.into_iter().next()) else {
        return short_advice(None, None, environment);
    };
    let programs = find_programs([&*profile.path].into_iter());
    for path in programs {
        let known = Known::open(&path, plan);
        let patient = known.as_ref().and_then(|known| known.patient(plan));
        let patient = patient.filter(|patient| fits(&profile, patient, plan));
        if patient.is_some() {
            return short_advice(patient.as_ref(), Some(&profile.path), environment);
        }
    }
    short_advice(None, Some(&profile.path), environment)
}

/// A program that was read.
struct Known {
    executable: Executable,
    program: Program,
}

impl Known {
    fn open(path: &Path, plan: &Plan) -> Option<Self> {
        let executable = Executable::open(path).ok()?;
        let program = read_program(&executable, &plan.symbols).ok()?;
        Some(Self {
            executable,
            program,
        })
    }

    fn patient<'a>(&'a self, plan: &'a Plan) -> Option<Patient<'a>> {
        Patient::new(&self.executable, &self.program, &plan.environment).ok()
    }
}

/// Whether a report can be made of a profile and a program.
fn fits(file: &Nearby, patient: &Patient<'_>, plan: &Plan) -> bool {
    let loaded = load(file, plan, patient.program);
    let (finding, state) = examine_profile(file, loaded.as_ref(), patient, None);
    let is_fit = state == ProfileState::Usable && finding.status == Status::Good;
    is_fit && !file.is_of_library && !patient.program.linkage.is_library
}
