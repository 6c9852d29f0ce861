//! A report that a command made, and further results of the command.

use super::baseline::NewBaseline;
use super::{Terminal, choosing};
use crate::cli::Plan;
use crate::diagnose::{RunResult, Warning, keep_root_causes};
use crate::report::Report;

/// A report with its rows chosen, ready to be rendered.
pub(super) struct Made {
    pub(super) report: Report,
    /// Notes to print before the report.
    pub(super) notes: Vec<String>,
    /// One line for each reason to refuse the new side of a comparison.
    pub(super) refusals: Vec<String>,
    /// A comparison needs more runs.
    pub(super) needs_runs: bool,
    /// The baseline to save after the report, unless the comparison is refused.
    pub(super) baseline: Option<NewBaseline>,
}

impl Made {
    /// A report that refuses and saves nothing.
    pub(super) fn of(report: Report) -> Self {
        Self { report, notes: Vec::new(), refusals: Vec::new(), needs_runs: false, baseline: None }
    }
}

/// Chooses the rows of a new report; `kept` marks selected functions. Adds the warnings, except
/// consequences of others.
///
/// # Errors
/// If a requested column does not exist.
pub(super) fn finish(
    mut report: Report,
    notes: Vec<String>,
    kept: Option<Box<[bool]>>,
    plan: &Plan,
    terminal: Terminal,
    warnings: &mut Vec<Warning>,
) -> RunResult<Made> {
    keep_root_causes(warnings);
    report.notes.extend_from_slice(&notes);
    warnings.extend(choosing::choose_rows(&mut report, plan, terminal, kept)?);
    report.diagnostics = warnings.iter().map(Warning::diagnostic).collect();
    Ok(Made { notes, ..Made::of(report) })
}
