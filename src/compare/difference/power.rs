//! The statistical power of a comparison.

use super::compare::Comparison;
use super::difference_test::Difference;
use super::distributions::{SmallChance, Student, normal_with_above};
use super::own_spread::CAUTION;

/// The power for a function or the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerEstimate {
    /// The change that would be found with 80 % power.
    pub least_visible: f64,
    /// That change as a share of the old time; `None` if the old time is 0.
    pub least_visible_share: Option<f64>,
    /// Further runs per side needed for the change seen, or for the minimum relevant change if
    /// that is larger; `None` above a thousand.
    pub more_runs: Option<u32>,
}

/// Numbers of further runs that are considered.
const MORE_RUNS: [u32; 27] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400,
    600, 1000,
];

/// The precision of the variance that all functions show, beside that of one function by itself, in
/// degrees of freedom.
const COMMON_DEGREES: f64 = 4.0;

/// Fewer ticks do not show how far a function varies.
const FEW_TICKS: f64 = 10.0;

/// After so many steps, a change that still grows is not visible.
const N_STEPS: usize = 50;

/// Probability of missing the change: 1 - power.
const MISSED: f64 = 0.2;

impl PowerEstimate {
    /// The power for a function.
    pub fn of_function(comparison: &Comparison, function: usize) -> Self {
        Self::new(comparison, &comparison.functions[function], function)
    }

    /// The power for the program.
    pub fn of_program(comparison: &Comparison) -> Self {
        let program = comparison.functions.len();
        Self::new(comparison, &comparison.total, program)
    }

    fn new(comparison: &Comparison, of: &Difference, index: usize) -> Self {
        Self {
            least_visible: comparison.visible(index, 0.0),
            least_visible_share: comparison.least_visible_share(index),
            more_runs: comparison.more_runs(index, of.change.abs().max(of.least_change)),
        }
    }
}

impl Comparison {
    /// Further runs per side that would show this change of a function, or of the program after the
    /// last function; `None` above a thousand.
    pub fn more_runs(&self, index: usize, change: f64) -> Option<u32> {
        self.evidence.get(index)?;
        let is_short = |n_more: &u32| self.visible(index, f64::from(*n_more)) > change;
        MORE_RUNS.get(MORE_RUNS.partition_point(is_short)).copied()
    }

    /// The change of a function, or of the program after the last function, that would be found
    /// with 80 % power, as a share of its old time. `None` if the old time is 0, or without a
    /// test.
    pub fn least_visible_share(&self, index: usize) -> Option<f64> {
        let of = match self.functions.get(index) {
            Some(function) => function,
            None if self.options().normalize => return None,
            None => &self.total,
        };
        self.evidence.get(index)?;
        (of.old > 0.0).then(|| self.visible(index, 0.0) / of.old)
    }

    /// The change of a function, or of the program after the last function, that is found with
    /// 80 % power, with `n_more` further runs per side.
    fn visible(&self, index: usize, n_more: f64) -> f64 {
        let (test, evidence) = (&self.test, &self.evidence[index]);
        // The variance of a difference of times by sampling, relative to the time.
        let variance = |n_more: f64| {
            let factor = |n_runs: f64| 1.0 + n_more / n_runs.max(1.0);
            let old = test.exposures.old * factor(test.n_runs.old);
            let new = test.exposures.new * factor(test.n_runs.new);
            1.0 / old + 1.0 / new
        };
        let precision = evidence.precision * (variance(0.0) / variance(n_more));
        // Without ticks, the change makes some.
        let weight = evidence.weight().max(1.0);
        let alpha = self.options().alpha * (weight / self.weight_left.max(weight));
        let small = SmallChance::new(alpha);
        let of_share = evidence.student.exceeded_with(small);
        let total = test.total.filter(|_| !test.options.normalize);
        let (common, of_total) = match (evidence.varies, total) {
            (Some(varies), _) => {
                let varies = varies / (1.0 + n_more);
                (varies, varies * Student::NORMAL.exceeded_with(small).powi(2))
            }
            (None, Some(total)) => {
                (total.of_ratio(n_more, 1.0), total.exceeded_with(small, n_more))
            }
            (None, None) => (0.0, 0.0),
        };
        let by_share = evidence.of_share * of_share * of_share;
        let by_total = precision * of_total;
        let between_runs = (1.0 - 1.0 / evidence.overdispersion).max(0.0);
        // A function that takes longer in some runs makes these longer, so that the variances of
        // its share and of the total do not just add up.
        let both_vary = match (evidence.varies, total) {
            (None, Some(_)) => 2.0 * (1.0 - evidence.of_share) * between_runs,
            _ => 0.0,
        };
        let together = evidence.of_share + both_vary + precision * common;
        let (own, own_degrees) = self.own_limit(n_more);
        // The variance that its own times show, with that of all functions, since it is uncertain.
        let of_own = total.filter(|_| evidence.own_variance > 0.0).map_or(together, |total| {
            let per_run = total.per_run(n_more) / total.per_run(0.0);
            let seen = precision * evidence.own_variance * per_run;
            (own_degrees * seen + COMMON_DEGREES * together) / (own_degrees + COMMON_DEGREES)
        });
        let deviation = of_own.min(together).sqrt();
        let (shown, own) = ((by_share + by_total).sqrt(), own * of_own.sqrt());
        // The limits vary as well, with the estimates of variances; assumed ones do not.
        let seen = total.filter(|total| test.n_freed > 0.0 && !total.is_assumed);
        let of_limit = if own > shown {
            own * own / own_degrees
        } else {
            let of_total =
                seen.map_or(0.0, |total| by_total * by_total / total.student(n_more).degrees());
            let of_share = by_share * by_share / evidence.student.degrees();
            (of_share + of_total) / (shown * shown)
        };
        let power = normal_with_above(MISSED);
        let missed = power * (deviation * deviation + of_limit / 2.0).sqrt();
        // A share that gets larger is no longer time if the machine was faster.
        let by_time = match (evidence.varies, seen) {
            (Some(_), Some(total)) => {
                power * (1.0 + precision * total.of_ratio(n_more, 1.0)).sqrt()
            }
            _ => 0.0,
        };
        let deviate = (shown.max(own) + missed).hypot(by_time);
        // The time that both sides have together: ticks by exposures.
        let both_variance = evidence.overdispersion * variance(n_more);
        let mean = precision * both_variance;
        // The growth of a time by so much on the scale of square roots.
        let growth = |deviate: f64| {
            deviate * (mean * both_variance).sqrt() + deviate * deviate * both_variance / 4.0
        };
        // Its variation between runs grows with it, and may remain too large for any change. Few
        // ticks do not show that.
        let most_grown = if evidence.weight() < FEW_TICKS { 1.0 } else { f64::INFINITY };
        let with_grown = |change: f64| {
            let grown = (between_runs * change / mean / 2.0).min(most_grown);
            growth(deviate * (1.0 + grown).sqrt())
        };
        let mut change = growth(deviate);
        for _ in 0..N_STEPS {
            let next = with_grown(change);
            if (next - change).abs() <= 1e-3 * change {
                return next;
            }
            change = next;
        }
        f64::INFINITY
    }

    /// The deviate of its own variation that each change must exceed, and its degrees of freedom; 0
    /// for single runs.
    fn own_limit(&self, n_more: f64) -> (f64, f64) {
        let n_freed = self.test.n_freed + 2.0 * n_more;
        if n_freed <= 0.0 {
            return (0.0, 1.0);
        }
        let chance = SmallChance::new(self.options().alpha / CAUTION);
        (Student::new(n_freed).exceeded_with(chance), n_freed)
    }
}
