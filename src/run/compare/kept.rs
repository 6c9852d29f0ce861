//! Sides that are reports which were kept.

use anyhow::Result;

use crate::compare::costs::FunctionCosts;
use crate::diagnose::RunError;
use crate::load::{Input, OpenFile};
use crate::render::json;
use crate::report;

/// A report that was kept.
pub(super) struct Kept {
    /// Its runs.
    pub(super) tallies: Vec<FunctionCosts>,
    /// They are of lines.
    pub(super) are_lines: bool,
    /// What it was made from.
    pub(super) inputs: Vec<report::Input>,
}

/// Reads a report that was kept.
///
/// # Errors
/// When it cannot be read, or does not say what each function costs.
pub(super) fn read(file: OpenFile) -> Result<Kept> {
    let path = file.path();
    let input = Input::from_file(file)?;
    let report = json::read(input.bytes()).map_err(|error| RunError::MalformedReport {
        path: path.clone(),
        reason: error.to_string(),
    })?;
    let tallies = FunctionCosts::of_report(&report)
        .map_err(|source| RunError::NotComparable { path, source })?;
    Ok(Kept {
        tallies,
        are_lines: report.names.are_lines(),
        inputs: report.inputs,
    })
}
