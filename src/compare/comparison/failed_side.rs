//! A side whose program evidently failed, and a run of one.
//!
//! A program that stops at its start has next to no costs, and looks fast. A program that became a
//! hundred times faster has few samples too, so its calls decide, if both sides counted them.

use super::side_sums::SideSums;
use crate::compare::costs::FunctionCosts;
use crate::report::Source;

/// Below this share of the other side's calls and costs, the program did not do its work.
const LEAST_SHARE: f64 = 0.01;

/// A run with fewer samples may have none by chance.
const LEAST_SAMPLES: f64 = 10.0;

/// A side with next to nothing of the other's costs and calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailedSide {
    pub is_new: bool,
    /// Its costs and calls, as shares of the other side's; calls only if both counted them.
    pub costs: f64,
    pub calls: Option<f64>,
    /// Its costs are samples.
    pub is_sampled: bool,
}

/// Returns whether runs with so many samples take enough of them that one without any failed.
pub fn take_samples(n_samples: f64, n_runs: usize) -> bool {
    n_runs > 0 && n_samples >= LEAST_SAMPLES * n_runs as f64
}

impl FunctionCosts {
    /// The number of samples of a run to compare; `None` if its costs are not samples.
    pub fn n_samples(&self) -> Option<f64> {
        let is_sampled = self.generation == 0 && self.measure.source().is_sampled();
        let all = self.all[self.measure.primary].as_f64();
        is_sampled.then(|| if all == 0.0 { 0.0 } else { all / self.amount })
    }
}

impl FailedSide {
    /// The side that failed, if one did. All of its runs did: its sums are next to nothing.
    pub(super) fn of(sides: [&SideSums; 2], source: Source) -> Option<Self> {
        let per_run = |sum: f64, side: &SideSums| sum / side.n_runs.max(1) as f64;
        let costs = |side: &SideSums| {
            let primary = side.measure.as_ref().map_or(0, |measure| measure.primary);
            per_run(side.all[primary].as_f64(), side)
        };
        let calls = |side: &SideSums| {
            let calls = side.rows.iter().map(|row| row.calls.sum as f64);
            per_run(calls.sum(), side)
        };
        let have_calls = sides.iter().all(|side| side.has_calls);
        let failed = |side: usize| {
            let (this, other) = (sides[side], sides[1 - side]);
            let found = Self {
                is_new: side == 1,
                costs: costs(this) / costs(other),
                calls: (have_calls && calls(other) > 0.0).then(|| calls(this) / calls(other)),
                is_sampled: source.is_sampled(),
            };
            let is_enough = !found.is_sampled || other.self_ticks.ticks() >= LEAST_SAMPLES;
            (is_enough && found.is_failure()).then_some(found)
        };
        failed(1).or_else(|| failed(0))
    }

    fn is_failure(&self) -> bool {
        match self.calls {
            Some(calls) => calls < LEAST_SHARE && self.costs < LEAST_SHARE,
            None => self.is_sampled && self.costs == 0.0,
        }
    }
}
