//! Refuses requests that a profile cannot answer, before the report.

use crate::analyze::{CostGraph, TotalsFrom, has_stacks, metric_named};
use crate::cli::ReportOptions;
use crate::diagnose::{Fact, Request, RunError, RunResult, SubjectFacts, Unavailable};
use crate::filter::{FilterSpecs, Nearest};
use crate::model::Profile;
use crate::report::{Metric, MetricIndex};

/// Refuses an unknown metric, or one of another kind of profile.
pub(super) fn check_metric(value: Option<&str>, costs: &CostGraph) -> RunResult {
    let has = |id: &&str| metric_named(&costs.shape.metrics, id).is_some();
    match value.filter(|value| !has(value)) {
        Some(asked) => Err(no_metric("--value", asked, &costs.shape.metrics)),
        None => Ok(()),
    }
}

/// The metrics of a ratio, from two names with a comma between them.
///
/// # Errors
/// If one of them is unknown.
pub(super) fn ratio(asked: Option<&str>, costs: &CostGraph) -> RunResult<Option<[MetricIndex; 2]>> {
    let named = |id: &str| metric_named(&costs.shape.metrics, id);
    let Some(asked) = asked else { return Ok(None) };
    // Names of events may contain commas.
    let commas = asked.match_indices(',');
    let mut parts = commas.map(|(comma, _)| [&asked[..comma], &asked[comma + 1..]]);
    let both = |[above, below]: [&str; 2]| Some([named(above)?, named(below)?]);
    if let Some(ratio) = parts.clone().find_map(both) {
        return Ok(Some(ratio));
    }
    let unknown = parts.next().and_then(|two| two.into_iter().find(|id| named(id).is_none()));
    Err(no_metric("--ratio", unknown.unwrap_or(asked), &costs.shape.metrics))
}

/// The error for an unknown metric.
pub(super) fn no_metric(option: &'static str, asked: &str, metrics: &[Metric]) -> RunError {
    let has: Vec<_> = metrics.iter().map(|m| m.id.to_string()).collect();
    let nearest = Nearest::among(asked, &has).into_near_names();
    RunError::NoMetric { option, asked: asked.to_owned(), has, nearest }
}

/// Refuses a point after the end of a trace.
pub(super) fn check_points(reports: &ReportOptions, profile: &Profile) -> RunResult {
    let n_events = match &profile.history {
        Some(history) => history.n_events,
        None => return Ok(()),
    };
    let mut asked = reports.heap_events().into_iter().flatten();
    match asked.find(|&event| event > n_events) {
        Some(event) => Err(RunError::NoEvent { event, n_events }),
        None => Ok(()),
    }
}

/// Refuses `--focus` and `--ignore` if no calls were counted.
pub(super) fn check_calls(filters: &FilterSpecs, profile: &Profile) -> RunResult {
    if filters.focus.is_empty() || !profile.arcs().is_empty() {
        return Ok(());
    }
    no_paths(Unavailable::without(Fact::CallCounts, Request::Focus))
}

/// Refuses stacks if neither stacks nor calls were recorded.
pub(super) fn check_stacks(
    filters: &FilterSpecs,
    profile: &Profile,
    costs: &CostGraph,
) -> RunResult {
    if filters.focus.is_empty() {
        return Ok(());
    }
    let facts = SubjectFacts::of(&[
        (Fact::Callers, matches!(costs.shape.totals_from, TotalsFrom::Stacks | TotalsFrom::Arcs)),
        (Fact::Heap, costs.is_heap()),
        (Fact::History, profile.history.is_some()),
        (Fact::Events, !profile.kind.is_none_or(|kind| kind.is_standard_ml)),
    ]);
    no_paths(Unavailable::find(Request::Focus, facts))
}

/// Refuses `--hide` and `--from` without recorded stacks.
pub(super) fn check_frames(
    filters: &FilterSpecs,
    profile: &Profile,
    is_sampled: bool,
) -> RunResult {
    let has_stacks = !is_sampled && profile.costs.calls.is_empty() && has_stacks(profile);
    if filters.stacks.is_empty() || has_stacks {
        return Ok(());
    }
    let facts = SubjectFacts::of(&[
        (Fact::Heap, profile.heap.is_some()),
        (Fact::History, profile.history.is_some()),
        (Fact::Callers, is_sampled || !profile.costs.calls.is_empty()),
    ]);
    let why = Unavailable::find(Request::Frames, facts);
    why.map_or(Ok(()), |why| Err(RunError::NoStacks { why }))
}

fn no_paths(why: Option<Unavailable>) -> RunResult {
    why.map_or(Ok(()), |why| Err(RunError::NoPaths { why }))
}
