//! Variation of the totals of runs, which all functions share.

use super::distributions::{SmallChance, Student};
use super::run_pairs::RunPairs;
use super::side::Side;
use super::two_counts::Pair;
use crate::analyze::special::beta_below;

/// The assumed variation between runs if each side is a single one, as a share of the time, in
/// addition to the sampling variation. The least if one side has few runs, and the other has more.
const ASSUMED: f64 = 0.04;

/// The precision of this assumption, in degrees of freedom.
const ASSUMED_DEGREES: f64 = 4.0;

/// The variation of totals.
#[derive(Clone, Copy, Debug)]
pub(super) struct TotalSpread {
    /// Variance of the total of a run, relative to its square, as estimated with `student`.
    variance: f64,
    /// Variance that is known, in addition to that.
    known: f64,
    /// Effective number of runs of each side.
    n_runs: Pair,
    student: Student,
    /// Runs that are compared in pairs.
    pairs: Option<RunPairs>,
    /// The runs of one side are too few to show that it varies as the other does.
    pub(super) is_assumed: bool,
}

impl TotalSpread {
    /// `None` if a side has no ticks.
    ///
    /// Both sides are assumed to have the same relative variation, unless their runs show that
    /// they differ. With few runs, the larger number of degrees of freedom outweighs the error, and
    /// a single run can be compared with many. So are earlier runs.
    pub(super) fn of(old: &Side, new: &Side) -> Option<Self> {
        if !(old.ticks() > 0.0 && new.ticks() > 0.0) {
            return None;
        }
        let n_freed = old.n_freed() + new.n_freed();
        let n_runs = Pair::of(old, new, effective_runs);
        let least = || (old.rounding() + new.rounding()) / 2.0;
        let pairs = RunPairs::of(old, new);
        let is_assumed = n_freed > 0.0 && has_few_runs(old, new);
        let (variance, known, degrees) = if let Some(pairs) = pairs {
            let degrees = pairs.n_pairs - 1.0;
            let of_drift = pairs.drift * pairs.drift / of_difference(n_runs);
            let seen = pairs.squares / degrees / 2.0;
            (seen.max(least()), of_drift, degrees)
        } else if n_freed > 0.0 {
            let earlier = || old.earlier().chain(new.earlier());
            let seen = squares(old) + squares(new) + earlier().map(squares).sum::<f64>();
            let (seen, degrees) = of_unequal(old, new, n_runs).unwrap_or((seen / n_freed, n_freed));
            if is_assumed {
                (seen.max(ASSUMED * ASSUMED), 0.0, degrees.min(ASSUMED_DEGREES))
            } else {
                (seen.max(least()), 0.0, degrees)
            }
        } else {
            let sampling = |side: &Side| effective_runs(side) / side.ticks();
            let sampling = (sampling(old) + sampling(new)) / 2.0;
            (ASSUMED * ASSUMED, sampling, ASSUMED_DEGREES)
        };
        Some(Self { variance, known, n_runs, student: Student::new(degrees), pairs, is_assumed })
    }

    /// The deviation of the total of a run, as a share of it.
    pub(super) fn deviation(&self) -> f64 {
        (self.known + self.variance).sqrt()
    }

    /// The correlation of runs that are compared in pairs.
    pub(super) fn correlation(&self) -> Option<f64> {
        self.pairs.map(|pairs| pairs.correlation)
    }

    /// Variance of the logarithm of the ratio, with `n_more` further runs per side, if the true
    /// variance is `factor` times the estimate.
    pub(super) fn of_ratio(&self, n_more: f64, factor: f64) -> f64 {
        (self.known + self.variance * factor) * self.per_run(n_more)
    }

    /// Square of the largest logarithm of the ratio with this probability, with `n_more`
    /// further runs per side; slightly too large (Cochran and Cox 1950).
    pub(super) fn exceeded_with(&self, small: SmallChance, n_more: f64) -> f64 {
        let square = |student: Student| student.exceeded_with(small).powi(2);
        let estimated = self.variance * square(self.student(n_more));
        (self.known * square(Student::NORMAL) + estimated) * self.per_run(n_more)
    }

    /// Variance of the difference of means, relative to the variance of a run.
    pub(super) fn per_run(&self, n_more: f64) -> f64 {
        of_difference(self.n_runs.map(|n_runs| n_runs + n_more))
    }

    pub(super) fn student(&self, n_more: f64) -> Student {
        let freed_by_one = if self.pairs.is_some() { 1.0 } else { 2.0 };
        Student::new(self.student.degrees() + freed_by_one * n_more)
    }
}

/// So many runs show how far a side varies.
const ENOUGH_RUNS: usize = 3;

/// Returns whether one side has too few runs to show that it varies as the other does: less than
/// half as many.
fn has_few_runs(old: &Side, new: &Side) -> bool {
    let n_runs = [old, new].map(|side| side.runs().len());
    let (few, many) = (n_runs[0].min(n_runs[1]), n_runs[0].max(n_runs[1]));
    let has_earlier = old.earlier().chain(new.earlier()).next().is_some();
    few < ENOUGH_RUNS && 2 * few < many && !has_earlier
}

/// Variance of the difference of means of so many runs, relative to the variance of a run.
fn of_difference(n_runs: Pair) -> f64 {
    1.0 / n_runs.old + 1.0 / n_runs.new
}

/// The p-value below which sides do not vary alike.
const UNEQUAL: f64 = 0.1;

/// If the variances of both sides differ by an F-test: the variance of a run that gives the
/// difference of means the variance of both sides, and its degrees of freedom (Welch 1947).
fn of_unequal(old: &Side, new: &Side, n_runs: Pair) -> Option<(f64, f64)> {
    let degrees = Pair::of(old, new, Side::n_freed);
    let of_side = |side: &Side| squares(side) + side.earlier().map(squares).sum::<f64>();
    let seen = Pair::of(old, new, of_side).per(degrees);
    if !(degrees.old > 0.0 && degrees.new > 0.0 && seen.old > 0.0 && seen.new > 0.0) {
        return None;
    }
    let ratio = (seen.old / seen.new) * (degrees.old / degrees.new);
    let (more, less) = (ratio / (1.0 + ratio), 1.0 / (1.0 + ratio));
    let beyond = beta_below(degrees.new / 2.0, degrees.old / 2.0, less, more);
    if 2.0 * beyond.min(1.0 - beyond) > UNEQUAL {
        return None;
    }
    let of_means = seen.per(n_runs);
    let of_degrees = of_means.times(of_means).per(degrees);
    let variance = of_means.both() / of_difference(n_runs);
    Some((variance, of_means.both() * of_means.both() / of_degrees.both()))
}

/// Sum of squared deviations of runs from their mean.
fn squares(side: &Side) -> f64 {
    let mean = side.ticks() / side.exposure();
    let square = |distance: f64| distance * distance;
    let runs = side.runs().iter();
    runs.map(|run| run.weight() * square(run.seconds() / mean - 1.0)).sum()
}

/// Number of equal runs whose mean has the same precision.
fn effective_runs(side: &Side) -> f64 {
    let squares = side.runs().iter().map(|run| {
        let exposure = run.exposure();
        exposure * exposure / run.weight()
    });
    let all = side.exposure();
    all * all / squares.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::difference::SideRun;
    use crate::compare::difference::side::ROUNDING;

    fn side(totals: &[f64], n_runs: u32) -> Side {
        Side::of_totals(totals, n_runs)
    }

    #[test]
    fn one_run_a_side_is_assumed_to_vary_and_no_ticks_say_nothing() {
        let spread = TotalSpread::of(&side(&[100.0], 1), &side(&[100.0], 1)).expect("there is one");
        let expected = 2.0 * (ASSUMED * ASSUMED + 0.01);
        assert!((spread.of_ratio(0.0, 1.0) - expected).abs() < 1e-12);
        assert!(TotalSpread::of(&side(&[10.0, 9.0], 1), &side(&[0.0], 1)).is_none());
        assert!(TotalSpread::of(&side(&[], 1), &side(&[3.0, 4.0], 1)).is_none());
    }

    #[test]
    fn sampling_is_as_sure_as_it_is_and_only_the_assumption_is_not() {
        let limit = |ticks: f64| {
            let side = side(&[ticks], 1);
            let spread = TotalSpread::of(&side, &side).expect("there is one");
            spread.exceeded_with(SmallChance::new(0.01), 0.0)
        };
        // 2.5758 and 4.6041 are the quantiles of 1 % of the normal and Student's distribution.
        assert!((limit(10.0) / (0.2 * 2.5758f64.powi(2)) - 1.0).abs() < 0.06);
        assert!((limit(1e9) / (0.0032 * 4.6041f64.powi(2)) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn spread_is_relative_to_the_mean_of_its_side() {
        // 10 % and 10 % of deviation, by hand: squares 0.02 on either side.
        let (old, new) = (side(&[90.0, 110.0], 1), side(&[1800.0, 2200.0], 1));
        let spread = TotalSpread::of(&old, &new).expect("there are two runs");
        assert!((spread.variance.sqrt() - 0.02f64.sqrt()).abs() < 1e-12);
        assert!((spread.of_ratio(0.0, 1.0) - 0.02).abs() < 1e-12);
        assert!((spread.of_ratio(2.0, 1.0) - 0.01).abs() < 1e-12);
    }

    #[test]
    fn a_quiet_side_does_not_show_how_a_busy_one_varies() {
        let quiet = side(&[999.0, 1000.0, 1001.0, 1000.0, 999.0, 1001.0], 1);
        let busy = side(&[900.0, 1000.0, 1100.0], 1);
        let spread = TotalSpread::of(&quiet, &busy).expect("there are runs");
        // The mean of the busy side varies by 0.01 / 3, and that of the quiet one hardly.
        assert!((spread.of_ratio(0.0, 1.0) * 300.0 - 1.0).abs() < 1e-3, "{spread:?}");
        assert!((spread.student(0.0).degrees() - 2.0).abs() < 0.01);
    }

    #[test]
    fn two_runs_beside_many_do_not_show_that_they_vary_as_little() {
        let quiet = side(&[999.0, 1000.0, 1001.0, 1000.0, 999.0, 1001.0], 1);
        let spread = |totals: &[f64]| TotalSpread::of(&quiet, &side(totals, 1)).expect("runs");
        let two = spread(&[1100.0, 1101.0]);
        assert!(two.is_assumed && two.variance == ASSUMED * ASSUMED, "{two:?}");
        assert_eq!(two.student(0.0).degrees(), ASSUMED_DEGREES);
        let three = spread(&[1100.0, 1101.0, 1099.0]);
        assert!(!three.is_assumed && three.variance < 2e-6, "{three:?}");
    }

    #[test]
    fn earlier_runs_show_how_totals_vary() {
        let (mut old, new) = (side(&[100.0], 1), side(&[200.0], 1));
        for ticks in [900.0, 1000.0, 1100.0] {
            let run = SideRun { seconds_per_tick: 0.01, ticks, n_runs: 1 };
            old.add_earlier_run::<f64>(3, run, []);
        }
        let spread = TotalSpread::of(&old, &new).expect("there are runs");
        // Squares 0.02 and two degrees of freedom.
        assert!((spread.variance - 0.01).abs() < 1e-12 && spread.known == 0.0);
        assert!((spread.student(0.0).degrees() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn sums_of_runs_vary_less() {
        let (old, new) = (side(&[90.0, 110.0], 4), side(&[110.0, 90.0], 4));
        let spread = TotalSpread::of(&old, &new).expect("there are two runs");
        // Each is four runs, so that one run varies twice as far.
        assert!((spread.variance.sqrt() - 0.08f64.sqrt()).abs() < 1e-12);
        assert!((spread.of_ratio(0.0, 1.0) - 0.02).abs() < 1e-12);
    }

    #[test]
    fn equal_totals_may_still_be_a_tick_off() {
        let (old, new) = (side(&[100.0; 3], 1), side(&[100.0; 3], 1));
        let spread = TotalSpread::of(&old, &new).expect("there are runs");
        assert!((spread.variance.sqrt() * 100.0 - ROUNDING.sqrt()).abs() < 1e-12);
    }
}
