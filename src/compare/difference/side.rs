//! Adds up the runs of one side, in memory independent of their number.

use std::collections::BTreeMap;

/// Variance of a time rounded to whole ticks at both ends.
pub(super) const ROUNDING: f64 = 1.0 / 6.0;

/// A profile of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideRun {
    /// Seconds between two ticks.
    pub seconds_per_tick: f64,
    /// All ticks, including those outside of functions.
    pub ticks: f64,
    /// Number of runs added up in the profile; 1 if unknown.
    pub n_runs: u32,
}

impl SideRun {
    /// Ticks per second of a function in one run.
    pub(super) fn exposure(&self) -> f64 {
        let rate = 1.0 / self.seconds_per_tick;
        if rate.is_finite() && rate > 0.0 { self.weight() * rate } else { self.weight() }
    }

    /// Duration of one run in seconds.
    pub(super) fn seconds(&self) -> f64 {
        sound(self.ticks) / self.exposure()
    }

    /// Weight relative to other profiles: a sum of runs varies less.
    pub(super) fn weight(&self) -> f64 {
        f64::from(self.n_runs.max(1))
    }
}

/// The ticks of a function on one side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TickSums {
    /// Ticks in all runs.
    pub(super) ticks: f64,
    /// Sum over runs of squared ticks divided by the ticks of the run.
    pub(super) squares: f64,
    /// Sum over runs of squared ticks divided by the exposure of the run.
    pub(super) time_squares: f64,
    /// Sum over runs of the variance by sampling.
    pub(super) variance: f64,
}

/// The ticks of a function in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FunctionTicks {
    pub ticks: f64,
    /// Their variance by sampling: equal to them, unless samples of the function add other
    /// amounts than those of the whole run.
    pub variance: f64,
}

impl From<f64> for FunctionTicks {
    fn from(ticks: f64) -> Self {
        Self { ticks, variance: ticks }
    }
}

/// All runs of one side of a comparison.
///
/// Memory depends on the sum of functions and runs, not on their product.
#[derive(Clone, Debug, Default)]
pub struct Side {
    runs: Vec<SideRun>,
    /// The positions of runs in the order in which they were made; empty if unknown.
    order: Vec<usize>,
    sums: Vec<TickSums>,
    /// Earlier sets of runs, of other builds, which show only how runs vary. By number.
    earlier: BTreeMap<u32, Side>,
}

impl Side {
    /// Adds a run, with the ticks of its functions by number, each once. Ticks may be
    /// fractional, for bins that span functions or totals.
    pub fn add_run<T: Into<FunctionTicks>>(
        &mut self,
        run: SideRun,
        ticks: impl IntoIterator<Item = (usize, T)>,
    ) {
        self.runs.push(run);
        let all = sound(run.ticks);
        for (function, ticks) in ticks {
            if function >= self.sums.len() {
                self.sums.resize(function + 1, TickSums::default());
            }
            let FunctionTicks { ticks, variance } = ticks.into();
            let (sums, ticks) = (&mut self.sums[function], sound(ticks));
            sums.ticks += ticks;
            sums.variance += sound(variance);
            sums.time_squares += ticks * ticks / run.exposure();
            if all > 0.0 {
                sums.squares += ticks * ticks / all;
            }
        }
    }

    /// Adds a run to an earlier set, as [`Side::add_run`] does.
    pub fn add_earlier_run<T: Into<FunctionTicks>>(
        &mut self,
        set: u32,
        run: SideRun,
        ticks: impl IntoIterator<Item = (usize, T)>,
    ) {
        self.earlier.entry(set).or_default().add_run(run, ticks);
    }

    /// Drops all earlier sets.
    pub(in crate::compare) fn forget_earlier(&mut self) {
        self.earlier.clear();
    }

    /// Runs of a hundredth of a second a tick, without functions.
    #[cfg(test)]
    pub(super) fn of_totals(totals: &[f64], n_runs: u32) -> Self {
        let mut side = Self::default();
        for &ticks in totals {
            let run = SideRun { seconds_per_tick: 0.01, ticks, n_runs };
            side.add_run::<f64>(run, []);
        }
        side
    }

    /// Earlier sets with more than one run.
    pub(super) fn earlier(&self) -> impl Iterator<Item = &Self> {
        let sets = self.earlier.values();
        sets.filter(|set| set.runs.len() > 1 && set.ticks() > 0.0)
    }

    /// The degrees of freedom of the variation of runs, in this set and in earlier ones.
    pub(super) fn n_freed(&self) -> f64 {
        let of_set = |set: &Self| set.runs.len().saturating_sub(1) as f64;
        of_set(self) + self.earlier().map(of_set).sum::<f64>()
    }

    /// Returns whether several runs show how runs vary.
    pub fn shows_variation(&self) -> bool {
        self.n_freed() > 0.0
    }

    pub fn runs(&self) -> &[SideRun] {
        &self.runs
    }

    /// Sets the order in which runs were made: the position of each run, in the order of
    /// [`Side::add_run`].
    pub fn set_order(&mut self, order: Vec<usize>) {
        self.order = order;
    }

    /// All runs in the order in which they were made, if that is known.
    pub(super) fn in_order(&self) -> Option<Vec<SideRun>> {
        let runs = self.order.iter().map(|&run| self.runs.get(run).copied());
        let runs: Vec<_> = runs.collect::<Option<_>>()?;
        (runs.len() == self.runs.len()).then_some(runs)
    }

    /// One more than the highest function number.
    pub fn n_functions(&self) -> usize {
        self.sums.len()
    }

    pub(super) fn sums(&self, function: usize) -> TickSums {
        self.sums.get(function).copied().unwrap_or_default()
    }

    /// The variance due to rounding to ticks, relative to the square of a run's ticks.
    pub(super) fn rounding(&self) -> f64 {
        let one = |run: &SideRun| run.weight() * ROUNDING / (run.ticks * run.ticks).max(1.0);
        self.runs().iter().map(one).sum::<f64>() / self.runs().len() as f64
    }

    /// The ticks of all runs.
    pub fn ticks(&self) -> f64 {
        self.runs.iter().map(|run| sound(run.ticks)).sum()
    }

    pub(super) fn exposure(&self) -> f64 {
        self.runs.iter().map(SideRun::exposure).sum()
    }
}

/// Clamps ticks to the range from 0 to the maximum that a file can contain.
fn sound(ticks: f64) -> f64 {
    if ticks.is_finite() { ticks.max(0.0) } else { 0.0 }
}
