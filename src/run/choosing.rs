//! Which rows and columns of a report are shown.

use std::path::Path;

use super::{Terminal, screen, unavailable};
use crate::analyze::{FlatFold, NoColumn, choose};
use crate::cli::Plan;
use crate::diagnose::{Fact, Request, RunError, Warning};
use crate::filter::Nearest;
use crate::report::Report;

/// Leaves of a report what the plan chooses, and of its flat profile the functions that
/// are `kept`, if there are such.
///
/// # Errors
/// When a column is asked for that there is not.
pub(super) fn choose_rows(
    report: &mut Report<'_>,
    plan: &Plan,
    terminal: Terminal,
    kept: Option<Box<[bool]>>,
) -> Result<Option<Warning>, RunError> {
    let renderer = plan.renderer();
    let fold = FlatFold {
        leaves_out_idle: terminal.is_for_people(plan) && screen::leaves_out_idle(plan),
        leaves_out_small_frames: renderer.fits_terminals && !plan.text.shows_all,
        leaves_out_quiet: screen::leaves_out_quiet(plan),
        kept,
    };
    let mut choice = plan.choice.clone();
    choice.drops_columns = choice.columns.is_some() && !renderer.fits_terminals;
    let has_ranking = choose(report, &choice, &fold).map_err(no_column)?;
    let is_idle = !plan.choice.is_empty() && !has_ranking;
    Ok(is_idle
        .then(|| unavailable::without(Fact::RankedRows, Request::Ranking))
        .flatten())
}

/// The error of a column that there is not, with those that are called nearly so.
fn no_column(missing: NoColumn) -> RunError {
    RunError::NoColumn {
        nearest: Nearest::among(&missing.column, &missing.has).into_names(),
        is_file: Path::new(&missing.column).is_file(),
        missing,
    }
}
