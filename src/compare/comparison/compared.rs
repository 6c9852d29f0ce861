//! Two sides, compared row by row.

use super::change::Change;
use super::side_sums::{ArcRows, ArcSums, SideSums};
use crate::analyze::Amount;
use crate::compare::difference::{Comparison, DifferenceOptions, Presence, compare};
use crate::compare::{Measure, Unlike};
use crate::report::{Metric, MetricIndex};

/// Which change rows are sorted by, from the largest to the smallest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DifferenceOrder {
    /// What functions cost themselves.
    #[default]
    Own,
    /// What they cost with all that they call.
    Total,
    /// How often they were called.
    Calls,
}

/// Everything that there is to say of two sides, in numbers.
#[derive(Debug)]
pub struct Compared {
    pub(super) measure: Measure,
    /// Numbers are percent of each side's total.
    pub(super) is_normalized: bool,
    /// The share of the program from which on what was counted refuses.
    pub(super) min_share: f64,
    /// Rows in which anything differs, in their order.
    pub(super) rows: Vec<RowChange>,
    /// Rows with a share of the program in which nothing differs, in their order.
    pub(super) unchanged: Vec<RowChange>,
    /// The program.
    pub(super) total: RowChange,
    /// Calls that differ; none where a side does not say who called whom.
    pub(super) arcs: Vec<ArcChange>,
    /// Whether either side says who called whom.
    pub(super) has_arcs: [bool; 2],
    /// What was sampled, for what could have been seen.
    pub(super) sampled: Option<Comparison>,
    /// Calls were counted on both sides.
    pub(super) counts_calls: bool,
    pub(super) sides: [SideSize; 2],
}

/// The runs of a side, and the profiles that they are in.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideSize {
    pub(super) n_runs: u64,
    pub(super) n_profiles: u64,
}

/// What changed in a row.
#[derive(Clone, Debug)]
pub(super) struct RowChange {
    /// The row; the number of rows for what is in no function, and one more for the program.
    pub(super) row: usize,
    /// What it costs itself, by metric, the primary one first; of what was sampled only that.
    pub(super) self_costs: Vec<(MetricIndex, Change)>,
    /// What it costs with all that it calls, of the primary metric.
    pub(super) total: Option<Change>,
    pub(super) calls: Option<Change>,
}

/// What changed of the calls from one row to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArcChange {
    /// The rows of the caller and the callee.
    pub(super) rows: ArcRows,
    pub(super) calls: Option<Change>,
    /// What flowed along them, for comparing only: it was shared out by calls.
    pub(super) total: Option<Change>,
}

impl RowChange {
    /// The change of the primary metric.
    pub(super) fn primary(&self) -> &Change {
        &self.self_costs[0].1
    }

    /// Whether its share of the program is `least` or more on either side: its self cost,
    /// or with `by_total` that and all that it calls.
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
    /// What the numbers are of, and which of it is the primary one.
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

    /// Whether numbers come by chance, so that some changes cannot be seen.
    pub fn is_by_chance(&self) -> bool {
        self.sampled.is_some()
    }

    /// The unit of a metric, as columns call it.
    pub(super) fn unit(&self, metric: MetricIndex) -> String {
        if self.is_normalized {
            "percent".to_owned()
        } else {
            self.measure.metrics[metric].unit.clone().into_owned()
        }
    }

    /// Whether a row has a share of the program, on either side, that is worth refusing.
    pub(super) fn has_share(&self, row: &RowChange, order: DifferenceOrder) -> bool {
        row.has_share(self.min_share, order == DifferenceOrder::Total, &self.total)
    }

    /// Whether neither a row nor the whole differs.
    pub(super) fn is_same(&self) -> bool {
        self.rows.is_empty() && self.total.primary().is_none()
    }
}

/// Compares two sides of as many rows. Costs rows, sorting them, and calls.
///
/// # Errors
/// When they measure different things.
pub fn compare_sides(
    old: &SideSums,
    new: &SideSums,
    options: &DifferenceOptions,
) -> Result<Compared, Unlike> {
    let (Some(measure), Some(found)) = (&old.measure, &new.measure) else {
        let words = |side: &SideSums| {
            let measure = side.measure.as_ref();
            measure.map_or_else(|| "nothing".to_owned(), Measure::words)
        };
        let (first, found) = (words(old), words(new));
        return Err(Unlike { first, found });
    };
    measure.check(found)?;
    let sides = [old, new];
    let both = Both {
        sides,
        measure,
        options,
    };
    let (all, total, sampled) = if measure.is_sampled() {
        both.sampled()
    } else {
        both.exact()
    };
    let (rows, unchanged) = all.into_iter().partition(RowChange::differs);
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
        sampled,
        sides: sides.map(|side| SideSize {
            n_runs: side.n_runs,
            n_profiles: side.n_profiles,
        }),
    })
}

/// Both sides, the old one first.
struct Both<'a> {
    sides: [&'a SideSums; 2],
    measure: &'a Measure,
    options: &'a DifferenceOptions,
}

/// Rows that differ or have a share of the program, the program, and what was sampled.
type Changes = (Vec<RowChange>, RowChange, Option<Comparison>);

/// Shares are shown in percent.
const PERCENT: f64 = 100.0;

impl Both<'_> {
    fn n_rows(&self) -> usize {
        self.sides[0].rows.len()
    }

    fn sampled(&self) -> Changes {
        let [old, new] = self.sides;
        let primary = self.measure.primary;
        let scale = if self.options.normalize { PERCENT } else { 1.0 };
        let presence: Vec<_> = (0..self.n_rows()).map(|row| self.presence(row)).collect();
        let own = compare(&old.self_ticks, &new.self_ticks, &presence, self.options);
        let has_totals = old.has_totals && new.has_totals;
        let totals = has_totals.then(|| {
            let inclusive = DifferenceOptions {
                inclusive: true,
                ..*self.options
            };
            compare(&old.total_ticks, &new.total_ticks, &presence, &inclusive)
        });
        let change = |row: usize| RowChange {
            row,
            self_costs: vec![(primary, Change::sampled(&own.functions[row], scale))],
            total: totals
                .as_ref()
                .map(|totals| Change::sampled(&totals.functions[row], scale)),
            calls: self.calls_of(row),
        };
        let whole = Change::sampled(&own.total, scale);
        let total = RowChange {
            row: self.n_rows(),
            self_costs: vec![(primary, whole)],
            total: has_totals.then_some(whole),
            calls: None,
        };
        let rows = self.shown((0..self.n_rows()).map(change), &total);
        (rows, total, Some(own))
    }

    fn shown(&self, rows: impl Iterator<Item = RowChange>, program: &RowChange) -> Vec<RowChange> {
        let least = self.options.min_share;
        rows.filter(|row| row.differs() || row.has_share(least, true, program))
            .collect()
    }

    /// What a program has and never ran is no change: it is not known to be new or gone.
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
        let others = (0..self.measure.metrics.len()).filter(|&metric| metric != primary);
        let metrics: Vec<_> = std::iter::once(primary).chain(others).collect();
        let has_totals = self.sides.iter().all(|side| side.has_totals);
        let change = |row: usize| {
            // What was counted is there if it was seen.
            let presence = match self.sides.map(|side| side.rows[row].is_known) {
                [false, true] => Presence::NewOnly,
                [true, false] => Presence::OldOnly,
                _ => Presence::Both,
            };
            let self_cost = |&metric: &MetricIndex| {
                let sums = self.sides.map(|side| side.self_cost(row, metric));
                (metric, self.counted(sums, metric, presence))
            };
            let totals = self.sides.map(|side| side.rows[row].total);
            RowChange {
                row,
                self_costs: metrics.iter().map(self_cost).collect(),
                total: has_totals.then(|| self.counted(totals, primary, presence)),
                calls: self.calls_of(row),
            }
        };
        let whole = |&metric: &MetricIndex| {
            let all = self.sides.map(|side| side.all[metric]);
            (metric, self.counted(all, metric, Presence::Both))
        };
        let self_costs: Vec<_> = metrics.iter().map(whole).collect();
        let total = RowChange {
            row: self.n_rows(),
            total: Some(self_costs[0].1),
            self_costs,
            calls: None,
        };
        let rows = self.shown((0..self.n_rows()).map(change), &total);
        (rows, total, None)
    }

    /// Sums that were counted, for one run of the program, or as their share.
    fn counted(&self, sums: [Amount; 2], metric: MetricIndex, presence: Presence) -> Change {
        let [old, new] = [0, 1].map(|side: usize| {
            let (sum, side) = (sums[side], self.sides[side]);
            if self.options.normalize {
                Amount::Ticks(sum.percent_of(side.all[metric]))
            } else {
                per_run(sum, side.n_runs)
            }
        });
        Change::exact(old, new, presence, self.least_change(old, new, metric))
    }

    /// The least change that matters of what was counted, for one run or as a share.
    fn least_change(&self, old: Amount, new: Amount, metric: MetricIndex) -> f64 {
        let [old_all, new_all] = self.sides.map(|side| {
            if self.options.normalize {
                PERCENT
            } else {
                per_run(side.all[metric], side.n_runs).as_f64()
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

    /// Numbers of calls. The least change of that matters.
    fn calls(&self, counts: [u64; 2]) -> Option<Change> {
        let [old, new] = [0, 1].map(|side: usize| {
            let count = Amount::Exact(counts[side].into());
            per_run(count, self.sides[side].n_runs)
        });
        self.counts_calls()
            .then(|| Change::exact(old, new, Presence::Both, 0.0))
    }

    /// The calls that differ, in the order of callers and callees.
    fn arcs(&self) -> Vec<ArcChange> {
        if !self.sides.iter().all(|side| side.has_arcs) {
            return Vec::new();
        }
        let [old, new] = self.sides.map(|side| &side.arcs);
        let only_new = new.keys().filter(|rows| !old.contains_key(rows));
        let mut all: Vec<ArcRows> = old.keys().chain(only_new).copied().collect();
        all.sort_unstable();
        let differs = |arc: &ArcChange| {
            let mut both = [arc.calls, arc.total].into_iter().flatten();
            both.any(|change| !change.is_none())
        };
        let arcs = all.into_iter().map(|rows| self.arc(rows));
        arcs.filter(differs).collect()
    }

    fn arc(&self, rows: ArcRows) -> ArcChange {
        let sums = self.sides.map(|side| side.arcs.get(&rows).copied());
        let has_total = sums.iter().flatten().any(|arc| arc.total.is_some());
        let metric = self.measure.primary;
        let total = |arc: Option<ArcSums>, side: &SideSums| {
            let sum = arc.and_then(|arc| arc.total).unwrap_or(Amount::Exact(0));
            if self.options.normalize {
                return Amount::Ticks(sum.percent_of(side.all[metric]));
            }
            let measure = side.measure.as_ref();
            let sum = match measure.and_then(|one| one.seconds_per_tick[metric]) {
                Some(seconds) => Amount::Ticks(sum.as_f64() * seconds),
                None => sum,
            };
            per_run(sum, side.n_runs)
        };
        let [old, new] = [0, 1].map(|side: usize| total(sums[side], self.sides[side]));
        let least_change = self.least_change(old, new, metric);
        ArcChange {
            rows,
            calls: self.calls(sums.map(|arc| arc.unwrap_or_default().calls)),
            total: has_total.then(|| Change::exact(old, new, Presence::Both, least_change)),
        }
    }
}

/// A sum of so many runs, for one of them; whole numbers stay whole where they can.
fn per_run(sum: Amount, n_runs: u64) -> Amount {
    let n_runs = n_runs.max(1);
    match sum {
        Amount::Exact(sum) if sum % i128::from(n_runs) == 0 => {
            Amount::Exact(sum / i128::from(n_runs))
        }
        sum => Amount::Ticks(sum.as_f64() / n_runs as f64),
    }
}
