//! Two sides, compared row by row.

use super::change::Change;
use super::side_sums::{ArcRows, ArcSums, Measure, SideSums, UnlikeSides};
use crate::analyze::amount::Amount;
use crate::analyze::difference::{Comparison, DifferenceOptions, Presence, compare};
use crate::report::{Metric, MetricIndex};

/// Everything that there is to say of two sides, in numbers.
#[derive(Debug)]
pub struct Compared {
    /// What is compared.
    pub(super) measure: Measure,
    /// Numbers are percent of each side's total.
    pub(super) is_normalized: bool,
    /// Rows in which anything differs, in their order.
    pub(super) rows: Vec<RowChange>,
    /// The program.
    pub(super) total: RowChange,
    /// Calls that differ; none where a side does not say who called whom.
    pub(super) arcs: Vec<ArcChange>,
    /// Whether either side says who called whom.
    pub(super) has_arcs: [bool; 2],
    /// What was sampled, for what could have been seen.
    pub(super) own: Option<Comparison>,
    /// Calls were counted on both sides.
    pub(super) counts_calls: bool,
    /// Runs of both sides, and the profiles that they are in.
    pub(super) sides: [SideSize; 2],
}

/// How much there is of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideSize {
    pub(super) n_runs: u64,
    pub(super) n_profiles: u64,
}

/// What changed in a row.
#[derive(Clone, Debug)]
pub struct RowChange {
    /// The row; the number of rows for what is in no function.
    pub row: usize,
    /// What it costs itself, by metric; of what was sampled only the primary one.
    pub own: Vec<(MetricIndex, Change)>,
    /// What it costs with all that it calls, of the primary metric.
    pub total: Option<Change>,
    /// Calls.
    pub calls: Option<Change>,
}

/// What changed of the calls from one row to another.
#[derive(Clone, Copy, Debug)]
pub struct ArcChange {
    /// The rows of the caller and the callee.
    pub rows: ArcRows,
    /// The calls.
    pub calls: Option<Change>,
    /// What flowed along them, for comparing only: it was shared out by calls.
    pub total: Option<Change>,
}

impl RowChange {
    /// The change of the primary metric.
    ///
    /// # Panics
    /// Never: all rows have one.
    #[must_use]
    pub fn primary(&self) -> &Change {
        let (_, change) = self.own.first().expect("the primary metric is there");
        change
    }

    fn differs(&self) -> bool {
        let own = self.own.iter().map(|(_, change)| change);
        let mut all = own.chain(&self.total).chain(&self.calls);
        all.any(|change| !change.is_none() || change.finding.is_change())
    }
}

impl Compared {
    /// What the numbers are of, and which of it is the primary one.
    #[must_use]
    pub fn metrics(&self) -> (Vec<Metric>, MetricIndex) {
        let shown = |metric: &Metric| Metric {
            unit: match self.is_normalized {
                true => "percent".into(),
                false => metric.unit.clone(),
            },
            // Ticks are seconds here.
            rate: None,
            ..metric.clone()
        };
        let metrics = self.measure.metrics.iter().map(shown);
        (metrics.collect(), self.measure.primary)
    }

    /// Whether numbers come by chance, so that some changes cannot be seen.
    #[must_use]
    pub fn is_by_chance(&self) -> bool {
        self.own.is_some()
    }
}

/// What counts as a change, beside the statistics.
pub type ComparisonOptions = DifferenceOptions;

/// Compares two sides of as many rows. Costs rows, sorting them, and calls.
///
/// # Errors
/// When they measure different things.
pub fn compare_sides(
    old: &SideSums,
    new: &SideSums,
    options: &ComparisonOptions,
) -> Result<Compared, UnlikeSides> {
    let measured = |side: &SideSums| {
        let measure = side.measured();
        measure.map_or_else(|| "nothing".to_owned(), |measure| measure.said().join(", "))
    };
    let unlike = || UnlikeSides {
        old: measured(old),
        new: measured(new),
    };
    let (Some(measure), Some(found)) = (old.measured(), new.measured()) else {
        return Err(unlike());
    };
    measure.check(found).map_err(|_| unlike())?;
    let both = Both { old, new, options };
    let n_rows = old.n_rows();
    let presence: Vec<_> = (0..=n_rows).map(|row| both.presence(row)).collect();
    let (rows, total, own) = match measure.is_sampled() {
        true => both.sampled(measure, &presence),
        false => both.exact(measure, &presence),
    };
    Ok(Compared {
        measure: measure.clone(),
        is_normalized: options.normalize,
        rows,
        total,
        arcs: both.arcs(measure),
        has_arcs: [old, new].map(SideSums::has_arcs),
        counts_calls: both.counts_calls(),
        own,
        sides: [old, new].map(|side| SideSize {
            n_runs: side.n_runs(),
            n_profiles: side.n_profiles(),
        }),
    })
}

/// Both sides.
#[derive(Clone, Copy)]
struct Both<'a> {
    old: &'a SideSums,
    new: &'a SideSums,
    options: &'a ComparisonOptions,
}

/// Shares are shown in percent.
const PERCENT: f64 = 100.0;

impl Both<'_> {
    /// What a program has and never ran is no change: it is not known to be new or gone.
    fn presence(&self, row: usize) -> Presence {
        let (old, new) = (self.old.has(row), self.new.has(row));
        match (old, new) {
            (true, true) => Presence::Both,
            (false, true) if self.old.has_all_names() && self.new.ran(row) => Presence::NewOnly,
            (true, false) if self.new.has_all_names() && self.old.ran(row) => Presence::OldOnly,
            _ => Presence::Unknown,
        }
    }

    /// What was counted is there if it was seen.
    fn exact_presence(&self, row: usize) -> Presence {
        match (self.old.has(row), self.new.has(row)) {
            (false, true) => Presence::NewOnly,
            (true, false) => Presence::OldOnly,
            _ => Presence::Both,
        }
    }

    fn sampled(
        &self,
        measure: &Measure,
        presence: &[Presence],
    ) -> (Vec<RowChange>, RowChange, Option<Comparison>) {
        let primary = measure.primary;
        let scale = if self.options.normalize { PERCENT } else { 1.0 };
        let own = compare(
            &self.old.own_ticks,
            &self.new.own_ticks,
            presence,
            self.options,
        );
        let inclusive = DifferenceOptions {
            inclusive: true,
            ..*self.options
        };
        let has_totals = self.old.total(0).is_some() && self.new.total(0).is_some();
        let totals = has_totals.then(|| {
            let (old, new) = (&self.old.total_ticks, &self.new.total_ticks);
            compare(old, new, presence, &inclusive)
        });
        let change = |row: usize| RowChange {
            row,
            own: vec![(primary, Change::sampled(&own.functions[row], scale))],
            total: totals
                .as_ref()
                .map(|totals| Change::sampled(&totals.functions[row], scale)),
            calls: self.calls(row),
        };
        let rows = (0..presence.len()).map(change).filter(RowChange::differs);
        let rows: Vec<_> = rows.collect();
        let whole = Change::sampled(&own.total, scale);
        let total = RowChange {
            row: presence.len(),
            own: vec![(primary, whole)],
            total: has_totals.then_some(whole),
            calls: None,
        };
        (rows, total, Some(own))
    }

    fn exact(
        &self,
        measure: &Measure,
        _: &[Presence],
    ) -> (Vec<RowChange>, RowChange, Option<Comparison>) {
        let primary = measure.primary;
        let others = (0..measure.metrics.len()).filter(|&metric| metric != primary);
        let metrics: Vec<_> = std::iter::once(primary).chain(others).collect();
        let change = |row: usize| {
            let own = |&metric: &MetricIndex| {
                let own = |side: &SideSums| side.own(row, metric);
                (metric, self.counted(own, metric, self.exact_presence(row)))
            };
            let has_total = self.old.total(row).zip(self.new.total(row));
            RowChange {
                row,
                own: metrics.iter().map(own).collect(),
                total: has_total.map(|_| {
                    let total = |side: &SideSums| side.total(row).unwrap_or(Amount::Exact(0));
                    self.counted(total, primary, self.exact_presence(row))
                }),
                calls: self.calls(row),
            }
        };
        let rows = (0..=self.old.n_rows()).map(change);
        let rows = rows.filter(RowChange::differs).collect();
        let whole = |&metric: &MetricIndex| {
            let all = |side: &SideSums| side.all(metric);
            (metric, self.counted(all, metric, Presence::Both))
        };
        let own: Vec<_> = metrics.iter().map(whole).collect();
        let total = RowChange {
            row: self.old.n_rows() + 1,
            total: Some(own[0].1),
            own,
            calls: None,
        };
        (rows, total, None)
    }

    /// A number that was counted, for one run of the program, or as its share.
    fn counted(
        &self,
        of: impl Fn(&SideSums) -> Amount,
        metric: MetricIndex,
        presence: Presence,
    ) -> Change {
        let [old, new] = [self.old, self.new].map(|side| {
            let sum = of(side);
            match self.options.normalize {
                true => Amount::Ticks(sum.percent_of(side.all(metric))),
                false => per_run(sum, side.n_runs()),
            }
        });
        Change::exact(old, new, presence, self.least_change(old, new, metric))
    }

    /// The least change that matters of what was counted, for one run or as a share.
    fn least_change(&self, old: Amount, new: Amount, metric: MetricIndex) -> f64 {
        let [old_all, new_all] = [self.old, self.new].map(|side| match self.options.normalize {
            true => PERCENT,
            false => per_run(side.all(metric), side.n_runs()).as_f64(),
        });
        let of_function = self.options.min_change_of_function * lesser(old.as_f64(), new.as_f64());
        let of_program = self.options.min_change_of_program * lesser(old_all, new_all);
        of_function.min(of_program)
    }

    fn counts_calls(&self) -> bool {
        self.old.calls(0).is_some() && self.new.calls(0).is_some()
    }

    fn calls(&self, row: usize) -> Option<Change> {
        let old = self.old.calls(row).unwrap_or(0);
        let new = self.new.calls(row).unwrap_or(0);
        self.counts_calls().then(|| self.count_of(old, new))
    }

    /// A number of calls. The least change of that matters.
    fn count_of(&self, old: u64, new: u64) -> Change {
        let per_run = |count: u64, side: &SideSums| {
            let count = Amount::Exact(count.into());
            per_run(count, side.n_runs())
        };
        let (old, new) = (per_run(old, self.old), per_run(new, self.new));
        Change::exact(old, new, Presence::Both, 0.0)
    }

    /// The calls that differ, in the order of callers and callees.
    fn arcs(&self, measure: &Measure) -> Vec<ArcChange> {
        let (old, new) = (self.old.arcs(), self.new.arcs());
        if !self.old.has_arcs() || !self.new.has_arcs() {
            return Vec::new();
        }
        let only_new = new.keys().filter(|rows| !old.contains_key(rows));
        let mut all: Vec<ArcRows> = old.keys().chain(only_new).copied().collect();
        all.sort_unstable();
        let change = |rows: ArcRows| {
            let [old, new] = [old, new].map(|arcs| arcs.get(&rows).copied());
            self.arc(rows, [old, new], measure)
        };
        let differs = |arc: &ArcChange| {
            let mut both = [arc.calls, arc.total].into_iter().flatten();
            both.any(|change| !change.is_none())
        };
        all.into_iter().map(change).filter(differs).collect()
    }

    fn arc(&self, rows: ArcRows, sides: [Option<ArcSums>; 2], measure: &Measure) -> ArcChange {
        let [old, new] = sides.map(Option::unwrap_or_default);
        let has_total = sides.iter().flatten().any(|arc| arc.total.is_some());
        let metric = measure.primary;
        let total = |arc: ArcSums, side: &SideSums| {
            let sum = arc.total.unwrap_or(Amount::Exact(0));
            if self.options.normalize {
                return Amount::Ticks(sum.percent_of(side.all(metric)));
            }
            let seconds = side.measured().and_then(|one| one.seconds_per_tick[metric]);
            let sum = match seconds {
                Some(seconds) => Amount::Ticks(sum.as_f64() * seconds),
                None => sum,
            };
            per_run(sum, side.n_runs())
        };
        ArcChange {
            rows,
            calls: self
                .counts_calls()
                .then(|| self.count_of(old.calls, new.calls)),
            total: has_total.then(|| {
                let (old, new) = (total(old, self.old), total(new, self.new));
                Change::exact(
                    old,
                    new,
                    Presence::Both,
                    self.least_change(old, new, metric),
                )
            }),
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

/// The lesser of two amounts without their signs.
fn lesser(one: f64, other: f64) -> f64 {
    one.abs().min(other.abs())
}
