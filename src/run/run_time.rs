//! The share of a run that its samples cover, if its duration is known.

use anyhow::Result;

use super::unavailable;
use crate::analyze::{RunShare, run_section};
use crate::cli::{GivenRunTime, Plan};
use crate::diagnose::{self, Fact, Request, Warning};
use crate::load::read_run_time;
use crate::model::{Profile, RunTime};
use crate::report::Section;
use crate::symbols::Program;

/// The section on the run time, and its warnings.
///
/// # Errors
/// If the file with the times cannot be read or contains none.
pub(super) fn section(
    profile: &Profile,
    program: Option<&Program>,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Section<'static>>> {
    let run = match plan.run_time.as_ref() {
        None => return Ok(None),
        Some(GivenRunTime::File(path)) => read_run_time(path)?,
        Some(GivenRunTime::Wall(wall)) => RunTime {
            wall: *wall,
            processor: None,
        },
    };
    let Some(share) = RunShare::new(profile, run) else {
        warnings.extend(unavailable::without(Fact::SampleTime, Request::Wall));
        return Ok(None);
    };
    let linkage = program.map(|program| program.linkage.clone());
    let linkage = linkage.unwrap_or_default();
    let has_proof = warnings
        .iter()
        .any(|warning| matches!(warning, Warning::CallsOutside { .. }));
    let mut run_warnings = diagnose::check_run(&share, &linkage);
    // Where calls prove it already, nobody need be told what can have no samples.
    run_warnings.retain(|warning| !has_proof || !warning.is_lack_of_samples());
    warnings.extend(run_warnings);
    Ok(Some(run_section(&share, &linkage)))
}
