//! The interval in which the mean of a Poisson number lies.
//!
//! The limits are those means with which so many samples or more, and so many or fewer,
//! would have been rare: 2.5 % each. Where the number itself counts as half rare (which
//! is called mid-P), the interval holds the truth 95 % of the time on average. Where it
//! counts whole (Garwood's limits of 1936), it holds it 97 % of the time and more for
//! few samples, which is wider than what it says.

use std::sync::OnceLock;

use super::special::{gamma_below, gamma_density};

/// The chance of being on the wrong side of a limit.
pub(super) const RARE: f64 = 0.025;

/// The normal quantile of that.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// From here on, Wilson and Hilferty's approximation of the quantiles of the gamma
/// distribution is less than a hundredth of a sample off.
const MANY: f64 = 1000.0;

/// Limits of whole numbers, once they were asked for: many functions have as many samples.
type KnownLimits = [OnceLock<f64>; N_KNOWN];

/// Those below [`MANY`].
const N_KNOWN: usize = 1000;

/// The limits between which the expected number of samples lies, of which so many were
/// seen, with 95 % confidence. Numbers may have fractions: limits lie between those of
/// the whole numbers beside them.
pub fn interval(samples: f64) -> (f64, f64) {
    (lower_limit(samples), upper_limit(samples))
}

/// The lower one of these limits.
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

/// The upper one.
pub(in crate::analyze) fn upper_limit(samples: f64) -> f64 {
    if samples >= MANY {
        return approximate(samples, Z);
    }
    static KNOWN: KnownLimits = [const { OnceLock::new() }; N_KNOWN];
    let samples = samples.max(0.0);
    known(&KNOWN, samples, || limit(samples, 1.0 - RARE, Z))
}

/// The limit of fewer than many samples.
fn known(known: &KnownLimits, samples: f64, limit: impl FnOnce() -> f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "they are fewer than many")]
    #[expect(clippy::cast_sign_loss, reason = "they are not negative")]
    let whole = samples as usize;
    match known.get(whole) {
        Some(known) if whole as f64 == samples => *known.get_or_init(limit),
        _ => limit(),
    }
}

/// The mean of which more than so many samples, and half of the chance of so many, are
/// as likely as `chance`. Newton's steps lead there from the approximation, and where
/// one would lead too far, the middle of what is left does.
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
        let next = if low < step && step < high {
            step
        } else {
            (low + high) / 2.0
        };
        let is_there = (next - mean).abs() <= 1e-13 * mean;
        mean = next;
        if is_there {
            break;
        }
    }
    mean
}

/// The chance of more samples than these, and half of that of these, of this mean; and
/// how fast it rises with the mean.
fn chance_of_more(samples: f64, mean: f64) -> (f64, f64) {
    let chance = (gamma_below(samples, mean) + gamma_below(samples + 1.0, mean)) / 2.0;
    let slope = (gamma_density(samples, mean) + gamma_density(samples + 1.0, mean)) / 2.0;
    (chance, slope)
}

/// The mean of the shapes of both halves of mid-P has its quantile about between theirs.
fn approximate(samples: f64, z: f64) -> f64 {
    let shape = samples + 0.5;
    shape * (1.0 - 1.0 / (9.0 * shape) + z / (3.0 * shape.sqrt())).powi(3)
}

#[cfg(test)]
mod tests;
