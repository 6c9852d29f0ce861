//! Tests which of two functions takes more time.
//!
//! Given the number of samples of both functions together, the number of the first is binomial,
//! with its share of their time as probability. If at most 1/2 would rarely give as many, the
//! first function takes more time. As for the intervals, the observed number counts half (mid-P).

use super::poisson::{RARE, Z};
use super::special::beta_below_half;

/// Number of samples from which the normal approximation is used.
const MANY: f64 = 10_000.0;

/// The 80 % quantile of the standard normal distribution: the power for the stated number of
/// runs.
const Z_OF_POWER: f64 = 0.841_621_233_572_914_3;

/// Returns whether the first function takes more time, with 97.5 % confidence: the interval
/// of the difference is above 0.
pub(super) fn is_more(samples: f64, others: f64) -> bool {
    if samples <= others {
        return false;
    }
    let both = samples + others;
    if both > MANY {
        return (samples - others) / both.sqrt() > Z;
    }
    let as_rare = beta_below_half(samples, others + 1.0);
    let rarer = beta_below_half(samples + 1.0, others);
    (as_rare + rarer) / 2.0 < RARE
}

/// How many times longer a profile must be to distinguish two functions with 80 % power, if
/// their samples reflect their times; infinite if these are equal.
///
/// In `m` times the time the difference is `m (a - b)`, and its standard deviation the root
/// of `m (a + b)`.
pub(super) fn times_as_long(samples: f64, others: f64) -> f64 {
    if samples <= others {
        return f64::INFINITY;
    }
    let deviations = (Z + Z_OF_POWER) / (samples - others);
    deviations * deviations * (samples + others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_samples_are_more_than_none_and_four_are_not() {
        // Half the chance of five heads in a row is 1/64, of four it is 1/32.
        assert!(is_more(5.0, 0.0));
        assert!(!is_more(4.0, 0.0));
        assert!(!is_more(0.0, 0.0));
    }

    #[test]
    fn few_samples_compare_like_coins() {
        // In 10 throws, 9 heads or more: 11/1024, less half of 10/1024 is 0.6 %; for 8 heads it
        // is 3.3 %.
        assert!(is_more(9.0, 1.0));
        assert!(!is_more(8.0, 2.0));
        assert!(!is_more(2.0, 8.0));
    }

    #[test]
    fn approximation_and_exact_test_agree() {
        // The exact test and the approximation agree on both sides of the switch.
        for others in [4700.0, 4800.0, 5200.0, 1e9f64] {
            let least = (1..).map(f64::from).find(|&more| is_more(others + more, others));
            let least = least.expect("some number is more");
            let both = 2.0 * others + least;
            assert!((least / both.sqrt() - Z).abs() < 0.02, "{least} of {both}");
        }
    }

    #[test]
    fn half_the_difference_takes_four_times_as_long() {
        let far = times_as_long(110.0, 90.0);
        let near = times_as_long(105.0, 95.0);
        assert!((near / far - 4.0).abs() < 1e-9);
        // 2.8 deviations: (1.96 + 0.84)² × 200 / 20².
        assert!((far - 3.924).abs() < 1e-3, "{far}");
        assert_eq!(times_as_long(7.0, 7.0), f64::INFINITY);
    }
}
