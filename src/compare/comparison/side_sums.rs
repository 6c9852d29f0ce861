//! Adds up the runs of one side.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use super::call_counts::CallCounts;
use super::run_order::by_path;
use crate::analyze::Amount;
use crate::compare::costs::FunctionCosts;
use crate::compare::difference::{FunctionTicks, Side, SideRun};
use crate::compare::{Measure, Unlike};
use crate::report::{MetricIndex, Source};
use crate::sorting::ColdSort;

/// The runs of one side, added up by row. Memory depends on rows, not on runs.
#[derive(Debug, Default)]
pub struct SideSums {
    /// Number of runs of the program.
    pub(super) n_runs: u64,
    /// Number of their profiles.
    pub(super) n_profiles: u64,
    /// `None` without runs.
    pub(super) measure: Option<Measure>,
    /// Where its values come from, by the run that says least of it.
    pub(super) source: Option<Source>,
    /// The amount of a sample in which all runs are counted: that of the first.
    amount: Option<f64>,
    /// The primary metric of functions in each run.
    pub(super) self_ticks: Side,
    /// The paths of these runs.
    pub(super) paths: Vec<Box<str>>,
    /// Total ticks of functions.
    pub(super) total_ticks: Side,
    /// Self costs, by row and metric.
    self_costs: Vec<Amount>,
    /// One more row than functions, for costs outside of functions.
    pub(super) rows: Vec<RowSums>,
    /// Total, by metric.
    pub(super) all: Vec<Amount>,
    /// All functions of the program are named.
    pub(super) has_all_names: bool,
    /// All runs have total costs.
    pub(super) has_totals: bool,
    /// Some run has numbers of calls.
    pub(super) has_calls: bool,
    /// Some run has lower bounds of them only.
    pub(super) has_least_calls: bool,
    /// Some run has callers.
    pub(super) has_arcs: bool,
    pub(super) arcs: BTreeMap<ArcEnds, ArcSums>,
    /// Runs differ in the primary metric.
    pub(super) varies: bool,
    /// A hash of its values in the first run.
    first_values: Option<u64>,
    /// Each run by itself, if they are kept.
    pub(super) kept: Option<Vec<KeptRun>>,
}

/// A run by itself.
#[derive(Debug)]
pub(super) struct KeptRun {
    pub(super) run: SideRun,
    /// Self ticks by row, each once.
    pub(super) ticks: Box<[(usize, FunctionTicks)]>,
}

/// A row of a side, over all runs.
#[derive(Clone, Debug)]
pub(super) struct RowSums {
    /// The side has the function: it occurred, or the program contains it.
    pub(super) is_known: bool,
    /// Total cost in the primary metric.
    pub(super) total: Amount,
    pub(super) calls: CallCounts,
}

/// Rows of caller and callee; `None` for an unknown caller.
pub(super) type ArcEnds = (Option<usize>, usize);

/// All calls from one row to another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ArcSums {
    pub(super) calls: CallCounts,
    /// Their cost in the primary metric, if known.
    pub(super) total: Option<Amount>,
}

impl SideSums {
    /// A side without runs, with `n_rows` rows.
    pub fn new(n_rows: usize) -> Self {
        let row =
            |is_known| RowSums { is_known, total: Amount::Exact(0), calls: CallCounts::default() };
        let mut rows = vec![row(false); n_rows];
        rows.push(row(true));
        Self { rows, has_all_names: true, has_totals: true, ..Self::default() }
    }

    /// The same, and each sampled run by itself.
    pub fn keeping_runs(self) -> Self {
        Self { kept: Some(Vec::new()), ..self }
    }

    /// The same with the metrics of another side.
    #[must_use]
    pub fn like(self, other: &Self) -> Self {
        let mut side = Self { amount: other.amount, ..self };
        if let Some(measure) = &other.measure {
            side.join_metrics(measure);
        }
        side
    }

    /// Returns whether it has no runs.
    pub fn is_empty(&self) -> bool {
        self.n_profiles == 0
    }

    /// Takes the metrics to compare with another side: adds those in which this one has no costs,
    /// and drops the levels that the other one lacks.
    pub fn join_metrics_of(&mut self, other: &Self) {
        if let Some(measure) = other.measure.as_ref().filter(|_| self.measure.is_some()) {
            self.join_metrics(measure);
        }
    }

    fn join_metrics(&mut self, other: &Measure) {
        const NONE: Amount = Amount::Exact(0);
        let joined = match &self.measure {
            None => Some((other.clone(), vec![None; other.metrics.len()])),
            Some(own) => own.joined_with(other),
        };
        let Some((measure, places)) = joined else {
            return;
        };
        let joined = |costs: &[Amount], n_rows: usize, n_before: usize| {
            let mut joined = Vec::with_capacity(n_rows * places.len());
            for row in (0..n_rows).map(|row| &costs[row * n_before..][..n_before]) {
                joined.extend(places.iter().map(|place| place.map_or(NONE, |at| row[at])));
            }
            joined
        };
        let n_before = self.all.len();
        self.self_costs = joined(&self.self_costs, self.rows.len(), n_before);
        self.all = joined(&self.all, 1, n_before);
        self.measure = Some(measure);
    }

    /// Checks that a run can be added to earlier ones.
    ///
    /// # Errors
    /// As of [`Measure::places_in`].
    pub fn check(&self, costs: &FunctionCosts) -> Result<(), Unlike> {
        let first = self.measure.as_ref();
        first.map_or(Ok(()), |first| first.places_in(&costs.measure).map(drop))
    }

    /// A run in the metrics of earlier ones.
    fn converted<'c>(&self, costs: &'c FunctionCosts) -> Result<Cow<'c, FunctionCosts>, Unlike> {
        let first = self.measure.as_ref();
        first.map_or(Ok(Cow::Borrowed(costs)), |first| costs.in_measure(first))
    }

    /// Adds the run of a file whose functions have these rows; `has_arcs` also adds calls.
    /// Linear in the run.
    ///
    /// # Errors
    /// If it lacks the primary metric of earlier runs.
    pub fn add(
        &mut self,
        path: &str,
        costs: &FunctionCosts,
        rows: &[u32],
        has_arcs: bool,
    ) -> Result<(), Unlike> {
        let source = costs.measure.source();
        self.has_least_calls |= costs.measure.metric().has_least_calls();
        self.check(costs)?;
        self.join_metrics(&costs.measure);
        let costs = &*self.converted(costs)?;
        self.source = self.source.max(Some(source));
        let amount = *self.amount.get_or_insert(costs.amount);
        self.n_runs += u64::from(costs.n_runs.max(1));
        self.n_profiles += 1;
        self.has_all_names &= costs.has_all_names;
        self.has_totals &= costs.totals.is_some();
        self.has_calls |= costs.counts_calls;
        self.has_arcs |= costs.has_arcs;
        if costs.has_all_names {
            for &row in rows {
                self.rows[row as usize].is_known = true;
            }
        }
        let mut ticks = RunTicks::of(costs, rows, self.rows.len() - 1, amount);
        self.add_rows(costs, rows);
        self.add_arcs(costs, rows, has_arcs, &mut ticks);
        self.end_calls(costs, rows, has_arcs);
        self.add_run(path, costs, &ticks);
        Ok(())
    }

    /// Adds a run of an earlier baseline, which shows only how runs vary.
    ///
    /// # Errors
    /// If its metrics differ from those of other runs.
    pub fn add_earlier(&mut self, costs: &FunctionCosts, rows: &[u32]) -> Result<(), Unlike> {
        let costs = &*self.converted(costs)?;
        let amount = *self.amount.get_or_insert(costs.amount);
        let ticks = RunTicks::of(costs, rows, self.rows.len() - 1, amount);
        let (run, set) = (side_run(costs, amount), costs.generation);
        self.self_ticks.add_earlier_run(set, run, ticks.self_ticks());
        self.total_ticks.add_earlier_run(set, run, ticks.totals());
        Ok(())
    }

    /// Returns whether the side is one run, which does not show how runs vary.
    pub fn is_single_run(&self) -> bool {
        self.self_ticks.runs().len() == 1
    }

    /// Drops the runs of earlier baselines: the user stated how runs vary.
    pub fn forget_earlier(&mut self) {
        self.self_ticks.forget_earlier();
        self.total_ticks.forget_earlier();
    }

    fn add_rows(&mut self, costs: &FunctionCosts, rows: &[u32]) {
        for (place, of) in costs.rows.iter().enumerate() {
            let row = rows[of.function as usize] as usize;
            self.add_row(row, |metric| costs.self_costs.get(place, metric), costs.total_of(place));
            let sums = &mut self.rows[row];
            sums.is_known = true;
            sums.calls.add(of.calls.unwrap_or(0));
        }
        let no_function = self.rows.len() - 1;
        let unattributed = costs.unattributed[costs.measure.primary];
        self.add_row(no_function, |metric| costs.unattributed[metric], unattributed);
        for (sum, all) in self.all.iter_mut().zip(&costs.all) {
            *sum = sum.plus(*all);
        }
    }

    fn add_row(&mut self, row: usize, self_cost: impl Fn(MetricIndex) -> Amount, total: Amount) {
        let n_metrics = self.all.len();
        let sums = &mut self.self_costs[row * n_metrics..][..n_metrics];
        for (metric, sum) in sums.iter_mut().enumerate() {
            *sum = sum.plus(self_cost(metric));
        }
        self.rows[row].total = self.rows[row].total.plus(total);
    }

    /// Adds calls. Costs between functions of the same row are in the totals of both, and
    /// such calls have no other caller.
    fn add_arcs(
        &mut self,
        costs: &FunctionCosts,
        rows: &[u32],
        has_arcs: bool,
        ticks: &mut RunTicks,
    ) {
        for arc in &costs.arcs {
            let row = |function: u32| rows[function as usize] as usize;
            let (caller, callee) = (arc.caller.map(row), row(arc.callee));
            let calls = arc.calls.unwrap_or(0);
            if caller == Some(callee) && arc.caller != Some(arc.callee) {
                let total = arc.total.unwrap_or(Amount::Exact(0));
                let sums = &mut self.rows[callee];
                sums.total = sums.total.less(total);
                sums.calls.remove(calls);
                let less = Amount::Ticks(-total.as_f64());
                ticks.add(callee, Amount::Ticks(0.0), less, costs.mean_amounts());
            }
            if has_arcs {
                let sums = self.arcs.entry((caller, callee)).or_default();
                sums.calls.add(calls);
                sums.total = sums.total.into_iter().chain(arc.total).reduce(Amount::plus);
            }
        }
    }

    /// Ends the calls of a run.
    fn end_calls(&mut self, costs: &FunctionCosts, rows: &[u32], has_arcs: bool) {
        for &row in rows {
            self.rows[row as usize].calls.end_run(costs.n_runs);
        }
        for arc in costs.arcs.iter().filter(|_| has_arcs) {
            let row = |function: u32| rows[function as usize] as usize;
            if let Some(sums) = self.arcs.get_mut(&(arc.caller.map(row), row(arc.callee))) {
                sums.calls.end_run(costs.n_runs);
            }
        }
    }

    /// Adds the ticks of a run as one observation.
    fn add_run(&mut self, path: &str, costs: &FunctionCosts, ticks: &RunTicks) {
        let run = side_run(costs, ticks.amount);
        let values = ticks.hash(run.n_runs);
        self.varies |= *self.first_values.get_or_insert(values) != values;
        self.paths.push(path.into());
        if let Some(kept) = &mut self.kept {
            kept.push(KeptRun { run, ticks: ticks.self_ticks().collect() });
        }
        self.self_ticks.add_run(run, ticks.self_ticks());
        self.total_ticks.add_run(run, ticks.totals());
    }

    /// Takes the order of paths for the order of runs. A baseline has several runs in a file, and
    /// its order does not show which runs of another side were made with them.
    pub fn order_runs(&mut self) {
        let mut order = self.runs_by_path();
        let is_shared = |runs: &[usize]| self.paths[runs[0]] == self.paths[runs[1]];
        if order.windows(2).any(is_shared) {
            order.clear();
        }
        self.self_ticks.set_order(order.clone());
        self.total_ticks.set_order(order);
    }

    /// The positions of runs in the order of their paths.
    pub(super) fn runs_by_path(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.paths.len()).collect();
        order.cold_sort_by(|&a, &b| by_path(&self.paths[a], &self.paths[b]));
        order
    }

    pub(super) fn self_cost(&self, row: usize, metric: MetricIndex) -> Amount {
        self.self_costs[row * self.all.len() + metric]
    }

    /// Returns whether a row evidently ran: it had a cost or a call.
    pub(super) fn ran(&self, row: usize) -> bool {
        let RowSums { total, calls, .. } = self.rows[row];
        let mut self_costs = (0..self.all.len()).map(|metric| self.self_cost(row, metric));
        calls.sum > 0 || !total.is_zero() || self_costs.any(|cost| !cost.is_zero())
    }
}

/// A run in samples of this amount.
fn side_run(costs: &FunctionCosts, amount: f64) -> SideRun {
    let measure = &costs.measure;
    SideRun {
        seconds_per_tick: measure.seconds_per_tick[measure.primary].unwrap_or(1.0) * amount,
        ticks: costs.all[measure.primary].as_f64() / amount,
        n_runs: costs.n_runs,
    }
}

impl FunctionCosts {
    /// The amounts that samples of a row add to its self cost and its total.
    fn amounts_of(&self, place: usize) -> [f64; 2] {
        self.amounts.as_ref().map_or(self.mean_amounts(), |amounts| amounts[place])
    }

    /// The total cost of a row, or its self cost if totals are unknown.
    fn total_of(&self, place: usize) -> Amount {
        let totals = self.totals.as_ref().map(|totals| totals[place]);
        totals.unwrap_or_else(|| self.self_costs.get(place, self.measure.primary))
    }

    fn mean_amounts(&self) -> [f64; 2] {
        [self.amount; 2]
    }
}

/// The self and total ticks of a run, by row, in samples of this amount.
struct RunTicks {
    rows: HashMap<usize, [FunctionTicks; 2], RandomState>,
    amount: f64,
}

impl RunTicks {
    /// The ticks of a run whose functions have these rows. Those outside of functions get the row
    /// `outside`.
    fn of(costs: &FunctionCosts, rows: &[u32], outside: usize, amount: f64) -> Self {
        let primary = costs.measure.primary;
        let n_rows = costs.rows.len() + 1;
        let rows_of_run = HashMap::with_capacity_and_hasher(n_rows, RandomState::default());
        let mut ticks = Self { rows: rows_of_run, amount };
        for (place, of) in costs.rows.iter().enumerate() {
            let (self_cost, total) = (costs.self_costs.get(place, primary), costs.total_of(place));
            let row = rows[of.function as usize] as usize;
            ticks.add(row, self_cost, total, costs.amounts_of(place));
        }
        let unattributed = costs.unattributed[primary];
        ticks.add(outside, unattributed, unattributed, costs.mean_amounts());
        ticks
    }

    fn self_ticks(&self) -> impl Iterator<Item = (usize, FunctionTicks)> {
        self.rows.iter().map(|(&row, &[ticks, _])| (row, ticks))
    }

    fn totals(&self) -> impl Iterator<Item = (usize, FunctionTicks)> {
        self.rows.iter().map(|(&row, &[_, total])| (row, total))
    }

    /// Adds costs, to which samples added these amounts.
    fn add(&mut self, row: usize, self_cost: Amount, total: Amount, amounts: [f64; 2]) {
        let sums = self.rows.entry(row).or_default();
        for ((sum, cost), amount) in sums.iter_mut().zip([self_cost, total]).zip(amounts) {
            let ticks = cost.as_f64() / self.amount;
            sum.ticks += ticks;
            sum.variance += ticks * (amount / self.amount);
        }
    }

    /// A hash of the self costs of one of `n_runs`, in any order.
    fn hash(&self, n_runs: u32) -> u64 {
        let hasher = foldhash::fast::FixedState::default();
        let cost = |sums: &[FunctionTicks; 2]| sums[0].ticks / f64::from(n_runs.max(1));
        let rows = self.rows.iter().map(|(row, sums)| (*row, cost(sums)));
        let rows = rows.filter(|(_, cost)| *cost != 0.0);
        rows.map(|(row, cost)| hasher.hash_one((row, cost.to_bits()))).fold(0, u64::wrapping_add)
    }
}
