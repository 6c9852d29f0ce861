//! What the runs of one side add up to.

use std::collections::BTreeMap;

use super::measure::{Measure, UnlikeRun};
use super::scratch::Scratch;
use crate::analyze::Amount;
use crate::compare::costs::FunctionCosts;
use crate::compare::difference::{Run, Side};
use crate::report::{Basis, MetricIndex};

/// The runs of one side, added up by row. Takes memory for rows, not for runs.
#[derive(Debug)]
pub struct SideSums {
    n_rows: usize,
    n_runs: u64,
    n_profiles: u64,
    measured: Option<Measure>,
    /// Ticks of functions themselves in each run, where they are sampled; the row behind
    /// all others is what is in no function.
    pub(super) own_ticks: Side,
    /// Ticks of functions with all that they call.
    pub(super) total_ticks: Side,
    /// By row and metric.
    own: Vec<Amount>,
    /// Of the primary metric.
    totals: Vec<Amount>,
    calls: Vec<u64>,
    is_known: Vec<bool>,
    has_all_names: bool,
    has_totals: bool,
    has_calls: bool,
    all: Vec<Amount>,
    has_arcs: bool,
    arcs: BTreeMap<ArcRows, ArcSums>,
    scratch: Scratch,
}

/// The rows of a caller and a callee; no caller where nobody knows it.
pub(super) type ArcRows = (Option<usize>, usize);

/// All calls from one row to another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ArcSums {
    pub(super) calls: u64,
    /// What of the primary metric flowed along them, where that is known.
    pub(super) total: Option<Amount>,
}

impl SideSums {
    /// A side without runs, of so many rows.
    #[must_use]
    pub fn new(n_rows: usize) -> Self {
        Self {
            n_rows,
            n_runs: 0,
            n_profiles: 0,
            measured: None,
            own_ticks: Side::default(),
            total_ticks: Side::default(),
            own: Vec::new(),
            totals: vec![Amount::Exact(0); n_rows + 1],
            calls: vec![0; n_rows],
            is_known: vec![false; n_rows],
            has_all_names: true,
            has_totals: true,
            has_calls: false,
            all: Vec::new(),
            has_arcs: false,
            arcs: BTreeMap::new(),
            scratch: Scratch::new(n_rows + 1),
        }
    }

    /// Adds a run, whose functions have these rows. `has_arcs` is whether calls are
    /// wanted one by one. Costs what is in the tally.
    ///
    /// # Errors
    /// When it measures something else than the runs before it.
    pub fn add(
        &mut self,
        tally: &FunctionCosts,
        rows: &[u32],
        has_arcs: bool,
    ) -> Result<(), UnlikeRun> {
        self.measure(tally)?;
        self.n_runs += u64::from(tally.n_runs.max(1));
        self.n_profiles += 1;
        self.has_all_names &= tally.has_all_names;
        self.has_calls |= tally.counts_calls;
        self.has_arcs |= tally.has_arcs;
        if tally.has_all_names {
            for &row in rows {
                self.is_known[row as usize] = true;
            }
        }
        self.add_rows(tally, rows);
        self.add_arcs(tally, rows, has_arcs);
        self.add_run(tally);
        Ok(())
    }

    /// Whether a run measures what the runs before it do.
    ///
    /// # Errors
    /// When it does not.
    pub fn check(&self, tally: &FunctionCosts) -> Result<(), UnlikeRun> {
        match &self.measured {
            Some(first) => first.check(&Measure::of(tally)),
            None => Ok(()),
        }
    }

    fn measure(&mut self, tally: &FunctionCosts) -> Result<(), UnlikeRun> {
        if self.measured.is_none() {
            let n_metrics = tally.metrics.len();
            self.measured = Some(Measure::of(tally));
            self.own = vec![Amount::Exact(0); (self.n_rows + 1) * n_metrics];
            self.all = vec![Amount::Exact(0); n_metrics];
        }
        self.check(tally)
    }

    fn add_rows(&mut self, tally: &FunctionCosts, rows: &[u32]) {
        let n_metrics = tally.metrics.len();
        self.has_totals &= tally.totals.is_some();
        for (place, of) in tally.rows.iter().enumerate() {
            let row = rows[of.function as usize] as usize;
            self.is_known[row] = true;
            for metric in 0..n_metrics {
                let own = &mut self.own[row * n_metrics + metric];
                *own = own.plus(tally.self_costs.get(place, metric));
            }
            let own = tally.self_costs.get(place, tally.primary);
            let totals = tally.totals.as_ref();
            let total = totals.map_or(own, |totals| totals.get(place, tally.primary));
            self.totals[row] = self.totals[row].plus(total);
            self.scratch.add(row, own.as_f64(), total.as_f64());
            self.calls[row] = self.calls[row].saturating_add(of.calls.unwrap_or(0));
        }
        for metric in 0..n_metrics {
            let nobody = tally.unattributed[metric];
            let own = &mut self.own[self.n_rows * n_metrics + metric];
            *own = own.plus(nobody);
            self.all[metric] = self.all[metric].plus(tally.all[metric]);
        }
        let nobody = tally.unattributed[tally.primary];
        self.totals[self.n_rows] = self.totals[self.n_rows].plus(nobody);
        self.scratch
            .add(self.n_rows, nobody.as_f64(), nobody.as_f64());
    }

    /// Adds calls. What one function of a row costs another of the same row is in the
    /// totals of both, and its calls come from nobody else.
    fn add_arcs(&mut self, tally: &FunctionCosts, rows: &[u32], has_arcs: bool) {
        for arc in &tally.arcs {
            let row = |function: u32| rows[function as usize] as usize;
            let (caller, callee) = (arc.caller.map(row), row(arc.callee));
            let calls = arc.calls.unwrap_or(0);
            if caller == Some(callee) && arc.caller != Some(arc.callee) {
                let total = arc.total.unwrap_or(Amount::Exact(0));
                self.totals[callee] = self.totals[callee].less(total);
                self.scratch.add(callee, 0.0, -total.as_f64());
                self.calls[callee] = self.calls[callee].saturating_sub(calls);
            }
            if has_arcs {
                let sums = self.arcs.entry((caller, callee)).or_default();
                sums.calls = sums.calls.saturating_add(calls);
                sums.total = match (sums.total, arc.total) {
                    (Some(sum), Some(total)) => Some(sum.plus(total)),
                    (sum, total) => sum.or(total),
                };
            }
        }
    }

    /// Adds the ticks of the run as one observation.
    fn add_run(&mut self, tally: &FunctionCosts) {
        let touched = self.scratch.take();
        let Some(seconds_per_tick) = sampled(tally) else {
            return;
        };
        let run = Run {
            seconds_per_tick,
            ticks: tally.all[tally.primary].as_f64(),
            n_runs: tally.n_runs,
        };
        let own = touched.iter().map(|&(row, own, _)| (row, own));
        self.own_ticks.add_run(run, own);
        let totals = touched.iter().map(|&(row, _, total)| (row, total));
        self.total_ticks.add_run(run, totals);
    }

    /// How many runs of the program there are.
    #[must_use]
    pub fn n_runs(&self) -> u64 {
        self.n_runs
    }

    /// How many profiles they are in.
    #[must_use]
    pub fn n_profiles(&self) -> u64 {
        self.n_profiles
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(super) fn measured(&self) -> Option<&Measure> {
        self.measured.as_ref()
    }

    /// What a row cost itself in all runs; behind all rows stands what is in none.
    pub(super) fn own(&self, row: usize, metric: MetricIndex) -> Amount {
        let n_metrics = self.all.len();
        let amount = self.own.get(row * n_metrics + metric);
        amount.copied().unwrap_or(Amount::Exact(0))
    }

    /// The same with all that it called, of the primary metric; `None` where that is not
    /// known.
    pub(super) fn total(&self, row: usize) -> Option<Amount> {
        self.has_totals.then(|| self.totals[row])
    }

    /// How often it was called in all runs; `None` where calls were not counted.
    pub(super) fn calls(&self, row: usize) -> Option<u64> {
        self.has_calls
            .then(|| self.calls.get(row).copied().unwrap_or(0))
    }

    /// All that there is of a metric in all runs.
    pub(super) fn all(&self, metric: MetricIndex) -> Amount {
        self.all.get(metric).copied().unwrap_or(Amount::Exact(0))
    }

    /// Whether any run says who called whom.
    pub(super) fn has_arcs(&self) -> bool {
        self.has_arcs
    }

    pub(super) fn arcs(&self) -> &BTreeMap<ArcRows, ArcSums> {
        &self.arcs
    }

    /// Whether the side has such a function, as far as is known: it was seen, or the
    /// program has it.
    pub(super) fn has(&self, row: usize) -> bool {
        self.is_known.get(row).copied().unwrap_or(true)
    }

    /// Whether anything shows that a row ran: it cost something, itself or by what it
    /// called, or it was called.
    pub(super) fn ran(&self, row: usize) -> bool {
        let n_metrics = self.all.len();
        let own = self.own.chunks_exact(n_metrics.max(1)).nth(row);
        let mut costs = own.into_iter().flatten().chain(self.totals.get(row));
        costs.any(|cost| !cost.is_zero()) || self.calls.get(row).is_some_and(|&calls| calls > 0)
    }

    /// Whether the program has no functions that were not named.
    pub(super) fn has_all_names(&self) -> bool {
        self.has_all_names
    }
}

/// How long a tick is, where time was sampled.
fn sampled(tally: &FunctionCosts) -> Option<f64> {
    let is_sampled = tally.metrics[tally.primary].basis == Basis::Sampled;
    is_sampled.then(|| tally.seconds_per_tick[tally.primary].unwrap_or(1.0))
}
