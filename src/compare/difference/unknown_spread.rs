//! Accounts for the unknown variation of totals.
//!
//! A busy machine slows down all functions of a run. The totals of runs show how much, but
//! with two runs per side that estimate may be wrong by a factor of ten. So p-values are
//! averaged over all possible values, weighted by their likelihood.

use super::distributions::SmallChance;
use super::totals::TotalSpread;

/// Number of values in the average.
const N_STEPS: u32 = 48;

/// Log-likelihood below which values are ignored.
const UNLIKELY: f64 = -25.0;

/// The variance of totals, for the logarithm of the ratio.
#[derive(Clone, Debug)]
pub(super) struct UnknownSpread {
    values: Box<[SpreadValue]>,
    /// The observed variance.
    pub(super) observed: f64,
    total: Option<TotalSpread>,
}

/// A value of the variance, and its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpreadValue {
    pub(super) variance: f64,
    pub(super) chance: f64,
}

impl UnknownSpread {
    /// Totals that do not vary.
    pub(super) fn none() -> Self {
        let value = SpreadValue { variance: 0.0, chance: 1.0 };
        Self { values: Box::new([value]), observed: 0.0, total: None }
    }

    /// The variance of the ratio of totals.
    pub(super) fn of(total: &TotalSpread) -> Self {
        let value =
            |(factor, chance)| SpreadValue { variance: total.of_ratio(0.0, factor), chance };
        Self {
            values: factors(total.student(0.0).degrees()).map(value).collect(),
            observed: total.of_ratio(0.0, 1.0),
            total: Some(*total),
        }
    }

    /// The average of `chance` over all variances.
    pub(super) fn mean(&self, chance: impl Fn(f64) -> f64) -> f64 {
        let one = |value: &SpreadValue| value.chance * chance(value.variance);
        self.values.iter().map(one).sum()
    }

    /// The square of the deviate of totals for a p-value.
    pub(super) fn exceeded_with(&self, small: SmallChance) -> f64 {
        self.total.map_or(0.0, |total| total.exceeded_with(small, 0.0))
    }

    pub(super) fn values(&self) -> &[SpreadValue] {
        &self.values
    }
}

/// Variances relative to the observed one with these degrees of freedom, and their
/// likelihoods, in equal steps of the logarithm.
fn factors(degrees: f64) -> impl Iterator<Item = (f64, f64)> {
    let ln_density = move |x: f64| degrees / 2.0 * (x - x.exp_m1());
    let low = crossing(-(2.0 - 2.0 * UNLIKELY / degrees), &ln_density);
    let high = crossing(10.0, &ln_density);
    let step = (high - low) / f64::from(N_STEPS - 1);
    let points = move || (0..N_STEPS).map(move |index| low + step * f64::from(index));
    let all: f64 = points().map(|x| ln_density(x).exp()).sum();
    points().map(move |x| ((-x).exp(), ln_density(x).exp() / all))
}

/// Where the density becomes negligible, between its mode at 0 and a distant point.
fn crossing(far: f64, ln_density: &impl Fn(f64) -> f64) -> f64 {
    let (mut near, mut far) = (0.0, far);
    for _ in 0..40 {
        let middle = (near + far) / 2.0;
        if ln_density(middle) < UNLIKELY {
            far = middle;
        } else {
            near = middle;
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::super::distributions::Student;
    use super::*;

    #[test]
    fn a_normal_number_of_unknown_spread_is_students() {
        // Student's distribution is this average.
        for degrees in [1.0, 2.0, 5.0, 18.0, 400.0] {
            let student = Student::new(degrees);
            for t in [0.5, 2.0, 6.0, 30.0f64] {
                let mean: f64 = factors(degrees)
                    .map(|(factor, chance)| chance * Student::NORMAL.beyond(t / factor.sqrt()))
                    .sum();
                let expected = student.beyond(t);
                assert!(
                    (mean - expected).abs() < 2e-3 * expected + 1e-9,
                    "{t} of {degrees}: {mean} is not {expected}"
                );
            }
        }
    }
}
