//! Checks, before any report, that the executable wrote the profile.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::placing::put_in_place;
use super::{Object, is_sampled, mismatch};
use crate::cli::{Base, ReadingOptions};
use crate::diagnose::{
    CheckedProgram, Judgement, RunError, Verdict, Warning, check_program, check_verdict,
    verdict_of_stacks,
};
use crate::load::Loaded;
use crate::model::Address;
use crate::report::ReportInput;
use crate::run::inputs::ProgramFile;
use crate::symbols::{Executable, Program};

/// Whether the executables match, as far as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum ProgramFit {
    Fits,
    /// Another build; its names are used anyway.
    OtherBuild,
    /// Another program, which was left out.
    LeftOut,
}

/// Warns of a mismatch, and adds the verdict to the executable among the inputs. Leaves out a
/// program that does not contain the recorded stacks.
///
/// # Errors
/// If a mismatch is refused, or the executable is damaged.
pub(in crate::run) fn check(
    objects: &mut [Object<'_>],
    inputs: &mut [ReportInput],
    reading: &ReadingOptions,
    warnings: &mut Vec<Warning>,
) -> Result<ProgramFit> {
    let mut fit = ProgramFit::Fits;
    for object in objects.iter_mut().filter(|object| !object.is_library) {
        let Some(both @ (executable, program)) = object.executable else {
            continue;
        };
        if !is_sampled(&object.profile) {
            let verdict = verdict_of_stacks(&object.profile.costs, executable, program)?;
            record(&verdict, executable.path(), inputs);
            if let Some(warning) = check_program(&verdict, executable.path()) {
                warn(warning, reading, warnings)?;
                object.executable = None;
                fit = ProgramFit::LeftOut;
            }
            continue;
        }
        // A file read with counters of a wrong width does not match any program.
        if warnings.iter().any(Warning::is_misread) {
            continue;
        }
        let (paths, profile) = (&object.paths, &object.profile);
        let width = LazyCell::new(|| mismatch::counter_width(object, both, reading));
        let of_files = LazyCell::new(|| mismatch::warnings_of_files(paths, both, reading));
        for (image, verdict) in CheckedProgram::new(executable, program)?.verdicts(profile)? {
            let verdict = beyond(reading.base, verdict, program);
            record(&verdict, image, inputs);
            if let Some(warning) = check_verdict(&verdict, image) {
                let blamed = || mismatch::blamed(warning, &of_files);
                warn(width.clone().unwrap_or_else(blamed), reading, warnings)?;
            }
            if let Judgement::OtherBuild | Judgement::LoadedElsewhere { .. } = verdict.judgement {
                fit = ProgramFit::OtherBuild;
            }
        }
    }
    Ok(fit)
}

/// Warns which of several profiles does not match, if some addresses are outside of functions for
/// unknown reasons.
///
/// # Errors
/// If this is refused.
pub(in crate::run) fn check_each(
    (paths, program): (&[PathBuf], ProgramFile<'_>),
    reading: &ReadingOptions,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let is_lost = |warning: &Warning| {
        matches!(warning, Warning::OutsideFunctions { .. } | Warning::LostCalls { .. })
    };
    if !warnings.iter().any(is_lost) || warnings.iter().any(Warning::is_urgent) {
        return Ok(());
    }
    match mismatch::first_of(&mismatch::warnings_of_files(paths, program, reading)) {
        Some(warning) => warn(warning, reading, warnings),
        None => Ok(()),
    }
}

/// The verdict on an executable and a file, as lines for people.
///
/// # Errors
/// If the executable is damaged.
pub(in crate::run) fn lines(
    loaded: &Loaded,
    executable: Option<(&Executable, &Program)>,
    reading: &ReadingOptions,
) -> Result<Vec<String>> {
    let Some((executable, program)) = executable else {
        return Ok(Vec::new());
    };
    let mut profile = Cow::Borrowed(&loaded.profile);
    let verdicts = match profile.kind {
        Some(kind) if kind.is_by_address => {
            if let Some(base) = reading.base {
                profile.to_mut().move_down(base.distance_from(program.link_base));
            }
            let verdicts = CheckedProgram::new(executable, program)?.verdicts(&profile)?;
            verdicts
                .into_iter()
                .map(|(image, verdict)| (image, beyond(reading.base, verdict, program)))
                .collect()
        }
        Some(_) if profile.heap.is_some() && profile.history.is_none() => {
            put_in_place(profile.to_mut(), (executable, program), reading.base)?;
            vec![(executable.path(), verdict_of_stacks(&profile.costs, executable, program)?)]
        }
        _ => Vec::new(),
    };
    let lines = verdicts.into_iter().flat_map(|(image, verdict)| {
        let verdict = verdict.with_times(Path::new(&loaded.path), image);
        verdict.lines(image)
    });
    Ok(lines.collect())
}

/// The verdict on addresses that the user moved with an option: a base that was found applies
/// to the original addresses.
fn beyond(base: Option<Base>, mut verdict: Verdict, program: &Program) -> Verdict {
    let Some(moved) = base else {
        return verdict.unless_fixed(program);
    };
    if let Judgement::LoadedElsewhere { base } = &mut verdict.judgement {
        *base = Address(base.0.wrapping_add(moved.distance_from(program.link_base)));
    }
    verdict
}

/// Adds a verdict to the executable among the inputs.
fn record(verdict: &Verdict, executable: &Path, inputs: &mut [ReportInput]) {
    let path = executable.display().to_string();
    let is_it = |input: &&mut ReportInput| input.kind == "executable" && input.path == path;
    if let Some(input) = inputs.iter_mut().find(is_it) {
        input.verdict = Some(verdict.for_report());
    }
}

/// Adds a warning.
///
/// # Errors
/// If it is about another build, which is refused.
pub(in crate::run) fn warn(
    warning: Warning,
    reading: &ReadingOptions,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    if reading.strict && warning.is_other_build() {
        bail!(RunError::OtherBuild {
            cause: warning.cause(),
            code: warning.code().to_owned(),
            advice: warning.advice(),
        });
    }
    warnings.push(warning);
    Ok(())
}
