//! The interval in which the mean of a Poisson number lies.
//!
//! The limits are those means with which so many samples or more, and so many or fewer,
//! would have been rare: 2.5 % each. Where the number itself counts as half rare (which
//! is called mid-P), the interval holds the truth 95 % of the time on average. Where it
//! counts whole (Garwood's limits of 1936), it holds it 97 % of the time and more for
//! few samples, which is wider than what it says.

use super::special::gamma_below;

/// The chance of being on the wrong side of a limit.
pub(super) const RARE: f64 = 0.025;

/// The normal quantile of that.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// From here on, Wilson and Hilferty's approximation of the quantiles of the gamma
/// distribution is less than a hundredth of a sample off.
const MANY: f64 = 1000.0;

/// The limits between which the expected number of samples lies, of which so many were
/// seen, with 95 % confidence. Numbers may have fractions: limits lie between those of
/// the whole numbers beside them.
#[must_use]
pub fn interval(samples: f64) -> (f64, f64) {
    if samples >= MANY {
        return (approximate(samples, -Z), approximate(samples, Z));
    }
    let samples = samples.max(0.0);
    let or_more = |mean: f64| midway(samples, mean);
    let low = if samples == 0.0 {
        0.0
    } else {
        rising_to(RARE, (0.0, samples + 1.0), or_more)
    };
    let high = rising_to(1.0 - RARE, (samples, 2.0 * samples + 20.0), or_more);
    (low, high)
}

/// The chance of more samples than these, and half of that of these, of this mean.
fn midway(samples: f64, mean: f64) -> f64 {
    (gamma_below(samples, mean) + gamma_below(samples + 1.0, mean)) / 2.0
}

/// Where a rising function between these ends reaches a value.
fn rising_to(value: f64, (mut low, mut high): (f64, f64), of: impl Fn(f64) -> f64) -> f64 {
    // Sixty halvings are more than numbers have bits, for all ends that come here.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if of(middle) < value {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The mean of the shapes of both halves of mid-P has its quantile about between theirs.
fn approximate(samples: f64, z: f64) -> f64 {
    let shape = samples + 0.5;
    shape * (1.0 - 1.0 / (9.0 * shape) + z / (3.0 * shape.sqrt())).powi(3)
}

#[cfg(test)]
mod tests;
