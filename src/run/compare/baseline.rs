//! What is kept to compare with: the runs of a side, in a report of their own.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};

use super::summing::Summed;
use crate::compare::costs::{FunctionCosts, runs_section};
use crate::compare::matching::{FunctionMatcher, JoinRules, ShownNames, WhichSide};
use crate::diagnose::RunError;
use crate::output::Output;
use crate::render::{self, RenderOptions};
use crate::report::{Metric, NameId, Report};
use crate::symbols::Style;

/// Keeps the runs of the new side in a file, in the place of what was kept there before.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(path: &Path, summed: &Summed) -> Result<()> {
    let tallies = &summed.new_runs;
    let side = WhichSide::New;
    let mut roster = FunctionMatcher::default();
    let numbers: Vec<Arc<[u32]>> = tallies
        .iter()
        .map(|tally| roster.numbers(&tally.names, side))
        .collect();
    let joined = roster.match_functions(&JoinRules::default());
    let numbers = numbers.iter().map(|numbers| joined.rows_of(numbers, side));
    let rows: Vec<_> = numbers.collect();
    let name_of = |run: usize, function: u32| NameId(rows[run][function as usize]);
    let first = tallies.first();
    let report = Report {
        inputs: summed.inputs[1].clone(),
        metrics: first.map_or_else(Vec::new, as_counted),
        primary: first.map_or(0, |tally| tally.measure.primary),
        names: Box::new(ShownNames::new(joined.shown(), Style::Auto, false)),
        sections: vec![runs_section(tallies, name_of)],
        diagnostics: Vec::new(),
    };
    let cannot = |source| RunError::Unwritable {
        path: path.display().to_string(),
        source,
    };
    let mut out = Output::open(Some(path)).map_err(cannot)?;
    let json = render::named("json").unwrap_or(render::default_renderer());
    let written = json.render(&report, &RenderOptions::default(), &mut out);
    let what = || format!("cannot write the baseline to `{}`", path.display());
    written.with_context(what)?;
    out.finish().with_context(what)
}

/// Metrics in the units in which they were counted.
fn as_counted(tally: &FunctionCosts) -> Vec<Metric> {
    let measure = &tally.measure;
    let metrics = measure.metrics.iter().zip(&measure.seconds_per_tick);
    let counted = metrics.map(|(metric, seconds_per_tick)| Metric {
        unit: match seconds_per_tick {
            Some(_) if metric.rate.is_some() => "ticks".into(),
            _ => metric.unit.clone(),
        },
        ..metric.clone()
    });
    counted.collect()
}
