//! Sections of some profiles as a report of their own, to be joined with others.

use anyhow::Result;

use super::objects::reading::Read;
use super::run_costs::ProgramSet;
use super::{Terminal, report};
use crate::cli::{LookOptions, Plan, RequestedSections, RowOptions};
use crate::diagnose::Warning;
use crate::render::json;
use crate::report::Report;

/// The plan that asks for reports of the same files, with the contents of JSON.
pub(super) fn plan(plan: &Plan, sections: RequestedSections) -> Plan {
    let look = LookOptions { format: Some(json::NAME), output: None, ..plan.look.clone() };
    Plan { look, rows: RowOptions::default(), sections, ..plan.clone() }
}

/// The report of profiles, like a saved one; [`plan`] makes the plan.
///
/// # Errors
/// If a requested function does not exist.
pub(super) fn of(
    mut read: Read<'_>,
    programs: &ProgramSet,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<Report> {
    let mut of_profiles = std::mem::take(&mut read.warnings);
    let skipped = std::mem::take(&mut read.skipped);
    of_profiles.extend(skipped.warning(read.n_profiles(), true)?);
    let terminal = Terminal::default();
    let made = report::make(read, programs.external(), plan, terminal, &mut of_profiles)?;
    for warning in of_profiles {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    Ok(made.report)
}
