//! The evidence of a row from the variation of its own times alone.
//!
//! A few functions may vary more than any other, or together with the totals of runs. The
//! estimates from other functions and totals are then wrong for them. Tests that use only the
//! times of a row have few degrees of freedom, but depend on nothing else. No change is reported
//! that such a test contradicts.

use super::distributions::Student;
use super::side::{ROUNDING, Side, SideRun};
use super::totals::TotalSpread;

/// Factor for p-values, since several functions may vary in their own way.
pub(super) const CAUTION: f64 = 1.5;

/// Maximum number of runs per side for which the totals of both sides must not overlap. For
/// more, this would cost more power than false positives.
const FEW_RUNS: usize = 5;

/// Student's test of the times of single functions.
pub(super) struct OwnSpread<'a> {
    sides: [OwnSide<'a>; 2],
    earlier: Vec<OwnSide<'a>>,
    n_freed: f64,
    /// Variance of the difference of means, relative to the variance of a run.
    per_run: f64,
}

impl<'a> OwnSpread<'a> {
    /// Linear in runs.
    pub(super) fn new(old: &'a Side, new: &'a Side, total: &TotalSpread) -> Self {
        let earlier = old.earlier().chain(new.earlier());
        Self {
            sides: [old, new].map(OwnSide::new),
            earlier: earlier.map(OwnSide::new).collect(),
            n_freed: [old, new].map(|side| side.runs().len() as f64 - 1.0).iter().sum(),
            per_run: total.per_run(0.0),
        }
    }

    /// An upper limit of the p-value, and the variance of the logarithm of the ratio; 0 if no set
    /// has several runs.
    pub(super) fn chance(&self, function: usize) -> (f64, f64) {
        let [old, new] = self.sides.each_ref().map(|side| side.mean(function));
        let now = old.midpoint(new);
        let squares = self.sides.each_ref().map(|side| side.squares(function));
        let (mut squares, mut n_freed) = (squares[0] + squares[1], self.n_freed);
        for set in &self.earlier {
            let then = set.mean(function);
            // Runs without the function carry no information about it.
            if then > 0.0 {
                let growth = now / then;
                squares += set.squares(function) * growth * growth;
                n_freed += set.n_runs - 1.0;
            }
        }
        if n_freed <= 0.0 {
            return (0.0, 0.0);
        }
        let variance = squares / n_freed * self.per_run;
        let t = (new - old) / variance.sqrt();
        let chance = (CAUTION * Student::new(n_freed).beyond(t)).min(1.0);
        (chance, if now > 0.0 { variance / (now * now) } else { 0.0 })
    }
}

/// A set of runs.
struct OwnSide<'a> {
    side: &'a Side,
    n_runs: f64,
    exposure: f64,
    /// Number of runs for each unit of exposure.
    per_exposure: f64,
}

impl<'a> OwnSide<'a> {
    fn new(side: &'a Side) -> Self {
        let exposure = side.exposure();
        let weight: f64 = side.runs().iter().map(SideRun::weight).sum();
        Self { side, n_runs: side.runs().len() as f64, exposure, per_exposure: weight / exposure }
    }

    /// The time of a function in a run.
    fn mean(&self, function: usize) -> f64 {
        self.side.sums(function).ticks / self.exposure
    }

    /// The sum of squared deviations of a function's time from its mean, with rounding.
    fn squares(&self, function: usize) -> f64 {
        let sums = self.side.sums(function);
        let around_mean = sums.time_squares - sums.ticks * self.mean(function);
        let rounding = ROUNDING * self.per_exposure * self.per_exposure;
        around_mean.max(0.0) * self.per_exposure + rounding
    }
}

/// 1 if few runs of both sides overlap, and else 0.
///
/// If runs are of two kinds, such as two alignments of memory, few runs of one kind may be on a
/// side. These then seem to vary less than they do.
pub(super) fn chance_of_program(old: &Side, new: &Side) -> f64 {
    let n_runs = [old, new].map(|side| side.runs().len());
    if n_runs == [1, 1] || n_runs.iter().any(|&n| n > FEW_RUNS) {
        return 0.0;
    }
    let range = |side: &Side| {
        let seconds = side.runs().iter().map(SideRun::seconds);
        seconds.fold((f64::INFINITY, 0.0f64), |(low, high), one| (low.min(one), high.max(one)))
    };
    let ((old_low, old_high), (new_low, new_high)) = (range(old), range(new));
    let is_overlap = old_low <= new_high && new_low <= old_high;
    f64::from(u8::from(is_overlap))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(ticks: &[f64]) -> Side {
        let mut side = Side::default();
        for &ticks in ticks {
            let run = SideRun { seconds_per_tick: 0.01, ticks, n_runs: 1 };
            side.add_run(run, [(0, ticks)]);
        }
        side
    }

    fn of_function(old: &[f64], new: &[f64]) -> f64 {
        let (old, new) = (side(old), side(new));
        let total = TotalSpread::of(&old, &new).expect("there are ticks");
        OwnSpread::new(&old, &new, &total).chance(0).0
    }

    #[test]
    fn times_of_a_function_are_tested_as_student_did() {
        // Means 102 and 112, sums of squares 8 and 8, and a sixth of a tick for rounding.
        let found = of_function(&[100.0, 102.0, 104.0], &[110.0, 112.0, 114.0]);
        let t = 10.0 / ((16.0 + 2.0 * ROUNDING) / 4.0 * 2.0 / 3.0f64).sqrt();
        assert!((found - CAUTION * Student::new(4.0).beyond(t)).abs() < 1e-12);
        assert_eq!(of_function(&[100.0], &[200.0]), 0.0);
    }

    #[test]
    fn earlier_sets_show_how_a_function_varies() {
        let (mut old, new) = (side(&[100.0, 102.0, 104.0]), side(&[110.0, 112.0, 114.0]));
        // 50 off their mean of 150, each of 8 runs.
        for ticks in [200.0, 100.0, 200.0, 100.0, 200.0, 100.0, 200.0, 100.0] {
            let run = SideRun { seconds_per_tick: 0.01, ticks, n_runs: 1 };
            old.add_earlier_run(1, run, [(0, ticks)]);
        }
        // A single run has no variation.
        let run = old.runs()[0];
        old.add_earlier_run(2, run, [(0, 100.0)]);
        let total = TotalSpread::of(&old, &new).expect("there are ticks");
        let found = OwnSpread::new(&old, &new, &total).chance(0).0;
        let (growth, rounding) = (107.0f64 / 150.0, ROUNDING);
        let earlier = (20_000.0 + rounding) * growth * growth;
        let variance = (16.0 + 2.0 * rounding + earlier) / 11.0 * (2.0 / 3.0);
        let expected = CAUTION * Student::new(11.0).beyond(10.0 / variance.sqrt());
        assert!((found - expected.min(1.0)).abs() < 1e-9, "{found} {expected}");
        assert!(found > 0.3, "{found}");
    }

    #[test]
    fn few_runs_that_overlap_are_no_change() {
        let check = |old: &[f64], new: &[f64], expected: f64| {
            let found = chance_of_program(&side(old), &side(new));
            assert_eq!(found, expected, "{old:?} {new:?}");
        };
        check(&[100.0, 101.0], &[102.0, 103.0], 0.0);
        check(&[100.0, 102.0], &[102.0, 103.0], 1.0);
        check(&[102.0, 103.0, 104.0], &[100.0], 0.0);
        check(&[100.0], &[100.0], 0.0);
        check(&[100.0; 6], &[100.0; 6], 0.0);
    }
}
