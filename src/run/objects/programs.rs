//! Which of several programs of one job wrote a profile.

use crate::diagnose::{CheckedProgram, Judgement, RunError, RunResult};
use crate::load::Loaded;
use crate::run::inputs::ProgramFile;
use crate::symbols::library_of;

/// The executables that are programs. A single one counts as one until a profile contradicts.
pub(super) fn programs_among<'a>(executables: &[ProgramFile<'a>]) -> Vec<ProgramFile<'a>> {
    match executables {
        &[one] => vec![one],
        several => {
            let programs = several.iter().copied();
            programs.filter(|(executable, _)| library_of(executable).is_none()).collect()
        }
    }
}

/// The position of the program that wrote a profile; the first one if there is no choice.
///
/// # Errors
/// If there are several programs, and none or several of them match.
pub(super) fn program_of(loaded: &Loaded, programs: &[ProgramFile<'_>]) -> RunResult<usize> {
    let is_by_address = loaded.profile.kind.is_none_or(|kind| kind.is_by_address);
    if programs.len() < 2 || !is_by_address || loaded.layout.is_of_library {
        return Ok(0);
    }
    let fits = programs.iter().map(|program| fit(loaded, *program));
    let fits: Vec<_> = fits.collect();
    let best = fits.iter().copied().max().flatten();
    let fitting = fits.iter().enumerate().filter(|(_, fit)| best.is_some() && **fit == best);
    let fitting: Vec<_> = fitting.map(|(position, _)| position).collect();
    let profile = loaded.path.clone();
    match *fitting {
        [] => Err(RunError::OfNoProgram { profile }),
        [position] => Ok(position),
        _ => {
            let path = |&position: &usize| programs[position].0.path().display().to_string();
            let programs = fitting.iter().map(path).collect();
            Err(RunError::SeveralPrograms { profile, programs })
        }
    }
}

/// How well a program fits a profile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Unknown,
    LoadedElsewhere,
    SameBuild,
}

/// `None` if it does not fit.
fn fit(loaded: &Loaded, (executable, program): ProgramFile<'_>) -> Option<Fit> {
    if loaded.encoding.is_some_and(|encoding| encoding != program.encoding) {
        return None;
    }
    match CheckedProgram::new(executable, program).ok()?.verdict(&loaded.profile).judgement {
        Judgement::SameBuild => Some(Fit::SameBuild),
        Judgement::LoadedElsewhere { .. } => Some(Fit::LoadedElsewhere),
        Judgement::CannotTell(_) => Some(Fit::Unknown),
        Judgement::OtherBuild => None,
    }
}
