//! Sides that are reports which were kept.

use anyhow::Result;

use crate::analyze::tally::Tally;
use crate::diagnose::RunError;
use crate::load::{Input, OpenFile};
use crate::render::json;
use crate::report;

/// The runs of a report that was kept, and what it was made from.
///
/// # Errors
/// When it cannot be read, or does not say what each function costs.
pub(super) fn read(file: OpenFile) -> Result<(Vec<(String, Tally)>, Vec<report::Input>)> {
    let path = file.path();
    let input = Input::from_file(file)?;
    let report = json::read(input.bytes()).map_err(|error| RunError::MalformedReport {
        path: path.clone(),
        reason: error.to_string(),
    })?;
    let tallies = Tally::of_report(&report).map_err(|source| RunError::NoTally {
        path: path.clone(),
        source,
    })?;
    let tallies = tallies.into_iter().map(|tally| (path.clone(), tally));
    Ok((tallies.collect(), report.inputs))
}
