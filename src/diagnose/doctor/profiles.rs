//! Whether a file is a profile of a program that can be used.

use std::time::SystemTime;

use super::words::age;
use super::{Finding, Patient, Status};
use crate::diagnose::{
    Judgement, Nearby, ProgramRef, check_file, check_machine, check_verdict, verdict,
};
use crate::load::{LoadError, Loaded};
use crate::model::{Kind, Profile};
use crate::report::number::counted;
use crate::symbols::Linkage;

/// What a file is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileState {
    /// A report can be made of it.
    Usable,
    /// Not with this program, or not at all.
    Unusable,
}

/// What there is to say of a profile of a shared library, if the program loads one of
/// that name.
#[must_use]
pub fn examine_library_profile(nearby: &Nearby, linkage: &Linkage) -> Option<Finding> {
    let name = nearby.path.file_stem()?.to_str()?;
    let mut libraries = linkage.libraries.iter();
    libraries.find(|library| *library == name)?;
    let sentence = format!(
        "{}: time and calls of {name}, by LD_PROFILE; give both beside the program's",
        nearby.path.display()
    );
    Some(Finding::new(Status::Note, "profile", sentence))
}

/// Looks at what was read of a file, beside the program.
#[must_use]
pub fn examine_profile(
    nearby: &Nearby,
    loaded: Result<&Loaded, &LoadError>,
    patient: &Patient<'_>,
    built: Option<SystemTime>,
) -> (Finding, ProfileState) {
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            // The path is part of the message.
            let finding = Finding::new(Status::Bad, "profile", error.to_string());
            return (finding, ProfileState::Unusable);
        }
    };
    let (mut status, state, mut sentence) = judge(loaded, patient);
    if let Some(age) = age(nearby.modified, built, &patient.name()) {
        sentence = format!("{sentence}; {age}");
    }
    let times = nearby.modified.zip(built);
    if status == Status::Good && times.is_some_and(|(written, built)| written < built) {
        status = Status::Note;
    }
    let sentence = format!("{}: {sentence}", nearby.path.display());
    (Finding::new(status, "profile", sentence), state)
}

/// Whether a profile is of a program, and is whole.
fn judge(loaded: &Loaded, patient: &Patient<'_>) -> (Status, ProfileState, String) {
    use ProfileState::{Unusable, Usable};
    let profile = loaded.profile();
    let mut what = contents(profile);
    match profile.kind() {
        None => return (Status::Bad, Unusable, what),
        Some(Kind::Heap | Kind::Trace) if !patient.instruments.has_mpatrol => {
            let sentence = format!("{what}, but mpatrol is no part of {}", patient.name());
            return (Status::Note, Unusable, sentence);
        }
        Some(Kind::Sampled) => {
            let program_ref = ProgramRef {
                path: patient.executable.path(),
                program: patient.program,
            };
            if let Some(misfit) = check_machine(loaded.encoding(), program_ref) {
                return (Status::Bad, Unusable, misfit.cause());
            }
            let verdict = match verdict(profile, patient.executable, patient.program) {
                Ok(verdict) => verdict,
                Err(error) => return (Status::Bad, Unusable, error.to_string()),
            };
            if let Some(misfit) = check_verdict(&verdict, program_ref.path) {
                let sentence = match verdict.judgement {
                    Judgement::LoadedElsewhere { .. } => {
                        format!("{}: {}", misfit.cause(), misfit.advice())
                    }
                    _ => misfit.cause(),
                };
                return (Status::Bad, Unusable, sentence);
            }
            if verdict.judgement == Judgement::SameBuild {
                what = format!("{what} of {}", verdict.judgement);
            }
        }
        Some(_) => {}
    }
    if let Some(damage) = check_file(loaded, None).first() {
        return (Status::Note, Usable, format!("{what}; {}", damage.cause()));
    }
    let counted = (profile.kind() == Some(Kind::Sampled)).then(|| !profile.arcs().is_empty());
    match (counted, patient.counts_calls()) {
        (Some(true), Some(false)) => {
            let sentence = format!("{what}, but {} counts no calls", patient.name());
            (Status::Note, Usable, sentence)
        }
        (Some(false), Some(true)) => {
            let sentence = format!("{what}, but {} counts them", patient.name());
            (Status::Note, Usable, sentence)
        }
        _ => (Status::Good, Usable, what),
    }
}

/// What is in a profile, in a few words.
fn contents(profile: &Profile) -> String {
    match profile.kind() {
        None => "there is nothing in it".to_owned(),
        Some(Kind::Sampled) => {
            let n_calls = profile.arcs().iter();
            let n_calls = n_calls.fold(0_u64, |sum, arc| sum.saturating_add(arc.count));
            let ticks = counted(profile.n_ticks(), "tick", "ticks");
            let calls = counted(n_calls, "call", "calls");
            format!("{ticks} and {calls}")
        }
        Some(kind) => kind.to_string(),
    }
}
