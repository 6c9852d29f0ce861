//! Confidence intervals of a Poisson mean.
//!
//! The limits are the means for which so many samples or more, and so many or fewer, have a
//! probability of 2.5 %. The observed number counts half (mid-P), so the interval has a
//! coverage of 95 % on average. With the whole number (Garwood, 1936) the coverage is 97 % or
//! more for few samples, and intervals are too wide.

use std::sync::OnceLock;

use super::special::{gamma_below, gamma_density};

/// Probability on each side of the interval.
pub(super) const RARE: f64 = 0.025;

/// The corresponding normal quantile.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// From here on, Wilson and Hilferty's approximation of the gamma quantile (1931) has an
/// error below 0.01 samples.
const MANY: f64 = 1000.0;

/// Limits of integers, computed on first use: many functions have the same number of samples.
type KnownLimits = [OnceLock<f64>; N_KNOWN];

/// Integers below [`MANY`].
const N_KNOWN: usize = 1000;

/// The 95 % confidence interval of the expected number of samples. Between integers, limits
/// are interpolated.
pub fn interval(samples: f64) -> (f64, f64) {
    (lower_limit(samples), upper_limit(samples))
}

/// The lower limit.
pub(in crate::analyze) fn lower_limit(samples: f64) -> f64 {
    if samples >= MANY {
        return approximate(samples, -Z);
    }
    static KNOWN: KnownLimits = [const { OnceLock::new() }; N_KNOWN];
    match samples.max(0.0) {
        0.0 => 0.0,
        samples => known(&KNOWN, samples, || limit(samples, RARE, -Z)),
    }
}

/// The upper limit.
pub(in crate::analyze) fn upper_limit(samples: f64) -> f64 {
    if samples >= MANY {
        return approximate(samples, Z);
    }
    static KNOWN: KnownLimits = [const { OnceLock::new() }; N_KNOWN];
    let samples = samples.max(0.0);
    known(&KNOWN, samples, || limit(samples, 1.0 - RARE, Z))
}

/// The limit for a small number of samples.
fn known(known: &KnownLimits, samples: f64, limit: impl FnOnce() -> f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "they are fewer than many")]
    #[expect(clippy::cast_sign_loss, reason = "they are not negative")]
    let whole = samples as usize;
    match known.get(whole) {
        Some(known) if whole as f64 == samples => *known.get_or_init(limit),
        _ => limit(),
    }
}

/// The mean for which more than `samples`, plus half the probability of `samples`, have the
/// probability `chance`. Newton's method from the approximation; bisection if a step leaves
/// the bracket.
fn limit(samples: f64, chance: f64, z: f64) -> f64 {
    let (mut low, mut high) = (0.0, 2.0 * samples + 20.0);
    let mut mean = approximate(samples, z).clamp(low, high);
    // Few steps are enough: halving alone ends after sixty.
    for _ in 0..100 {
        let (found, slope) = chance_of_more(samples, mean);
        if found < chance {
            low = mean;
        } else {
            high = mean;
        }
        let step = mean - (found - chance) / slope;
        let next = if low < step && step < high { step } else { (low + high) / 2.0 };
        let is_there = (next - mean).abs() <= 1e-13 * mean;
        mean = next;
        if is_there {
            break;
        }
    }
    mean
}

/// The probability of more samples, plus half the probability of `samples`, and its derivative by
/// the mean.
fn chance_of_more(samples: f64, mean: f64) -> (f64, f64) {
    let chance = (gamma_below(samples, mean) + gamma_below(samples + 1.0, mean)) / 2.0;
    let slope = (gamma_density(samples, mean) + gamma_density(samples + 1.0, mean)) / 2.0;
    (chance, slope)
}

/// The quantile for mid-P is about the mean of the quantiles of the two gamma shapes.
fn approximate(samples: f64, z: f64) -> f64 {
    let shape = samples + 0.5;
    shape * (1.0 - 1.0 / (9.0 * shape) + z / (3.0 * shape.sqrt())).powi(3)
}

#[cfg(test)]
mod tests;
