//! Tests whether two numbers of ticks differ significantly.
//!
//! Given the ticks of a function on both sides together, the ticks of one side are binomial, with
//! that side's share of the exposure (runs and clock rates) as probability. The tail probability
//! is exact, and the observed number counts half (mid-P). Counted whole, it would make false
//! positives far rarer than allowed, and changes of few ticks invisible.
//!
//! If runs vary more than by sampling, ticks are overdispersed: with a variance of a multiple
//! of the Poisson variance, they count as that many times fewer.

use super::distributions::normal_with_above;
use crate::analyze::special::beta_below;

/// Number of ticks from which Barndorff-Nielsen's r* approximation has three digits, if each
/// side has [`SOME`].
const MANY: f64 = 10_000.0;

/// Minimum ticks of each side for the approximation.
const SOME: f64 = 100.0;

/// Values of the old and the new side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) old: f64,
    pub(super) new: f64,
}

impl Pair {
    /// The same function of both sides.
    pub(super) fn of<T>(old: T, new: T, of: impl Fn(T) -> f64) -> Self {
        Self { old: of(old), new: of(new) }
    }

    pub(super) fn both(self) -> f64 {
        self.old + self.new
    }

    pub(super) fn swapped(self) -> Self {
        let Self { old, new } = self;
        Self { old: new, new: old }
    }

    pub(super) fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self { old: of(self.old), new: of(self.new) }
    }

    /// Each divided by that of the same side.
    pub(super) fn per(self, other: Self) -> Self {
        Self { old: self.old / other.old, new: self.new / other.new }
    }

    /// Each multiplied by that of the same side.
    pub(super) fn times(self, other: Self) -> Self {
        Self { old: self.old * other.old, new: self.new * other.new }
    }

    /// Each as a share of the sum.
    pub(super) fn shares(self) -> Self {
        self.map(|one| one / self.both())
    }
}

/// The normal deviate with the same tail probability as the ticks of the new side; negative
/// if they are below expectation.
///
/// `shares` are the shares of both sides in the exposure.
pub(super) fn deviate(ticks: Pair, shares: Pair, overdispersion: f64) -> f64 {
    let excess = ticks.new * shares.old - ticks.old * shares.new;
    if excess > 0.0 {
        deviate_of_more(ticks, shares, overdispersion)
    } else if excess < 0.0 {
        -deviate_of_more(ticks.swapped(), shares.swapped(), overdispersion)
    } else {
        0.0
    }
}

/// The same if the new side has more than its share.
fn deviate_of_more(ticks: Pair, shares: Pair, overdispersion: f64) -> f64 {
    let effective = ticks.map(|one| one / overdispersion);
    let counted = if effective.both() > MANY && effective.old > SOME && effective.new > SOME {
        deviate_of_many(effective, shares)
    } else {
        deviate_of_few(effective, shares)
    };
    if overdispersion <= 1.0 {
        return counted;
    }
    // Times that vary by a gamma distribution make for more very high numbers than fewer
    // ticks do.
    let measured = deviate_of_gammas(effective, shares);
    counted - (1.0 - 1.0 / overdispersion) * (counted - measured).max(0.0)
}

/// Binomial for integers, interpolated between them.
fn deviate_of_few(Pair { old, new }: Pair, shares: Pair) -> f64 {
    let as_rare = beta_below(new, old + 1.0, shares.new, shares.old);
    let rarer = beta_below(new + 1.0, old, shares.new, shares.old);
    normal_with_above((as_rare + rarer) / 2.0)
}

fn deviate_of_many(ticks: Pair, shares: Pair) -> f64 {
    let expected = shares.map(|share| share * ticks.both());
    let deviance = 2.0 * (surplus(ticks.old, expected.old) + surplus(ticks.new, expected.new));
    let root = deviance.max(0.0).sqrt();
    let ratio = (ticks.new / expected.new) / (ticks.old / expected.old);
    let wald = ratio.ln() * (ticks.old * (ticks.new / ticks.both())).sqrt();
    if root < 0.01 || wald <= 0.0 {
        return root;
    }
    root + (wald / root).ln() / root
}

/// `ticks ln(ticks / expected) - (ticks - expected)`, accurate if both are close.
fn surplus(ticks: f64, expected: f64) -> f64 {
    let more = ticks - expected;
    ticks * (more / expected).ln_1p() - more
}

/// Treats times as gamma variables with the mean and variance of the ticks; then shares have a
/// beta distribution.
fn deviate_of_gammas(effective: Pair, shares: Pair) -> f64 {
    let shapes = shares.map(|share| share * effective.both());
    let (old, new) = (effective.old / effective.both(), effective.new / effective.both());
    normal_with_above(beta_below(shapes.old, shapes.new, old, new))
}

#[cfg(test)]
mod tests {
    use super::super::distributions::normal_above;
    use super::*;

    const EVEN: Pair = Pair { old: 0.5, new: 0.5 };

    fn ticks(old: f64, new: f64) -> Pair {
        Pair { old, new }
    }

    #[test]
    fn few_ticks_are_as_rare_as_heads() {
        let check = |old: f64, new: f64, chance: f64| {
            let found = normal_above(deviate(ticks(old, new), EVEN, 1.0));
            assert!((found / chance - 1.0).abs() < 1e-8, "{old} {new}: {found}");
        };
        // In 10 throws: 1, 10, 45 of 1024 ways, the last of which counts half.
        check(0.0, 10.0, 0.5 / 1024.0);
        check(1.0, 9.0, 6.0 / 1024.0);
        check(2.0, 8.0, 33.5 / 1024.0);
        check(0.0, 30.0, 0.5f64.powi(31));
    }

    #[test]
    fn unequal_sampling_times_are_accounted_for() {
        // A third of the time on the old side, two thirds on the new.
        let shares = ticks(1.0, 2.0).shares();
        assert_eq!(deviate(ticks(100.0, 200.0), shares, 1.0), 0.0);
        let found = normal_above(deviate(ticks(0.0, 5.0), shares, 1.0));
        assert!((found / ((2f64 / 3.0).powi(5) / 2.0) - 1.0).abs() < 1e-8);
    }

    #[test]
    fn sides_mirror_each_other_to_the_bit() {
        let shares = ticks(0.3, 7.1).shares();
        for (old, new) in [(0.0, 3.0), (17.25, 4.5), (40_000.0, 990_000.0), (0.0, 0.0)] {
            for overdispersion in [1.0, 2.5] {
                let there = deviate(ticks(old, new), shares, overdispersion);
                let back = deviate(ticks(new, old), shares.swapped(), overdispersion);
                assert_eq!(there.to_bits(), (-back).to_bits() ^ u64::from(there == 0.0) << 63);
            }
        }
    }

    #[test]
    fn many_ticks_are_as_rare_as_few_on_the_way() {
        for shares in [EVEN, ticks(0.8, 0.2), ticks(0.1, 0.9)] {
            for sigmas in [0.5, 1.0, 3.0, 6.0f64] {
                let n = 20_000.0;
                let new = n * shares.new + sigmas * (n * shares.new * shares.old).sqrt();
                let seen = ticks(n - new, new);
                let (few, many) = (deviate_of_few(seen, shares), deviate_of_many(seen, shares));
                assert!((few - many).abs() < 2e-3, "{few} {many} at {shares:?}");
            }
        }
    }

    #[test]
    fn overdispersed_ticks_are_less_surprising_than_ticks() {
        let alone = deviate(ticks(100.0, 160.0), EVEN, 1.0);
        let overdispersed = deviate(ticks(100.0, 160.0), EVEN, 4.0);
        assert!((overdispersed * 2.0 / alone - 1.0).abs() < 0.03, "{overdispersed} {alone}");
        // If sampling was longer on one side, high numbers of the short one are less surprising
        // still.
        let shares = ticks(5.0, 1.0).shares();
        let even = deviate_of_few(ticks(50.0, 25.0), shares);
        assert!(deviate(ticks(200.0, 100.0), shares, 4.0) < even);
    }

    #[test]
    fn nothing_is_no_surprise_and_everything_is_finite() {
        assert_eq!(deviate(ticks(0.0, 0.0), EVEN, 1.0), 0.0);
        for big in [1e3, 1e6, 1e12] {
            let found = deviate(ticks(0.0, big), EVEN, 1.0);
            assert!(found.is_finite() && found > 30.0, "{found}");
            assert!(deviate(ticks(big, 3.0 * big), EVEN, 3.0).is_finite());
        }
    }
}
