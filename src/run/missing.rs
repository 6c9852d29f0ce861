//! What to do where a file is not there: the findings of `profan doctor` in short.

use std::io;
use std::path::{Path, PathBuf};

use super::doctor::{can_be_looked_into, load, lying_about, named};
use crate::cli::Plan;
use crate::diagnose::{
    Inspected, Nearby, ProfileState, RunError, Status, error_codes, find_programs, inspect_profile,
    short_advice,
};
use crate::load::LoadError;
use crate::symbols::{Executable, Instruments, NamesFrom, Program, read_program};

/// The error, with what can be said of the files that are there in the place of one
/// that is not.
pub(super) fn with_advice(error: anyhow::Error, plan: &Plan) -> anyhow::Error {
    let Some(code) = code_of_missing(&error) else {
        return error;
    };
    // What is missing may be named by an option.
    if !plan.files.is_empty()
        && plan.files.iter().all(|path| path.exists())
        && code == error_codes::UNREADABLE
    {
        return error;
    }
    match advice(plan) {
        None => error,
        Some(advice) => {
            let cause = error.to_string();
            let advice = match code {
                error_codes::UNREADABLE => {
                    format!("look at the spelling and the folder, or: {advice}")
                }
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
        Some(RunError::NoProfile) => return Some(error_codes::NO_PROFILE),
        // It may be known what was meant.
        Some(RunError::Unreadable {
            advice: Some(_), ..
        }) => return None,
        Some(RunError::Unreadable { source, .. }) => source,
        _ => match error.downcast_ref::<LoadError>()? {
            LoadError::Io { source, .. } => source,
            _ => return None,
        },
    };
    (io.kind() == io::ErrorKind::NotFound).then_some(error_codes::UNREADABLE)
}

/// What to do by the files that are there: with the program that is named, or is called
/// as usual, or with a profile alone.
fn advice(plan: &Plan) -> Option<String> {
    let environment = &plan.environment;
    let there = || plan.files.iter().filter(|path| path.is_file());
    let usual = PathBuf::from("a.out");
    let mut programs = there().chain(Some(&usual).filter(|path| path.is_file()));
    if let Some(path) = programs.find(|path| Executable::open(path).is_ok()) {
        let nearby = lying_about(path, plan);
        let known = Known::open(path, plan)?;
        let inspected = known.inspected(plan)?;
        let profile = nearby.iter().find(|file| fits(file, &inspected, plan));
        return short_advice(
            Some(&inspected),
            profile.map(|file| &*file.path),
            environment,
        );
    }
    let is_profile = |file: &Nearby| {
        let is_file = file.path.is_file();
        is_file && !file.is_of_library && load(file, plan, None).is_ok()
    };
    let given = there().filter(|path| can_be_looked_into(path));
    let given = given.map(|path| named(path));
    let mut profiles = given.chain(lying_about(Path::new(""), plan));
    let profile = profiles.find(is_profile);
    let program = profile
        .as_ref()
        .and_then(|profile| program_of(profile, plan));
    let inspected = program.as_ref().and_then(|program| program.inspected(plan));
    let profile = profile.as_ref().map(|profile| &*profile.path);
    short_advice(inspected.as_ref(), profile, environment)
}

/// A program nearby that a profile fits. One without names gives no good report.
fn program_of(profile: &Nearby, plan: &Plan) -> Option<Known> {
    let programs = find_programs([&*profile.path].into_iter());
    let can_write_profiles = |path: &&PathBuf| {
        let executable = Executable::open(path).ok();
        let instruments = executable.and_then(|executable| Instruments::of(&executable).ok());
        instruments.is_some_and(|has| has.mentions_hook || has.has_mpatrol)
    };
    let candidates = programs.iter().filter(can_write_profiles);
    let mut known = candidates.filter_map(|path| Known::open(path, plan));
    known.find(|known| {
        let has_names = known.program.names_from == NamesFrom::SymbolTable;
        let inspected = known.inspected(plan).filter(|_| has_names);
        inspected.is_some_and(|inspected| fits(profile, &inspected, plan))
    })
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

    fn inspected<'a>(&'a self, plan: &'a Plan) -> Option<Inspected<'a>> {
        Inspected::new(&self.executable, &self.program, &plan.environment).ok()
    }
}

/// Whether a report can be made of a profile and a program.
fn fits(file: &Nearby, inspected: &Inspected<'_>, plan: &Plan) -> bool {
    let loaded = load(file, plan, Some(inspected.program));
    let (finding, state) = inspect_profile(file, loaded.as_ref(), inspected, None);
    let is_fit = state == ProfileState::Usable && finding.status == Status::Good;
    is_fit && !file.is_of_library && !inspected.program.linkage.is_library
}
