//! The normal distribution, and Student's t for variances estimated from few values.

use crate::analyze::special::{beta_below, gamma_above, ln_gamma};

/// Degrees of freedom from which Student's distribution is replaced by the normal one.
const MANY_DEGREES: f64 = 100_000.0;

/// The probability that a standard normal number exceeds `z`.
pub(super) fn normal_above(z: f64) -> f64 {
    let tail = gamma_above(0.5, z * z / 2.0) / 2.0;
    if z < 0.0 { 1.0 - tail } else { tail }
}

/// The quantile that a standard normal number exceeds with probability `chance`, at most 1/2.
pub(super) fn normal_with_above(chance: f64) -> f64 {
    let chance = chance.clamp(f64::MIN_POSITIVE, 0.5);
    // Abramowitz and Stegun, 26.2.23, right to three digits.
    let t = (-2.0 * chance.ln()).sqrt();
    let fraction = (2.515_517 + t * (0.802_853 + t * 0.010_328))
        / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
    let mut z = t - fraction;
    for _ in 0..2 {
        let above = normal_above(z);
        let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
        z += (above / chance).ln() * above / density;
    }
    z.max(0.0)
}

/// A small probability and its two-sided normal quantile, computed once for all functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmallChance {
    chance: f64,
    normal: f64,
}

impl SmallChance {
    pub(super) fn new(chance: f64) -> Self {
        Self { chance, normal: normal_with_above(chance / 2.0) }
    }
}

/// Student's t distribution with any positive degrees of freedom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Student {
    degrees: f64,
}

impl Student {
    pub(super) const NORMAL: Self = Self { degrees: f64::INFINITY };

    pub(super) fn new(degrees: f64) -> Self {
        Self { degrees }
    }

    pub(super) fn degrees(self) -> f64 {
        self.degrees
    }

    /// The two-sided tail probability.
    pub(super) fn beyond(self, t: f64) -> f64 {
        if self.degrees > MANY_DEGREES {
            return 2.0 * normal_above(t.abs());
        }
        let square = t * t;
        if !square.is_finite() {
            return 0.0;
        }
        let all = self.degrees + square;
        beta_below(self.degrees / 2.0, 0.5, self.degrees / all, square / all)
    }

    /// The two-sided quantile of a small probability.
    pub(super) fn exceeded_with(self, small: SmallChance) -> f64 {
        let SmallChance { chance, normal: z } = small;
        if self.degrees > MANY_DEGREES {
            return z;
        }
        // Wallace (1959) turns one into the other; Newton's steps, on logarithms, as
        // tails are nearly straight on them.
        let wallace = (8.0 * self.degrees + 3.0) / (8.0 * self.degrees + 1.0);
        let ratio = (z * wallace).powi(2) / self.degrees;
        let mut t = (self.degrees * ratio.exp_m1()).sqrt();
        for _ in 0..3 {
            let beyond = self.beyond(t);
            let slope = 2.0 * self.ln_density(t).exp() / beyond;
            let step = t.ln() + (beyond / chance).ln() / (slope * t);
            t = step.exp();
        }
        t
    }

    fn ln_density(self, t: f64) -> f64 {
        let half = self.degrees / 2.0;
        let scale = ln_gamma(half + 0.5) - ln_gamma(half);
        scale
            - 0.5 * (self.degrees * std::f64::consts::PI).ln()
            - (half + 0.5) * (t * t / self.degrees).ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-8, "{found} is not {expected}");
    }

    #[test]
    fn normal_tails_equal_tables() {
        check(normal_above(0.0), 0.5);
        check(normal_above(1.0), 0.158_655_253_931_457_05);
        check(normal_above(-1.0), 0.841_344_746_068_543);
        check(normal_above(6.0), 9.865_876_450_376_946e-10);
        check(normal_above(30.0), 4.906_713_927_148_187e-198);
    }

    #[test]
    fn normal_deviates_have_their_tails() {
        for chance in [0.4, 0.1, 0.025, 1e-5, 1e-100, 1e-300] {
            check(normal_above(normal_with_above(chance)), chance);
        }
        assert!(normal_with_above(0.5).abs() < 1e-9);
        assert!(normal_with_above(0.0) > 37.0);
    }

    #[test]
    fn students_tails_equal_tables() {
        // One degree is Cauchy's distribution; two have a closed form.
        check(Student::new(1.0).beyond(1.0), 0.5);
        for t in [0.1, 2.0, 50.0, 1e4f64] {
            let rest = 1.0 / (t * t / 2.0).mul_add(1.0, 1.0);
            let closed = rest / (1.0 + (1.0 - rest).sqrt());
            check(Student::new(2.0).beyond(t), closed);
        }
        check(Student::new(8.0).beyond(4.500_790_933_862_46), 0.002);
        check(Student::NORMAL.beyond(-1.0), 2.0 * 0.158_655_253_931_457_05);
        assert_eq!(Student::new(3.0).beyond(f64::INFINITY), 0.0);
    }

    #[test]
    fn quantiles_invert_tails() {
        for degrees in [1.0, 1.5, 2.0, 4.0, 18.0, 333.3, 1e7] {
            for chance in [0.5, 0.01, 1e-6] {
                let student = Student::new(degrees);
                let exceeded = student.exceeded_with(SmallChance::new(chance));
                check(student.beyond(exceeded), chance);
            }
        }
    }
}
