//! Compares two sides row by row.

use super::call_counts::CallCounts;
use super::change::Change;
use super::failed_side::FailedSide;
use super::run_remarks::remarks;
use super::side_sums::{ArcEnds, SideSums};
use crate::analyze::Amount;
use crate::compare::difference::{
    ChangeVerdict, Comparison, Difference, DifferenceOptions, OtherTests, Presence, compare,
};
use crate::compare::{Measure, Unlike};
use crate::report::{Metric, MetricIndex, Source};

/// The change to sort rows by, largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DifferenceOrder {
    /// Self cost.
    #[default]
    Own,
    /// Total cost.
    Total,
    /// Number of calls.
    Calls,
}

/// The result of a comparison.
#[derive(Debug)]
pub struct Compared {
    pub(super) measure: Measure,
    /// Numbers are percentages of each side's total.
    pub(super) is_normalized: bool,
    /// Minimum share of the program for refusals by exact numbers.
    pub(super) min_share: f64,
    /// Rows with differences, in order.
    pub(super) rows: Vec<RowChange>,
    /// Rows without differences but with a share of the program, in order.
    pub(super) unchanged: Vec<RowChange>,
    /// The program.
    pub(super) total: RowChange,
    /// Changed calls; empty if a side has no calls.
    pub(super) arcs: Vec<ArcChange>,
    /// Whether each side has calls.
    pub(super) has_arcs: [bool; 2],
    /// Where the values come from, by the side that says least of it.
    pub(super) source: Source,
    pub(super) judgement: Judgement,
    /// The tested comparison, for its power.
    pub(super) sampled: Option<Comparison>,
    /// Both sides counted calls.
    pub(super) counts_calls: bool,
    /// Some side has lower bounds of them only.
    pub(super) has_least_calls: bool,
    pub(super) sides: [SideSize; 2],
    /// The side whose program failed, if one did: nothing has a verdict.
    pub failed: Option<FailedSide>,
    /// Remarks on runs of a side that vary in an unusual way.
    pub(super) remarks: Vec<String>,
}

/// What decides on changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// Numbers were counted, and the runs of each side agree: every change is real.
    Counted,
    /// A statistical test.
    Tested,
    /// Nothing: one run a side does not show how such values vary, or a side failed.
    Shown,
}

impl Judgement {
    /// Counted numbers need no test, unless the runs of a side differ. Limits within a run
    /// follow from samples only.
    fn of(source: Source, sides: [&SideSums; 2]) -> Self {
        let is_any = |holds: fn(&SideSums) -> bool| sides.iter().any(|side| holds(side));
        match source {
            Source::Counted if !is_any(|side| side.varies) => Self::Counted,
            _ if source.is_sampled() || is_any(|side| side.self_ticks.shows_variation()) => {
                Self::Tested
            }
            _ => Self::Shown,
        }
    }
}

/// Number of runs of a side, and of their profiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideSize {
    pub(super) n_runs: u64,
    pub(super) n_profiles: u64,
}

/// The changes of a row.
#[derive(Clone, Debug)]
pub(super) struct RowChange {
    /// The row; the number of rows for costs outside of functions, and one more for the
    /// program.
    pub(super) row: usize,
    /// Self cost by metric, the primary one first; only that if sampled.
    pub(super) self_costs: Vec<(MetricIndex, Change)>,
    /// Total cost in the primary metric.
    pub(super) total: Option<Change>,
    pub(super) calls: Option<Change>,
}

/// The changes of the calls between two rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArcChange {
    /// Rows of caller and callee.
    pub(super) rows: ArcEnds,
    pub(super) calls: Option<Change>,
    /// The flow, for sorting only: it was propagated.
    pub(super) total: Option<Change>,
}

impl RowChange {
    /// The change of the primary metric.
    pub(super) fn primary(&self) -> &Change {
        &self.self_costs[0].1
    }

    /// Returns whether the self cost, or with `by_total` the total cost, is at least this
    /// share of the program on either side.
    pub(super) fn has_share(&self, least: f64, by_total: bool, program: &Self) -> bool {
        let whole = program.primary();
        let is_enough = |part: Amount, whole: Amount| {
            !part.is_zero() && part.as_f64().abs() >= least * whole.as_f64().abs()
        };
        let total = self.total.as_ref().filter(|_| by_total);
        let mut costs = std::iter::once(self.primary()).chain(total);
        costs.any(|cost| is_enough(cost.old, whole.old) || is_enough(cost.new, whole.new))
    }

    fn differs(&self) -> bool {
        let self_costs = self.self_costs.iter().map(|(_, change)| change);
        let mut all = self_costs.chain(&self.total).chain(&self.calls);
        all.any(|change| !change.is_none() || change.verdict.is_change())
    }
}

impl Compared {
    /// The metrics, and the index of the primary one.
    pub fn metrics(&self) -> (Vec<Metric>, MetricIndex) {
        let shown = |(index, metric): (usize, &Metric)| Metric {
            unit: self.unit(index).into(),
            // Ticks are seconds here.
            rate: None,
            ..metric.clone()
        };
        let metrics = self.measure.metrics.iter().enumerate().map(shown);
        (metrics.collect(), self.measure.primary)
    }

    /// The weight of tests without a finding, as a share of all.
    pub(super) fn share_left(&self) -> f64 {
        self.sampled.as_ref().map_or(0.0, Comparison::share_left)
    }

    /// The rows of functions with costs that only the old side has, or only the new one.
    pub fn on_one_side(&self, is_new: bool) -> impl Iterator<Item = usize> {
        let wanted = if is_new { ChangeVerdict::New } else { ChangeVerdict::Gone };
        let rows = self.rows.iter().filter(move |row| row.primary().verdict == wanted);
        rows.map(|row| row.row)
    }

    /// Returns whether numbers vary by chance, so that small changes are not visible.
    pub fn is_by_chance(&self) -> bool {
        self.judgement != Judgement::Counted
    }

    /// Returns whether changes are called more and less, not slower and faster.
    pub(super) fn is_of_amounts(&self) -> bool {
        !self.is_by_chance() || is_of_amounts(&self.measure, self.source)
    }

    /// The unit of a metric in column names.
    pub(super) fn unit(&self, metric: MetricIndex) -> String {
        if self.is_normalized {
            "percent".to_owned()
        } else {
            self.measure.metrics[metric].unit.clone().into_owned()
        }
    }

    /// Decimals of the primary metric; one more than usual, since numbers may be means.
    pub(super) fn decimals(&self) -> u8 {
        let metric = self.measure.metric();
        let is_in_seconds = !self.is_normalized && metric.unit == "seconds";
        let total = self.total.primary();
        let total = total.old.as_f64().max(total.new.as_f64());
        if is_in_seconds { metric.decimals_within(total).max(3) } else { 2 }
    }

    /// Returns whether a row's share of the program on either side is large enough for a
    /// refusal.
    pub(super) fn has_share(&self, row: &RowChange, order: DifferenceOrder) -> bool {
        row.has_share(self.min_share, order == DifferenceOrder::Total, &self.total)
    }

    /// Returns whether neither the rows nor the total differ.
    pub(super) fn is_same(&self) -> bool {
        self.rows.is_empty() && self.total.primary().is_none()
    }
}

/// Compares two sides with the same rows. Linear in rows and calls, plus sorting.
///
/// # Errors
/// If the metrics differ.
pub(super) fn compare_sides(
    old: &SideSums,
    new: &SideSums,
    options: &DifferenceOptions,
) -> Result<Compared, Unlike> {
    let words = |side: &SideSums| {
        let measure = side.measure.as_ref();
        measure.map_or_else(|| "nothing".to_owned(), Measure::words)
    };
    let primary = |side: &SideSums| side.measure.as_ref().map(|measure| measure.primary);
    let is_alike = primary(old) == primary(new) && words(old) == words(new);
    let Some(measure) = old.measure.as_ref().filter(|_| is_alike) else {
        return Err(Unlike { first: words(old), found: words(new) });
    };
    let sides = [old, new];
    let source = old.source.max(new.source).unwrap_or_else(|| measure.source());
    // Without any run, the program itself is new or gone.
    let is_one_sided = old.is_empty() || new.is_empty();
    let failed = FailedSide::of(sides, source).filter(|_| !is_one_sided);
    let judgement = if is_one_sided { Judgement::Counted } else { Judgement::of(source, sides) };
    let has_failed = failed.is_some();
    let both = Both { sides, measure, options, source, judgement, has_failed };
    let (all, total, sampled) = match judgement {
        Judgement::Tested => both.sampled(),
        Judgement::Counted | Judgement::Shown => both.exact(),
    };
    let (rows, unchanged) = all.into_iter().partition(RowChange::differs);
    let (judgement, sampled) =
        if failed.is_some() { (Judgement::Shown, None) } else { (judgement, sampled) };
    Ok(Compared {
        measure: measure.clone(),
        is_normalized: options.normalize,
        min_share: options.min_share,
        rows,
        unchanged,
        total,
        arcs: both.arcs(),
        has_arcs: sides.map(|side| side.has_arcs),
        counts_calls: both.counts_calls(),
        has_least_calls: both.has_least_calls(),
        source,
        judgement,
        failed,
        sampled,
        remarks: [remarks("old side", old), remarks("new side", new)].concat(),
        sides: sides.map(|side| SideSize { n_runs: side.n_runs, n_profiles: side.n_profiles }),
    })
}

/// Both sides, old first.
struct Both<'a> {
    sides: [&'a SideSums; 2],
    measure: &'a Measure,
    options: &'a DifferenceOptions,
    source: Source,
    judgement: Judgement,
    has_failed: bool,
}

/// Returns whether the metric is an amount and not a time: fewer samples are faster.
fn is_of_amounts(measure: &Measure, source: Source) -> bool {
    source != Source::Sampled && !measure.metric().is_time()
}

/// Rows with differences or a share of the program, the program, and the sampled comparison.
type Changes = (Vec<RowChange>, RowChange, Option<Comparison>);

/// Factor for percentages.
const PERCENT: f64 = 100.0;

impl Both<'_> {
    fn n_rows(&self) -> usize {
        self.sides[0].rows.len()
    }

    fn sampled(&self) -> Changes {
        let [old, new] = self.sides;
        let scale = if self.options.normalize { PERCENT } else { 1.0 };
        let presence: Vec<_> = (0..self.n_rows()).map(|row| self.presence(row)).collect();
        let own = compare(&old.self_ticks, &new.self_ticks, &presence, self.options);
        let has_totals = old.has_totals && new.has_totals;
        let others = self.options.others;
        let others = OtherTests { left: others.all, ..others };
        let options = DifferenceOptions { others, ..*self.options };
        let totals =
            has_totals.then(|| compare(&old.total_ticks, &new.total_ticks, &presence, &options));
        let tested = |difference: &Difference| {
            let change = Change::sampled(difference, scale);
            if self.has_failed {
                return change.without_verdict();
            }
            if is_of_amounts(self.measure, self.source) { change.of_amounts() } else { change }
        };
        let whole = tested(&own.total);
        let total = self.row(self.n_rows(), whole, has_totals.then_some(whole), Presence::Both);
        let rows = (0..self.n_rows()).map(|row| {
            let total = totals.as_ref().map(|totals| tested(&totals.functions[row]));
            self.row(row, tested(&own.functions[row]), total, Presence::Both)
        });
        let rows = self.shown(rows, &total);
        (rows, total, Some(own))
    }

    /// The changes of a row, or of the program after the last row, in all metrics. Samples have no
    /// other metrics.
    fn row(
        &self,
        row: usize,
        primary: Change,
        total: Option<Change>,
        presence: Presence,
    ) -> RowChange {
        let is_alone = self.judgement == Judgement::Tested && self.source == Source::Sampled;
        let others = 0..if is_alone { 0 } else { self.measure.metrics.len() };
        let others = others.filter(|&metric| metric != self.measure.primary);
        let counted = |metric| (metric, self.counted(self.sums(row, metric), metric, presence));
        let primary = std::iter::once((self.measure.primary, primary));
        RowChange {
            row,
            self_costs: primary.chain(others.map(counted)).collect(),
            total,
            calls: if row < self.n_rows() { self.calls_of(row) } else { None },
        }
    }

    /// The self costs of a row, or of the program after the last row.
    fn sums(&self, row: usize, metric: MetricIndex) -> [Amount; 2] {
        self.sides.map(|side| {
            if row < self.n_rows() { side.self_cost(row, metric) } else { side.all[metric] }
        })
    }

    fn shown(&self, rows: impl Iterator<Item = RowChange>, program: &RowChange) -> Vec<RowChange> {
        let least = self.options.min_share;
        rows.filter(|row| row.differs() || row.has_share(least, true, program)).collect()
    }

    /// Whether each side has the row. A function that exists but never ran counts as unknown,
    /// not as new or gone.
    fn presence(&self, row: usize) -> Presence {
        let [old, new] = self.sides;
        match self.sides.map(|side| side.rows[row].is_known) {
            [true, true] => Presence::Both,
            [false, true] if old.has_all_names && new.ran(row) => Presence::NewOnly,
            [true, false] if new.has_all_names && old.ran(row) => Presence::OldOnly,
            _ => Presence::Unknown,
        }
    }

    fn exact(&self) -> Changes {
        let primary = self.measure.primary;
        // A side without a recorded row lacks the function.
        let presence = |is_known: [bool; 2]| match is_known {
            [false, true] => Presence::NewOnly,
            [true, false] => Presence::OldOnly,
            _ => Presence::Both,
        };
        let self_cost =
            |row: usize, presence| self.counted(self.sums(row, primary), primary, presence);
        let of_program = presence(self.sides.map(|side| !side.is_empty()));
        let whole = self_cost(self.n_rows(), of_program);
        let program = self.row(self.n_rows(), whole, Some(whole), of_program);
        let has_totals = self.sides.iter().all(|side| side.has_totals);
        let rows = (0..self.n_rows()).map(|row| {
            let presence = presence(self.sides.map(|side| side.rows[row].is_known));
            let totals = self.sides.map(|side| side.rows[row].total);
            let total = has_totals.then(|| self.counted(totals, primary, presence));
            self.row(row, self_cost(row, presence), total, presence)
        });
        (self.shown(rows, &program), program, None)
    }

    /// Sums of exact numbers, per run or as shares.
    fn counted(&self, sums: [Amount; 2], metric: MetricIndex, presence: Presence) -> Change {
        let [old, new] = self.per_run(sums, metric);
        let least = self.least_change(old, new, metric);
        match self.judgement {
            Judgement::Counted if !self.has_failed => Change::exact(old, new, presence, least),
            _ => Change::exact(old, new, Presence::Both, least).without_verdict(),
        }
    }

    fn per_run(&self, sums: [Amount; 2], metric: MetricIndex) -> [Amount; 2] {
        [0, 1].map(|side: usize| {
            let (sum, side) = (sums[side], self.sides[side]);
            if self.options.normalize {
                Amount::Ticks(sum.percent_of(side.all[metric]))
            } else {
                per_run(self.in_units(sum, metric), side.n_runs)
            }
        })
    }

    /// An amount in units for people.
    fn in_units(&self, amount: Amount, metric: MetricIndex) -> Amount {
        let seconds = self.measure.seconds_per_tick[metric];
        seconds.map_or(amount, |seconds| Amount::Ticks(amount.as_f64() * seconds))
    }

    /// The minimum relevant change of exact numbers, per run or as a share.
    fn least_change(&self, old: Amount, new: Amount, metric: MetricIndex) -> f64 {
        let [old_all, new_all] = self.sides.map(|side| {
            if self.options.normalize {
                PERCENT
            } else {
                per_run(self.in_units(side.all[metric], metric), side.n_runs).as_f64()
            }
        });
        let lesser = |one: f64, other: f64| one.abs().min(other.abs());
        let of_function = self.options.min_change_of_function * lesser(old.as_f64(), new.as_f64());
        let of_program = self.options.min_change_of_program * lesser(old_all, new_all);
        of_function.min(of_program)
    }

    fn counts_calls(&self) -> bool {
        self.sides.iter().all(|side| side.has_calls)
    }

    fn calls_of(&self, row: usize) -> Option<Change> {
        self.calls(self.sides.map(|side| side.rows[row].calls))
    }

    /// Numbers of calls, with the minimum relevant change.
    fn calls(&self, counts: [CallCounts; 2]) -> Option<Change> {
        let [old, new] = [0, 1].map(|side: usize| {
            let count = Amount::Exact(counts[side].sum.into());
            per_run(count, self.sides[side].n_runs)
        });
        self.counts_calls().then(|| {
            let change = Change::exact(old, new, Presence::Both, 0.0);
            let mut sides = counts.iter().zip(self.sides);
            let varies = sides.any(|(counts, side)| counts.varies(side.n_runs));
            let is_certain = !self.has_failed && !self.has_least_calls() && !varies;
            if is_certain { change } else { change.without_verdict() }
        })
    }

    fn has_least_calls(&self) -> bool {
        self.sides.iter().any(|side| side.has_least_calls)
    }

    /// Changed calls, by caller and callee.
    fn arcs(&self) -> Vec<ArcChange> {
        if !self.sides.iter().all(|side| side.has_arcs) {
            return Vec::new();
        }
        let [old, new] = self.sides.map(|side| &side.arcs);
        let only_new = new.keys().filter(|rows| !old.contains_key(rows));
        let mut all: Vec<ArcEnds> = old.keys().chain(only_new).copied().collect();
        all.sort_unstable();
        let differs = |arc: &ArcChange| {
            let mut both = [arc.calls, arc.total].into_iter().flatten();
            both.any(|change| !change.is_none())
        };
        let arcs = all.into_iter().map(|rows| self.arc(rows));
        arcs.filter(differs).collect()
    }

    fn arc(&self, rows: ArcEnds) -> ArcChange {
        let sums = self.sides.map(|side| side.arcs.get(&rows).copied());
        let has_total = sums.iter().flatten().any(|arc| arc.total.is_some());
        let metric = self.measure.primary;
        let totals = sums.map(|arc| arc.and_then(|arc| arc.total).unwrap_or(Amount::Exact(0)));
        let [old, new] = self.per_run(totals, metric);
        let least_change = self.least_change(old, new, metric);
        ArcChange {
            rows,
            calls: self.calls(sums.map(|arc| arc.unwrap_or_default().calls)),
            total: has_total.then(|| Change::exact(old, new, Presence::Both, least_change)),
        }
    }
}

/// The mean of a sum over runs; an integer if it is one.
fn per_run(sum: Amount, n_runs: u64) -> Amount {
    let n_runs = n_runs.max(1);
    match sum {
        Amount::Exact(sum) if sum % i128::from(n_runs) == 0 => {
            Amount::Exact(sum / i128::from(n_runs))
        }
        sum => Amount::Ticks(sum.as_f64() / n_runs as f64),
    }
}
