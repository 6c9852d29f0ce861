//! Sections of some profiles as a report of their own, to be joined with others.

use anyhow::Result;

use super::objects::reading::Read;
use super::report;
use super::report_writer::ReportWriter;
use super::run_costs::ProgramSet;
use super::{Alert, Terminal};
use crate::cli::{Plan, Styles};
use crate::diagnose::Warning;
use crate::render::json;
use crate::report::Report;

/// The plan that asks for reports of the same files as JSON.
pub(super) fn plan(plan: &Plan, styles: Styles) -> Plan {
    Plan {
        format: Some(json::NAME),
        output: None,
        choice: Default::default(),
        styles,
        by_file: None,
        ..plan.clone()
    }
}

/// The report of profiles, as a saved report has it; the plan is that of [`plan`].
///
/// # Errors
/// If a requested function does not exist.
pub(super) fn of(
    read: Read<'_>,
    programs: &ProgramSet,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<Report<'static>> {
    let mut of_profiles = read.warnings;
    let mut bytes = Vec::new();
    let mut ignore = |_: Alert<'_>| {};
    let mut writer = ReportWriter {
        inputs: read.inputs,
        ..ReportWriter::new(plan, Terminal::default(), &mut bytes, &mut ignore)
    };
    report::report(read.objects, programs.external(), &mut writer, &mut of_profiles)?;
    for warning in of_profiles {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    Ok(json::read(&bytes).expect("profan reads the reports that it writes"))
}
