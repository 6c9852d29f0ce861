//! Which of two functions takes more time.
//!
//! Given how many samples two functions have together, those of the first are as many
//! as heads of a coin, whose bias is its share of the time of both. If a fair coin
//! would rarely show so many heads, it is not fair, and the first function takes more.
//! As with intervals, the number itself counts as half rare.

use super::poisson::{RARE, Z};
use super::special::beta_below_half;

/// From so many samples of both on, they are as good as normally distributed.
const MANY: f64 = 10_000.0;

/// The normal quantile of 80 %: how sure it is that two functions are told apart in so
/// many runs as are named.
const Z_OF_POWER: f64 = 0.841_621_233_572_914_3;

/// Whether so many samples, and so many others, show that the first function takes
/// more time, with 97.5 % confidence: the interval of the difference is above 0.
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

/// How many times as long a profile must be to tell two functions apart, four times of
/// five, if they take as much time as it says; infinite where that is equal.
///
/// In `m` times the time the difference is `m (a - b)`, and its deviation the root of
/// `m (a + b)`.
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
    fn few_samples_are_told_apart_as_coins_are() {
        // Of 10 throws, 9 heads or more: 11/1024, less half of 10/1024 is 0.6 %; of
        // 8 heads it is 3.3 %.
        assert!(is_more(9.0, 1.0));
        assert!(!is_more(8.0, 2.0));
        assert!(!is_more(2.0, 8.0));
    }

    #[test]
    fn many_samples_are_told_apart_where_few_would_be_on_the_way() {
        // Both ways agree on either side of where one takes over.
        for others in [4700.0, 4800.0, 5200.0, 1e9f64] {
            let least = (1..)
                .map(f64::from)
                .find(|&more| is_more(others + more, others));
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
