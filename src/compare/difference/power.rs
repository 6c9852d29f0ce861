//! The statistical power of a comparison.

use super::compare::Comparison;
use super::difference_test::Difference;
use super::distributions::{SmallChance, Student, normal_with_above};
use super::evidence::TestEvidence;
use super::totals::TotalSpread;
use super::two_counts::Pair;
use super::unknown_spread::UnknownSpread;

/// The power for a function or the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerEstimate {
    /// The change that would be found with 80 % power.
    pub least_visible: f64,
    /// That change as a share of the old time; `None` if that is 0.
    pub least_visible_share: Option<f64>,
    /// Further runs per side needed for the minimum relevant change; `None` above a thousand.
    pub more_runs: Option<u32>,
}

/// Numbers of further runs that are considered.
const MORE_RUNS: [u32; 26] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400,
    600, 1000,
];

/// Probability of missing the change: 1 - power.
const MISSED: f64 = 0.2;

/// Number of precisions for which deviates are computed; the others are interpolated.
const N_PRECISIONS: u32 = 12;

impl PowerEstimate {
    /// The power for a function. Linear in functions.
    pub fn of_function(comparison: &Comparison, function: usize) -> Self {
        let evidence = &comparison.evidence[function];
        Self::new(&comparison.functions[function], |n_more| {
            MoreRuns::new(comparison, n_more).visible_of(evidence)
        })
    }

    /// The power for the program.
    pub fn of_program(comparison: &Comparison) -> Self {
        Self::new(&comparison.total, |n_more| {
            MoreRuns::new(comparison, n_more).visible_of_program()
        })
    }

    fn new(of: &Difference, visible: impl Fn(u32) -> f64) -> Self {
        let least_visible = visible(0);
        let is_short = |n_more: &u32| visible(*n_more) > of.least_change;
        Self {
            least_visible,
            least_visible_share: (of.old > 0.0).then(|| least_visible / of.old),
            more_runs: if least_visible <= of.least_change {
                Some(0)
            } else {
                MORE_RUNS.get(MORE_RUNS.partition_point(is_short)).copied()
            },
        }
    }
}

/// The power with more runs per side.
struct MoreRuns<'a> {
    comparison: &'a Comparison,
    n_more: f64,
    /// Variance times exposure.
    variance: f64,
    /// Present precision.
    precision_now: f64,
    total: Option<TotalSpread>,
    spread: UnknownSpread,
}

impl<'a> MoreRuns<'a> {
    fn new(comparison: &'a Comparison, n_more: u32) -> Self {
        let test = &comparison.test;
        let n_more = f64::from(n_more);
        // The variance that a difference of times has by sampling, for each of the time.
        let variance = |n_more: f64| {
            let factor = |n_runs: f64| 1.0 + n_more / n_runs.max(1.0);
            let old = test.exposures.old * factor(test.n_runs.old);
            let new = test.exposures.new * factor(test.n_runs.new);
            1.0 / old + 1.0 / new
        };
        let precision_now = variance(0.0) / variance(n_more);
        // One run a side shows no spread of totals, and more are taken to vary by sampling.
        let Pair { old, new } = test.total_ticks;
        let (total, independent) = match test.total {
            None if n_more > 0.0 => (
                Some(TotalSpread::expected(test.n_runs, test.total_ticks)),
                1.0 / old.max(1.0) + 1.0 / new.max(1.0),
            ),
            total => (total, test.independent),
        };
        let spread = match &total {
            Some(total) if !test.options.normalize => {
                UnknownSpread::of(total, n_more, independent / precision_now)
            }
            _ => UnknownSpread::none(),
        };
        Self {
            comparison,
            n_more,
            variance: variance(n_more),
            precision_now,
            total,
            spread,
        }
    }

    /// The change of a function that is found with 80 % power.
    fn visible_of(&self, evidence: &TestEvidence) -> f64 {
        let precision = evidence.precision * self.precision_now;
        let missed = normal_with_above(MISSED) * self.spread.usual_factor(precision);
        let deviate = (self.deviate(precision) + missed) * evidence.narrowing;
        // The time that both sides have together: ticks by exposures.
        let both_variance = evidence.overdispersion * self.variance;
        visible(precision * both_variance, both_variance, deviate)
    }

    fn visible_of_program(&self) -> f64 {
        let Difference { old, new, .. } = self.comparison.total;
        let mean = (old + new) / 2.0;
        let (student, variance) = match &self.total {
            None => (Student::NORMAL, self.variance),
            Some(total) => (
                total.student(self.n_more),
                mean * total.of_ratio(self.n_more),
            ),
        };
        let rare = SmallChance::new(self.comparison.options().alpha / 2.0);
        let deviate = student.exceeded_with(rare) + normal_with_above(MISSED);
        visible(mean, variance, deviate)
    }

    /// The required deviate at a precision, interpolated.
    fn deviate(&self, precision: f64) -> f64 {
        let precisions = self.comparison.evidence.iter();
        let precisions = precisions.map(|one| one.precision * self.precision_now);
        let precisions = precisions.filter(|&precision| precision > 0.0);
        let (low, high) = precisions.fold((f64::INFINITY, 0.0f64), |(low, high), one| {
            (low.min(one), high.max(one))
        });
        if high == 0.0 {
            return f64::INFINITY;
        }
        let (from, to) = (low.ln(), high.ln());
        let points: Vec<f64> = (0..N_PRECISIONS)
            .map(|step| from + (to - from) * f64::from(step) / f64::from(N_PRECISIONS - 1))
            .collect();
        let at = precision.max(f64::MIN_POSITIVE).ln();
        let n_below = points.partition_point(|&point| point < at);
        let below = points[n_below.saturating_sub(1)];
        let above = points[n_below.min(points.len() - 1)];
        if above <= below {
            return self.deviate_at(above);
        }
        let part = ((at - below) / (above - below)).clamp(0.0, 1.0);
        let (from, to) = (self.deviate_at(below), self.deviate_at(above));
        from + part * (to - from)
    }

    /// The required deviate at the precision with this logarithm.
    fn deviate_at(&self, ln_precision: f64) -> f64 {
        let Comparison {
            evidence,
            n_tried,
            n_found,
            ..
        } = self.comparison;
        let degrees = evidence.iter().map(|one| one.student.degrees());
        let student = Student::new(degrees.fold(1.0, f64::max) + 2.0 * self.n_more);
        let n_alike = (*n_tried).max(1) as f64 / (1 + n_found) as f64;
        let precision = ln_precision.exp();
        shown_with(|deviate| {
            let rarity = self.spread.mean(precision, |factor| {
                (n_alike * student.beyond(deviate / factor)).min(1.0)
            });
            rarity <= self.comparison.options().alpha / 2.0
        })
    }
}

/// The growth of a time that is `deviate` standard deviations on the scale of square roots.
fn visible(mean: f64, variance: f64, deviate: f64) -> f64 {
    deviate * (mean * variance).sqrt() + deviate * deviate * variance / 4.0
}

/// Steps of the search from 0 to 8, from 8 to 16, then to 32 and so on: a tenth of a percent.
const N_STEPS: u32 = 1024;

/// The smallest deviate that is significant, to one step.
fn shown_with(is_rare: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 8.0);
    while !is_rare(high) && high < 1e9 {
        (low, high) = (high, 2.0 * high);
    }
    let deviate = |step: u32| low + (high - low) * f64::from(step) / f64::from(N_STEPS);
    // Step 0 is not rare enough, and the last one is.
    let (mut not_rare, mut rare) = (0, N_STEPS);
    while rare - not_rare > 1 {
        let middle = u32::midpoint(not_rare, rare);
        if is_rare(deviate(middle)) {
            rare = middle
        } else {
            not_rare = middle
        }
    }
    deviate(rare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_deviate_is_found() {
        // Steps are twice as wide from 16 on.
        for (step, width) in (1..4096)
            .step_by(7)
            .map(|step| (step, if step <= 2048 { 1.0 } else { 2.0 }))
        {
            // Between two steps, so that the upper one is the least that is rare enough.
            let middle = (f64::from(step) - 0.5) / 128.0;
            let least = (middle * 128.0 / width).ceil() * width / 128.0;
            assert_eq!(shown_with(|deviate| deviate >= middle), least);
        }
    }
}
