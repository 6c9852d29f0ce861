//! The share of a run that its samples cover, if its duration is known.

use anyhow::Result;

use super::unavailable;
use crate::analyze::{CountingCost, RunShare, run_section};
use crate::cli::{GivenRunTime, ReadingOptions};
use crate::diagnose::{self, Fact, Request, RunError, Warning};
use crate::load::read_run_time;
use crate::model::{Profile, RunTime};
use crate::report::Section;
use crate::symbols::Program;

/// The shares of the run, if its duration is stated.
///
/// # Errors
/// If the file with the times cannot be read or lacks the required times.
pub(super) fn share(
    profile: &Profile,
    reading: &ReadingOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Option<RunShare>> {
    let run = match reading.wall.as_ref() {
        None => return Ok(None),
        Some(GivenRunTime::File(path)) => read_run_time(path)?,
        Some(GivenRunTime::Wall(wall)) => RunTime { wall: *wall, processor: None },
    };
    let share = RunShare::new(profile, run);
    if share.is_none() {
        warnings.extend(unavailable::without(Fact::SampleTime, Request::Wall));
    }
    Ok(share)
}

/// The factor of all times, if they are to add up to the processor time.
///
/// # Errors
/// If the processor time is unknown, or without samples.
pub(super) fn scale(share: Option<&RunShare>, reading: &ReadingOptions) -> Result<Option<f64>> {
    if !reading.scale_to_cpu {
        return Ok(None);
    }
    let factor = share.and_then(RunShare::scale_to_processor);
    Ok(Some(factor.ok_or(RunError::NoProcessorTime)?))
}

/// The section on the run time, and its warnings.
pub(super) fn section(
    share: &RunShare,
    program: Option<&Program>,
    counting: Option<&CountingCost>,
    scale: Option<f64>,
    warnings: &mut Vec<Warning>,
) -> Section {
    let linkage = program.map(|program| program.linkage.clone());
    let linkage = linkage.unwrap_or_default();
    let has_proof = warnings.iter().any(|warning| matches!(warning, Warning::CallsOutside { .. }));
    let mut run_warnings = diagnose::check_run(share, &linkage, counting);
    // If calls already prove it, explaining the missing samples is redundant.
    run_warnings.retain(|warning| !has_proof || !warning.is_lack_of_samples());
    warnings.extend(run_warnings);
    run_section(share, &linkage, scale)
}
