//! Selects the rows, columns and lines of a report, for files and terminals.

use std::borrow::Cow;
use std::path::Path;

use super::{Terminal, unavailable};
use crate::analyze::{
    AnnotationOptions, FlatFold, LEAST_PERCENT, NoColumn, SourceFold, choose, overview_of,
};
use crate::cli::Plan;
use crate::diagnose::{Fact, Request, RunError, Warning};
use crate::filter::Nearest;
use crate::model::RunPart;
use crate::report::{Audience, Layout, Report, ReportInput, Section, SectionId};

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
    let (renderer, audience) = (plan.renderer(), terminal.audience(plan));
    let (is_for_screen, is_for_programs) =
        (audience == Audience::Screen, audience == Audience::Data);
    let shows_whole_sources =
        plan.look.all || plan.look.marks() != AnnotationOptions::default() || is_for_programs;
    let fold = FlatFold {
        // As far as functions were not requested.
        leaves_out_zero_cost: is_for_screen
            && !plan.look.all
            && !plan.functions.display_unused_functions
            && plan.filters.flat.include.is_empty(),
        leaves_out_small_frames: !is_for_programs && !plan.look.all,
        leaves_out_small_calls: is_for_screen
            && !plan.look.all
            && plan.filters.graph.include.is_empty(),
        // Machine-readable formats and reports with a requested number of rows have all rows.
        leaves_out_unchanged: !renderer.shows_error
            && !renderer.rows_are_tests
            && !plan.look.all
            && !plan.rows.limit_rows(),
        sources: SourceFold {
            least_percent: if shows_whole_sources {
                None
            } else if plan.filters.annotation.include.is_empty() {
                Some(LEAST_PERCENT)
            } else {
                Some(0.0)
            },
            is_for_people: !is_for_programs,
        },
        kept,
    };
    let choice = plan.rows.choice(is_for_programs);
    let has_ranking = choose(report, &choice, &fold).map_err(no_column)?;
    // The index would be the last thing on the screen.
    let has_index = plan.look.all || plan.sections.wants(SectionId::Graph);
    if terminal.columns.is_some() && !has_index {
        let is_index =
            |section: &Section| section.id == SectionId::Index && section.layout != Layout::Bsd;
        report.sections.retain(|section| !is_index(section));
    }
    let is_unranked = !choice.is_empty() && !has_ranking;
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
