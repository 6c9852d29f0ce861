//! Shows a saved JSON report again, without profile and program.

use anyhow::{Result, bail};

use super::inputs::read_report;
use super::made::Made;
use super::{Terminal, choosing, unavailable};
use crate::cli::Plan;
use crate::diagnose::{Fact, Request, RunError, Warning};
use crate::load::OpenFile;
use crate::render::json;
use crate::report::Report;
use crate::symbols::Granularity;

/// The position of a saved report among files; `None` with only profiles.
pub(super) fn position(files: &[OpenFile]) -> Option<usize> {
    let is_report = |file: &OpenFile| json::is_report(file.decompressed_head());
    files.iter().position(is_report)
}

/// Makes the requested report from a saved one.
///
/// # Errors
/// If there are other files, it is damaged, or a requested section or column is not there.
pub(super) fn make(
    mut files: Vec<OpenFile>,
    position: usize,
    plan: &Plan,
    terminal: Terminal,
    warnings: &mut Vec<Warning>,
) -> Result<Made> {
    let file = files.swap_remove(position);
    if !files.is_empty() {
        bail!(RunError::ReportBesideFiles { path: file.path() });
    }
    let mut report = read_report(file)?;
    *warnings = select(&mut report, plan)?;
    let zero_cost = choosing::choose_rows(&mut report, plan, terminal, None)?;
    add_new(warnings, zero_cost);
    report.diagnostics = warnings.iter().map(Warning::diagnostic).collect();
    if terminal.columns.is_some() {
        choosing::introduce(&mut report);
    }
    Ok(Made::of(report))
}

/// Selects the requested sections, and returns the saved diagnostics, followed by new ones of
/// this request.
///
/// # Errors
/// If no section remains.
fn select(report: &mut Report, plan: &Plan) -> Result<Vec<Warning>> {
    let mut warnings: Vec<_> = std::mem::take(&mut report.diagnostics)
        .into_iter()
        .map(|diagnostic| Warning::Recorded { diagnostic })
        .collect();
    let had: Vec<_> = report.sections.iter().map(|section| section.id.id()).collect();
    let has_samples = plan.can_show_samples();
    report.sections.retain(|section| {
        plan.sections.allow(section.id) && (has_samples || !section.id.is_of_samples())
    });
    if report.sections.is_empty() {
        bail!(RunError::NoSection { had });
    }
    let asks_for_other_rows = !plan.filters.is_empty()
        || plan.functions.keep.is_some()
        || plan.functions.value.is_some()
        || plan.functions.ratio.is_some()
        || !plan.functions.label.is_empty()
        || plan.functions.seconds.is_some()
        || plan.reading.wall.is_some()
        || plan.reports.between.is_some()
        || plan.reports.tree == Some(Some(true))
        || plan.reports.group_by.is_some()
        || plan.reading.symbols.granularity != Granularity::Functions;
    if asks_for_other_rows {
        add_new(&mut warnings, unavailable::without(Fact::Profile, Request::Selection));
    }
    let reads_otherwise = plan.reading.from_hexdump
        || plan.reading.rate.is_some()
        || plan.reading.counter_bits.is_some();
    if reads_otherwise {
        add_new(&mut warnings, unavailable::without(Fact::Profile, Request::Reading));
    }
    let error = unavailable::of_error(&report.sections, Fact::Profile);
    add_new(&mut warnings, error.filter(|_| plan.look.error));
    Ok(warnings)
}

/// Adds diagnostics that the saved ones do not include.
fn add_new(warnings: &mut Vec<Warning>, new: impl IntoIterator<Item = Warning>) {
    for warning in new {
        let diagnostic = warning.diagnostic();
        if !warnings.iter().any(|one| one.diagnostic() == diagnostic) {
            warnings.push(warning);
        }
    }
}
