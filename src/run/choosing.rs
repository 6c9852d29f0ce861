//! Selects the rows, columns and lines of a report, for files and terminals.

use std::borrow::Cow;
use std::path::Path;

use super::{Terminal, unavailable};
use crate::analyze::{
    AnnotationOptions, FlatFold, LEAST_PERCENT, NoColumn, SourceFold, choose, overview_of,
};
use crate::cli::{OutputStyle, Plan};
use crate::diagnose::{Fact, Request, RunError, Warning};
use crate::filter::Nearest;
use crate::model::RunPart;
use crate::report::{Layout, Report, ReportInput, Section, SectionId};

/// Applies the selections of the plan, and `kept` functions to the flat profile.
///
/// # Errors
/// If a requested column does not exist.
pub(super) fn choose_rows(
    report: &mut Report,
    plan: &Plan,
    terminal: Terminal,
    kept: Option<Box<[bool]>>,
) -> Result<Option<Warning>, RunError> {
    let renderer = plan.renderer();
    let fold = FlatFold {
        leaves_out_zero_cost: terminal.is_for_people(plan) && leaves_out_zero_cost(plan),
        leaves_out_small_frames: renderer.fits_terminals && !plan.text.shows_all,
        leaves_out_small_calls: terminal.is_for_people(plan)
            && !plan.text.shows_all
            && plan.filters.graph.include.is_empty(),
        leaves_out_unchanged: leaves_out_unchanged(plan),
        sources: SourceFold {
            least_percent: least_percent_of_lines(plan),
            is_for_people: renderer.fits_terminals,
        },
        kept,
    };
    let mut choice = plan.choice.clone();
    choice.drops_columns = choice.columns.is_some() && !renderer.fits_terminals;
    let has_ranking = choose(report, &choice, &fold).map_err(no_column)?;
    let is_unranked = !plan.choice.is_empty() && !has_ranking;
    Ok(is_unranked.then(|| unavailable::without(Fact::RankedRows, Request::Ranking)).flatten())
}

/// The error for an unknown column, with similar names.
fn no_column(missing: NoColumn) -> RunError {
    RunError::NoColumn {
        nearest: Nearest::among(&missing.column, &missing.has).into_names(),
        is_file: Path::new(&missing.column).is_file(),
        missing,
    }
}

/// Maximum number of file names in a line; then their number.
const MAX_NAMED: usize = 3;

/// One line with the program and its profiles. The program is the executable, or the command
/// that the profile recorded.
pub(super) fn what_it_is(inputs: &[ReportInput], parts: &[RunPart]) -> String {
    let of_kind = |kind: &'static str| {
        let inputs = inputs.iter().filter(move |input| input.kind == kind);
        let inputs = inputs.filter(|input| !input.has_only_names());
        inputs.map(|input| &*input.path).collect::<Vec<_>>()
    };
    let profiles = of_kind("profile");
    let runs = match profiles.len() {
        0 => "no profile".to_owned(),
        1 => format!("1 profile: {}", profiles[0]),
        n_profiles if n_profiles <= MAX_NAMED => {
            format!("{n_profiles} profiles: {}", profiles.join(", "))
        }
        n_profiles => format!("{n_profiles} profiles"),
    };
    let program = of_kind("executable").first().copied().map(Cow::Borrowed);
    match program.or_else(|| command_of(parts)) {
        None => runs,
        Some(program) => format!("{program}, {runs}"),
    }
}

/// The recorded command, if all parts have the same.
fn command_of(parts: &[RunPart]) -> Option<Cow<'_, str>> {
    let command = parts.first()?.command.as_deref()?;
    let is_of_it = |part: &RunPart| part.command.as_deref() == Some(command);
    let command = String::from_utf8_lossy(command.trim_ascii());
    (parts.iter().all(is_of_it) && !command.is_empty()).then_some(command)
}

/// Adds the origin of a saved report, and its notes.
pub(super) fn introduce(report: &mut Report) {
    let mut summary = vec![format!("{} (saved report)", what_it_is(&report.inputs, &[]))];
    summary.extend(report.notes.iter().cloned());
    report.sections.insert(0, overview_of(summary));
}

/// Omits the index unless it was requested together with the call graph or everything. It
/// would be the last thing on the screen.
pub(super) fn leave_out_index(report: &mut Report, plan: &Plan) {
    if plan.text.shows_all || plan.styles.wants(OutputStyle::Graph) {
        return;
    }
    let is_left_out =
        |section: &Section| section.id == SectionId::Index && section.layout != Layout::Bsd;
    report.sections.retain(|section| !is_left_out(section));
}

/// Returns whether the flat profile omits rows without self cost.
fn leaves_out_zero_cost(plan: &Plan) -> bool {
    let shows_all = plan.text.shows_all || plan.shows_zero_cost;
    !shows_all && plan.filters.flat.include.is_empty()
}

/// The minimum percentage of a source line, or 0 if functions were requested. `None` for whole
/// files, which machine-readable formats, `--all` and options about counts show.
fn least_percent_of_lines(plan: &Plan) -> Option<f64> {
    let asks_for_counts = plan.source.marks != AnnotationOptions::default();
    if plan.text.shows_all || asks_for_counts || !plan.renderer().fits_terminals {
        return None;
    }
    let asks_for_functions = !plan.filters.annotation.include.is_empty();
    Some(if asks_for_functions { 0.0 } else { LEAST_PERCENT })
}

/// Returns whether differences omit unchanged rows, and file tables omit typical files.
/// Machine-readable formats and reports with a requested number of rows omit no rows.
fn leaves_out_unchanged(plan: &Plan) -> bool {
    let asks_for_rows = plan.choice.top.is_some() || plan.choice.min_percent.is_some();
    let renderer = plan.renderer();
    let is_for_programs = renderer.shows_error || renderer.rows_are_tests;
    !is_for_programs && !plan.text.shows_all && !asks_for_rows
}
