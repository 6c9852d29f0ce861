//! Both sides, row by row.

use super::change::Change;
use super::compared::{ArcChange, RowChange};
use super::measure::Measure;
use super::side_sums::{ArcRows, ArcSums, SideSums};
use crate::analyze::Amount;
use crate::compare::difference::{Comparison, DifferenceOptions, Presence, compare};
use crate::report::MetricIndex;

/// Both sides.
#[derive(Clone, Copy)]
pub(super) struct Both<'a> {
    pub(super) old: &'a SideSums,
    pub(super) new: &'a SideSums,
    pub(super) options: &'a DifferenceOptions,
}

/// Shares are shown in percent.
const PERCENT: f64 = 100.0;

impl Both<'_> {
    /// What a program has and never ran is no change: it is not known to be new or gone.
    pub(super) fn presence(&self, row: usize) -> Presence {
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

    pub(super) fn sampled(
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

    pub(super) fn exact(
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

    pub(super) fn counts_calls(&self) -> bool {
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
    pub(super) fn arcs(&self, measure: &Measure) -> Vec<ArcChange> {
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
