//! Whether a file is a profile of a program that can be used.

use std::time::SystemTime;

use super::words::age;
use super::{Finding, Patient, Status};
use crate::diagnose::{Nearby, ProgramRef, check_file, check_machine, check_verdict, verdict};
use crate::load::{LoadError, Loaded};
use crate::model::{Kind, Profile};
use crate::report::number::counted;

/// What a file is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileState {
    /// A report can be made of it.
    Usable,
    /// Not with this program, or not at all.
    Unusable,
}

/// What there is to say of a profile of a shared library.
#[must_use]
pub fn examine_library_profile(nearby: &Nearby) -> Finding {
    let path = nearby.path.display();
    let sentence = format!("{path}: of a shared library, by LD_PROFILE");
    Finding::new(Status::Note, "profile", sentence)
}

/// Looks at what was read of a file, beside the program.
#[must_use]
pub fn examine_profile(
    nearby: &Nearby,
    loaded: Result<&Loaded, &LoadError>,
    patient: &Patient<'_>,
    built: Option<SystemTime>,
) -> (Finding, ProfileState) {
    let path = nearby.path.display();
    let bad = |sentence| {
        let finding = Finding::new(Status::Bad, "profile", sentence);
        (finding, ProfileState::Unusable)
    };
    let loaded = match loaded {
        Ok(loaded) => loaded,
        // The path is part of the message.
        Err(error) => return bad(error.to_string()),
    };
    let program = patient.name();
    let program_ref = ProgramRef {
        path: patient.executable.path(),
        program: patient.program,
    };
    let age = age(nearby.modified, built, &program);
    let age = age.map_or(String::new(), |age| format!("; {age}"));
    let profile = loaded.profile();
    if profile.kind().is_none_or(|kind| kind == Kind::Sampled) {
        let verdict = match verdict(profile, patient.executable, patient.program) {
            Ok(verdict) => verdict,
            Err(error) => return bad(error.to_string()),
        };
        let misfit = check_machine(loaded.encoding(), program_ref)
            .or_else(|| check_verdict(&verdict, program_ref.path));
        if let Some(misfit) = misfit {
            return bad(format!("{path}: {}{age}", misfit.cause()));
        }
    }
    let is_of_heap = matches!(profile.kind(), Some(Kind::Heap | Kind::Trace));
    let what = contents(profile);
    if is_of_heap && !patient.instruments.has_mpatrol {
        let sentence = format!("{path}: {what}, but mpatrol is no part of {program}{age}");
        let finding = Finding::new(Status::Note, "profile", sentence);
        return (finding, ProfileState::Unusable);
    }
    let damage = check_file(loaded, None);
    if let Some(damage) = damage.first() {
        let sentence = format!("{what}{age}; {}", damage.cause());
        let finding = Finding::new(Status::Note, "profile", format!("{path}: {sentence}"));
        return (finding, ProfileState::Usable);
    }
    let is_older = nearby
        .modified
        .zip(built)
        .is_some_and(|(written, built)| written < built);
    let is_sampled = profile.kind() == Some(Kind::Sampled);
    let lacks_calls = is_sampled && profile.arcs().is_empty();
    let is_odd = is_older || lacks_calls && patient.counts_calls() == Some(true);
    let status = if is_odd { Status::Note } else { Status::Good };
    let finding = Finding::new(status, "profile", format!("{path}: {what}{age}"));
    (finding, ProfileState::Usable)
}

/// What is in a profile, in a few words.
fn contents(profile: &Profile) -> String {
    match profile.kind() {
        None => "nothing is in it".to_owned(),
        Some(Kind::Sampled) => {
            let n_calls = profile.arcs().iter();
            let n_calls = n_calls.fold(0_u64, |sum, arc| sum.saturating_add(arc.count));
            let ticks = counted(profile.n_ticks(), "tick", "ticks");
            let calls = counted(n_calls, "call", "calls");
            format!("{ticks} and {calls}, of this program as far as addresses tell")
        }
        Some(kind) => kind.to_string(),
    }
}
