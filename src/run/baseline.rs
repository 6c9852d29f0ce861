//! Saved reports as sides of a comparison, and the baseline saved for the next one.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::destination::{open_output, unwritable};
use super::inputs::read_report;
use crate::cli::Plan;
use crate::compare::costs::{FunctionCosts, NotComparable, as_counted, runs_section};
use crate::compare::matching::{FunctionMatcher, JoinRules, ShownNames, WhichSide};
use crate::diagnose::{RunError, Warning, is_unavailable};
use crate::load::OpenFile;
use crate::render::{self, RenderError, RenderOptions};
use crate::report::{self, NameId, Report};
use crate::sorting::ColdSort;
use crate::symbols::Style;

/// A saved report.
pub(super) struct Saved {
    pub(super) runs: Vec<FunctionCosts>,
    /// Its inputs.
    pub(super) inputs: Vec<report::ReportInput>,
    /// Its warnings, except for those about options.
    pub(super) warnings: Vec<Warning>,
}

/// Reads a saved report as runs of a comparison.
///
/// # Errors
/// If it cannot be read, does not contain costs of functions, or has other rows than `plan`
/// requests.
pub(super) fn read(file: OpenFile, plan: &Plan) -> Result<Saved> {
    let path = file.path();
    let not_comparable = |source| RunError::NotComparable { path: path.clone(), source };
    if !plan.filters.is_empty() || plan.functions.keep.is_some() {
        bail!(not_comparable(NotComparable::Unfiltered));
    }
    let report = read_report(file)?;
    let runs = FunctionCosts::of_report(&report).map_err(not_comparable)?;
    if report.names.are_lines() != plan.is_by_line() {
        bail!(not_comparable(NotComparable::OtherRows));
    }
    let diagnostics = report.diagnostics.into_iter();
    let of_profiles = diagnostics.filter(|one| !is_unavailable(&one.code));
    Ok(Saved {
        warnings: of_profiles.map(|diagnostic| Warning::Recorded { diagnostic }).collect(),
        runs,
        inputs: report.inputs,
    })
}

/// Maximum number of earlier runs in a baseline.
const N_EARLIER_RUNS: usize = 30;

/// Locks the directory of a baseline until the lock is dropped, so that jobs that update it at the
/// same time do so one after the other. `None` where the system has no such locks.
pub(super) fn lock(baseline: &Path) -> Option<File> {
    let parent = baseline.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = File::open(parent.unwrap_or(Path::new("."))).ok()?;
    directory.lock().ok()?;
    Some(directory)
}

/// Runs to save in a file.
pub(super) struct NewBaseline {
    pub(super) path: PathBuf,
    /// The runs of the baseline that it replaces.
    pub(super) previous: Vec<FunctionCosts>,
    pub(super) runs: Vec<FunctionCosts>,
    pub(super) inputs: Vec<report::ReportInput>,
    /// Held until the file is written.
    pub(super) lock: Option<File>,
}

impl NewBaseline {
    /// The previous baseline with these inputs, to which the runs add only how runs vary: they become
    /// the latest set of earlier runs.
    pub(super) fn learned_beside(self, inputs: Vec<report::ReportInput>) -> Self {
        let is_compared = |run: &FunctionCosts| run.generation == 0;
        let (compared, earlier): (Vec<_>, _) = self.previous.into_iter().partition(is_compared);
        let previous = self.runs.into_iter().chain::<Vec<_>>(earlier).collect();
        Self { previous, runs: compared, inputs, ..self }
    }

    /// Saves the runs. The runs of the previous baseline become earlier ones, and the oldest of
    /// these are dropped.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(self) -> Result<()> {
        let Self { path, previous, runs, inputs, lock: _lock } = self;
        let runs = with_earlier(&previous, &runs);
        let report = report_of(&runs, inputs);
        let mut out = open_output(Some(&path))?;
        let json = render::named("json").unwrap_or(render::default_renderer());
        let written = json.render(&report, &RenderOptions::default(), &mut out);
        let unwritable = |source| unwritable(Some(&path), source);
        match written {
            Err(RenderError::Io(source)) => return Err(unwritable(source).into()),
            written => written?,
        }
        Ok(out.finish().map_err(unwritable)?)
    }
}

fn report_of(runs: &[FunctionCosts], inputs: Vec<report::ReportInput>) -> Report {
    let side = WhichSide::New;
    let mut matcher = FunctionMatcher::default();
    let numbers = runs.iter().map(|run| matcher.numbers(&run.names, side));
    let numbers: Vec<_> = numbers.collect();
    let joined = matcher.match_functions(&JoinRules::default());
    let rows = numbers.iter().map(|numbers| joined.rows_of(numbers, side));
    let rows: Vec<_> = rows.collect();
    let name_of = |run: usize, function: u32| NameId(rows[run][function as usize]);
    let measure = runs.first().map(|run| &run.measure);
    Report {
        inputs,
        metrics: measure.map_or_else(Vec::new, as_counted),
        primary: measure.map_or(0, |measure| measure.primary),
        names: Box::new(ShownNames::new(joined.shown(), Style::Auto)),
        sections: vec![runs_section(runs, name_of)],
        ..Report::default()
    }
}

/// Runs, followed by the runs of the previous baseline, latest set first.
fn with_earlier(previous: &[FunctionCosts], runs: &[FunctionCosts]) -> Vec<FunctionCosts> {
    let aged = |run: &FunctionCosts| FunctionCosts {
        generation: run.generation.saturating_add(1),
        ..run.clone()
    };
    let mut earlier: Vec<_> = previous.iter().map(aged).collect();
    earlier.cold_sort_by_key(|run| run.generation);
    earlier.truncate(N_EARLIER_RUNS);
    runs.iter().cloned().chain(earlier).collect()
}
