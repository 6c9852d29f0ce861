//! Checks whether a file is a usable profile of a program.

use std::time::SystemTime;

use super::{Finding, Inspected, Status};
use crate::diagnose::age::{age, time_before};
use crate::diagnose::nearby::library_of as library_of_profile;
use crate::diagnose::{
    CheckedProgram, Judgement, Nearby, ProgramRef, check_file, check_machine, check_verdict,
    why_empty,
};
use crate::load::{LoadError, Loaded};
use crate::model::{Address, Profile};
use crate::report::number::counted;
use crate::symbols::library_of;

/// The use of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileState {
    /// Can be reported.
    Usable,
    /// Has no samples; with advice.
    Empty(String),
    /// Can be reported with this load address.
    Moved(Address),
    /// Unusable with this program, or damaged.
    Unusable,
}

/// The finding on a profile of a shared library: the inspected one, one that the program
/// loads, or another that the user named.
pub fn inspect_library_profile(
    nearby: &Nearby,
    loaded: Result<&Loaded, &LoadError>,
    inspected: &Inspected<'_>,
) -> Option<(Finding, ProfileState)> {
    let path = nearby.path.display();
    let name = library_of_profile(nearby.path.file_name()?.to_str()?);
    let is_own = name.is_some_and(|name| is_called(inspected, name));
    let libraries = &inspected.program.linkage.libraries;
    let is_loaded = name.is_some_and(|name| libraries.iter().any(|library| library == name));
    if !is_own && !is_loaded && !nearby.is_named {
        return None;
    }
    let finding = |status, sentence| Finding::new(status, "profile", sentence);
    let unusable = |finding| Some((finding, ProfileState::Unusable));
    let name = name.unwrap_or("a shared library");
    let what = format!("{path}: LD_PROFILE profile of {name}");
    if !is_own {
        let place = if is_loaded {
            "pass it with the library, after the profile of the program"
        } else {
            "the program does not name this library, but another library may load it"
        };
        return unusable(finding(Status::Note, format!("{what}; {place}")));
    }
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return unusable(finding(Status::Bad, error.to_string())),
    };
    let own = library_of(inspected.executable);
    let mut histograms = loaded.profile.histograms().iter();
    if own.is_some_and(|own| !histograms.all(|h| own.fits(&(h.low..h.high)))) {
        let sentence = format!("{what}; {} does not match it", inspected.name());
        return unusable(finding(Status::Bad, sentence));
    }
    Some((finding(Status::Good, what), ProfileState::Usable))
}

/// Returns whether a library is the inspected one, by file name or soname.
fn is_called(inspected: &Inspected<'_>, name: &str) -> bool {
    let soname = library_of(inspected.executable).and_then(|library| library.soname);
    let file = inspected.executable.path().file_name();
    let is_file = inspected.program.linkage.is_library && file.is_some_and(|file| file == name);
    is_file || soname.as_deref() == Some(name.as_bytes())
}

/// The finding on a file.
pub fn inspect_profile(
    nearby: &Nearby,
    loaded: Result<&Loaded, &LoadError>,
    inspected: &Inspected<'_>,
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
    let is_older = time_before(nearby.modified, built).is_some();
    let (mut status, state, mut sentence) = verdict_of(loaded, inspected, is_older);
    if let Some(age) = age(nearby.modified, built, &inspected.name()) {
        sentence = format!("{sentence}; {age}");
    }
    if status == Status::Good && is_older {
        status = Status::Note;
    }
    let sentence = format!("{}: {sentence}", nearby.path.display());
    (Finding::new(status, "profile", sentence), state)
}

/// Whether a profile belongs to a program and is complete. An earlier build may have the same
/// addresses.
fn verdict_of(
    loaded: &Loaded,
    inspected: &Inspected<'_>,
    is_older: bool,
) -> (Status, ProfileState, String) {
    use ProfileState::{Unusable, Usable};
    let profile = &loaded.profile;
    let program_ref = ProgramRef { path: inspected.executable.path(), program: inspected.program };
    let mut what = contents(profile);
    match profile.kind {
        None => return (Status::Bad, Unusable, what),
        Some(_) if profile.heap.is_some() && !inspected.instruments.has_mpatrol => {
            let sentence = format!("{what}, but {} was not linked with mpatrol", inspected.name());
            return (Status::Note, Unusable, sentence);
        }
        Some(kind) if kind.is_by_address => {
            if let Some(misfit) = check_machine(loaded.encoding, program_ref) {
                return (Status::Bad, Unusable, misfit.cause());
            }
            let checked = CheckedProgram::new(inspected.executable, inspected.program);
            let verdicts = match checked.and_then(|checked| checked.verdicts(profile)) {
                Ok(verdicts) => verdicts,
                Err(error) => return (Status::Bad, Unusable, error.to_string()),
            };
            let mut is_same = true;
            for (image, verdict) in verdicts {
                let verdict = verdict.unless_fixed(inspected.program);
                if let Some(misfit) = check_verdict(&verdict, image) {
                    return match verdict.judgement {
                        Judgement::LoadedElsewhere { base } => {
                            let sentence = format!("{}: {}", misfit.cause(), misfit.advice());
                            (Status::Bad, ProfileState::Moved(base), sentence)
                        }
                        _ => (Status::Bad, Unusable, misfit.cause()),
                    };
                }
                is_same &= verdict.judgement == Judgement::SameBuild;
            }
            if is_same {
                let matches = if is_older { "addresses match" } else { "matches this build" };
                what = format!("{what}; {matches}");
            }
        }
        Some(_) => {}
    }
    if let Some(empty) = why_empty(profile, program_ref) {
        let cause = empty.cause();
        let cause = cause.strip_prefix("no samples: ").unwrap_or(&cause);
        return (Status::Bad, ProfileState::Empty(empty.advice()), format!("{what}: {cause}"));
    }
    if let Some(damage) = check_file(loaded, None).first() {
        let cause = damage.cause();
        // The path starts each line.
        let path = format!("{}: ", loaded.path);
        let cause = cause.strip_prefix(&path).unwrap_or(&cause);
        return (Status::Note, Usable, format!("{what}; {cause}"));
    }
    let counted =
        profile.kind.filter(|kind| kind.is_by_address).map(|_| !profile.arcs().is_empty());
    match (counted, inspected.counts_calls()) {
        (Some(true), Some(false)) => {
            let sentence = format!("{what}, but {} does not count calls", inspected.name());
            (Status::Note, Usable, sentence)
        }
        (Some(false), Some(true)) => {
            let sentence = format!("{what}, although {} counts calls", inspected.name());
            (Status::Note, Usable, sentence)
        }
        _ => (Status::Good, Usable, what),
    }
}

/// The contents of a profile, in a few words.
fn contents(profile: &Profile) -> String {
    match profile.kind {
        None => "empty".to_owned(),
        Some(kind) if kind.is_by_address => {
            let n_calls = profile.arcs().iter();
            let n_calls = n_calls.fold(0_u64, |sum, arc| sum.saturating_add(arc.count));
            let samples = counted(profile.n_ticks(), "sample", "samples");
            let calls = counted(n_calls, "call", "calls");
            format!("{samples} and {calls}")
        }
        Some(kind) => kind.to_string(),
    }
}
