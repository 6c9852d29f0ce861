//! Accounts for the unknown variation of whole runs.
//!
//! A busy machine slows down all functions of a run. The totals of runs show how much, but
//! with two runs per side that estimate may be wrong by a factor of ten. So p-values are
//! averaged over all possible values, weighted by their likelihood.
//!
//! Totals also vary because single functions do. That part is known from all functions
//! together, and does not count as variation of the run.

use super::distributions::{SmallChance, Student};
use super::totals::TotalSpread;

/// Number of values in the average.
const N_STEPS: u32 = 48;

/// Log-likelihood below which values are ignored.
const UNLIKELY: f64 = -25.0;

/// The common variance of all functions, for the logarithm of the ratio.
#[derive(Clone, Debug)]
pub(super) struct UnknownSpread {
    values: Box<[SpreadValue]>,
    /// The observed variance of the total, and that without a common part.
    total: f64,
    independent: f64,
    student: Student,
}

/// A value of the variance, and its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpreadValue {
    variance: f64,
    pub(super) chance: f64,
}

impl SpreadValue {
    /// The factor for deviates of a function with this precision.
    pub(super) fn factor(&self, precision: f64) -> f64 {
        (1.0 + precision * self.variance).sqrt()
    }
}

impl UnknownSpread {
    /// No common variation.
    pub(super) fn none() -> Self {
        let value = SpreadValue {
            variance: 0.0,
            chance: 1.0,
        };
        Self {
            values: Box::new([value]),
            total: 0.0,
            independent: 0.0,
            student: Student::NORMAL,
        }
    }

    /// The variance from totals, with `n_more` further runs per side; `independent` is the
    /// part due to single functions.
    pub(super) fn of(spread: &TotalSpread, n_more: f64, independent: f64) -> Self {
        let (total, student) = (spread.of_ratio(n_more), spread.student(n_more));
        let mut values = Vec::new();
        let mut chance_of_none = 0.0;
        for (factor, chance) in factors(student.degrees()) {
            let variance = total * factor - independent;
            if variance > 0.0 {
                values.push(SpreadValue { variance, chance });
            } else {
                chance_of_none += chance;
            }
        }
        values.push(SpreadValue {
            variance: 0.0,
            chance: chance_of_none,
        });
        Self {
            values: values.into(),
            total,
            independent,
            student,
        }
    }

    pub(super) fn is_none(&self) -> bool {
        self.total == 0.0
    }

    /// The average of `chance` over all values, given the factor of deviates.
    pub(super) fn mean(&self, precision: f64, chance: impl Fn(f64) -> f64) -> f64 {
        let one = |value: &SpreadValue| value.chance * chance(value.factor(precision));
        self.values.iter().map(one).sum()
    }

    pub(super) fn values(&self) -> &[SpreadValue] {
        &self.values
    }

    /// The factor for the observed variance.
    pub(super) fn usual_factor(&self, precision: f64) -> f64 {
        let common = (self.total - self.independent).max(0.0);
        (1.0 + precision * common).sqrt()
    }

    /// The deviate for a p-value; slightly too large (Cochran and Cox 1950).
    pub(super) fn exceeded_with(
        &self,
        small: SmallChance,
        precision: f64,
        student: Student,
    ) -> f64 {
        let own = student.exceeded_with(small);
        if self.is_none() {
            return own;
        }
        let (total, z) = (self.student.exceeded_with(small), small.normal);
        let common = (total * total * self.total - z * z * self.independent).max(0.0);
        (own * own + precision * common).sqrt()
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
    use super::*;

    #[test]
    fn a_normal_number_of_unknown_spread_is_students() {
        // This is what Student's distribution is.
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

    #[test]
    fn nothing_in_common_changes_nothing() {
        let none = UnknownSpread::none();
        let student = Student::new(7.0);
        assert_eq!(
            none.mean(100.0, |factor| student.beyond(3.0 / factor)),
            student.beyond(3.0)
        );
        let small = SmallChance::new(0.01);
        assert_eq!(
            none.exceeded_with(small, 5.0, student),
            student.exceeded_with(small)
        );
        assert_eq!(none.usual_factor(100.0), 1.0);
    }
}
