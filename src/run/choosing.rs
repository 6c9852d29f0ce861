//! Selects the rows, columns and lines of a report, for files and terminals.

use std::path::Path;

use super::{Terminal, unavailable};
use crate::analyze::{
    AnnotationOptions, FlatFold, LEAST_PERCENT, NoColumn, SourceFold, choose, overview_of,
};
use crate::cli::Plan;
use crate::diagnose::{Fact, Request, RunError, RunResult, Warning, saved_origin};
use crate::filter::Nearest;
use crate::report::{Audience, Layout, Report, Section, SectionId};

/// Applies the selections of the plan, and `kept` functions to the flat profile.
///
/// # Errors
/// If a requested column does not exist.
pub(super) fn choose_rows(
    report: &mut Report,
    plan: &Plan,
    terminal: Terminal,
    kept: Option<Box<[bool]>>,
) -> RunResult<Option<Warning>> {
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

/// Adds the origin of a saved report, and its notes.
pub(super) fn introduce(report: &mut Report) {
    let mut summary = vec![saved_origin(&report.inputs)];
    summary.extend(report.notes.iter().cloned());
    report.sections.insert(0, overview_of(summary));
}
