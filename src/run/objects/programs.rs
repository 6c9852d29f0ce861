//! Which of several programs of one job wrote a profile.

use std::sync::OnceLock;

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

/// The programs of a job. If there are several, their code is read once for all profiles.
pub(super) struct JobPrograms<'p, 'a> {
    programs: &'p [ProgramFile<'a>],
    /// As profiles are checked against them; `None` for a damaged one, which fits no profile.
    checked: OnceLock<Vec<Option<CheckedProgram<'a>>>>,
}

impl<'p, 'a> JobPrograms<'p, 'a> {
    pub(super) fn new(programs: &'p [ProgramFile<'a>]) -> Self {
        Self { programs, checked: OnceLock::new() }
    }

    /// The position of the program that wrote a profile; the first one if there is no choice.
    ///
    /// # Errors
    /// If there are several programs, and none or several of them match.
    pub(super) fn program_of(&self, loaded: &Loaded) -> RunResult<usize> {
        let is_by_address = loaded.profile.kind.is_none_or(|kind| kind.is_by_address);
        if self.programs.len() < 2 || !is_by_address || loaded.layout.is_of_library {
            return Ok(0);
        }
        let checked = self.checked.get_or_init(|| {
            let programs = self.programs.iter();
            programs.map(|&(file, program)| CheckedProgram::new(file, program).ok()).collect()
        });
        let fits: Vec<_> = checked.iter().map(|one| fit(loaded, one.as_ref()?)).collect();
        let best = fits.iter().copied().max().flatten();
        let fitting = fits.iter().enumerate().filter(|(_, fit)| best.is_some() && **fit == best);
        let fitting: Vec<_> = fitting.map(|(position, _)| position).collect();
        let profile = loaded.path.clone();
        match *fitting {
            [] => Err(RunError::OfNoProgram { profile }),
            [position] => Ok(position),
            _ => {
                let path =
                    |&position: &usize| self.programs[position].0.path().display().to_string();
                let programs = fitting.iter().map(path).collect();
                Err(RunError::SeveralPrograms { profile, programs })
            }
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
fn fit(loaded: &Loaded, checked: &CheckedProgram<'_>) -> Option<Fit> {
    if loaded.encoding.is_some_and(|encoding| encoding != checked.program.encoding) {
        return None;
    }
    match checked.verdict(&loaded.profile).judgement {
        Judgement::SameBuild => Some(Fit::SameBuild),
        Judgement::LoadedElsewhere { .. } => Some(Fit::LoadedElsewhere),
        Judgement::CannotTell(_) => Some(Fit::Unknown),
        Judgement::OtherBuild => None,
    }
}
