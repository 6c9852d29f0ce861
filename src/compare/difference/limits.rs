//! Confidence limits of a change.

use super::distributions::normal_above;
use super::evidence::TestEvidence;
use super::two_counts::Pair;

impl TestEvidence {
    /// Lower and upper limit of the change, new minus old, `reach` deviates away; `exposures`
    /// are ticks per time.
    ///
    /// The limits are those of the new side's share of both (Wilson 1927), like the test, with
    /// those of the sum of both: they exclude 0 if the test does.
    pub(super) fn limits(&self, exposures: Pair, reach: f64) -> (f64, f64) {
        let (effective, ticks) = (self.effective, self.ticks());
        let low = self.least(effective, ticks, exposures, reach);
        let turned = [effective, ticks, exposures].map(Pair::swapped);
        let high = self.least(turned[0], turned[1], turned[2], reach);
        (low, -high)
    }

    fn least(&self, effective: Pair, ticks: Pair, exposures: Pair, reach: f64) -> f64 {
        let calibrated = self.calibrated(reach, effective, exposures);
        let share = least_share(effective, calibrated);
        let times = ticks.per(exposures);
        let (change, both) = (times.new - times.old, times.both());
        if both == 0.0 {
            return -self.overdispersion * most_without_ticks(calibrated) / exposures.old;
        }
        let by_share = both * relative_change(share, exposures);
        // The time of both sides is uncertain too: its limits, relative to it, are those of a
        // number with this variance, as for the share.
        let variance = self.overdispersion
            * (times.old / exposures.old + times.new / exposures.new)
            / (both * both);
        let start = reach * reach / 2.0 * variance;
        let width = reach * (variance + start * variance / 2.0).sqrt();
        let of_both = if change < 0.0 {
            change * (width + start)
        } else {
            // Nothing at 0, like the limit by the share.
            (change * by_share.max(0.0)).sqrt() * (width - start)
        };
        change - (change - by_share).hypot(of_both)
    }

    /// Calibrates the reach for few ticks, for which Wilson's deviate differs from the
    /// test's: by their ratio for no change.
    fn calibrated(&self, reach: f64, effective: Pair, exposures: Pair) -> f64 {
        let tested = self.deviate.abs();
        let shares = exposures.shares();
        let excess = effective.new * shares.old - effective.old * shares.new;
        let approximate = excess.abs() / (effective.both() * (shares.old * shares.new)).sqrt();
        if tested > 1.0 && approximate > 0.0 { reach * (approximate / tested) } else { reach }
    }
}

/// The Poisson mean for which 0, counted half, is `reach` deviates away.
fn most_without_ticks(reach: f64) -> f64 {
    -(2.0 * normal_above(reach)).ln()
}

/// Lower limit of the new side's share.
fn least_share(Pair { old, new }: Pair, reach: f64) -> f64 {
    let square = reach * reach;
    let both = old + new;
    if both == 0.0 {
        return 0.0;
    }
    let middle = new + square / 2.0;
    let width = reach * (old * (new / both) + square / 4.0).sqrt();
    ((middle - width) / (both + square)).max(0.0)
}

/// The change of time that follows from a share of the new side.
fn relative_change(share: f64, exposures: Pair) -> f64 {
    let (new, old) = (share * exposures.old, (1.0 - share) * exposures.new);
    (new - old) / (new + old)
}

#[cfg(test)]
mod tests {
    use super::super::dispersion::Dispersion;
    use super::*;

    fn limits(ticks: Pair, exposures: Pair, reach: f64) -> (f64, f64) {
        let evidence = TestEvidence::new(ticks, exposures.shares(), Dispersion::POISSON, 0.0);
        evidence.limits(exposures, reach)
    }

    fn ticks(old: f64, new: f64) -> Pair {
        Pair { old, new }
    }

    const CLOCK: Pair = Pair { old: 100.0, new: 100.0 };

    #[test]
    fn limits_of_many_ticks_are_normal() {
        let (low, high) = limits(ticks(10_000.0, 10_500.0), CLOCK, 2.0);
        let (change, deviation) = (5.0, 20_500f64.sqrt() / 100.0);
        assert!((low - (change - 2.0 * deviation)).abs() < 0.01, "{low}");
        assert!((high - (change + 2.0 * deviation)).abs() < 0.01, "{high}");
    }

    #[test]
    fn limits_leave_nothing_out_where_the_test_does_not() {
        for new in 0..40u32 {
            for exposures in [CLOCK, ticks(500.0, 100.0)] {
                let ticks = ticks(7.0, f64::from(new));
                let evidence =
                    TestEvidence::new(ticks, exposures.shares(), Dispersion::POISSON, 0.0);
                let (low, high) = limits(ticks, exposures, 2.0);
                let is_inside = low < 0.0 && high > 0.0;
                assert_eq!(is_inside, evidence.deviate.abs() < 2.0, "{new}: {low} {high}");
            }
        }
    }

    #[test]
    fn sides_mirror_each_other_to_the_bit() {
        for exposures in [CLOCK, ticks(37.0, 1000.0)] {
            for (old, new) in [(0.0, 0.0), (0.0, 4.0), (3.5, 80.25), (1e9, 1.1e9)] {
                let there = limits(ticks(old, new), exposures, 2.6);
                let back = limits(ticks(new, old), exposures.swapped(), 2.6);
                assert_eq!(there, (-back.1, -back.0));
            }
        }
    }

    #[test]
    fn a_time_that_vanishes_is_as_uncertain_as_its_ticks() {
        // Limits of 585 Poisson ticks: 525 and 649.
        let (low, high) = limits(ticks(585.0, 0.0), ticks(500.0, 500.0), 2.575_829);
        assert!((low + 1.30).abs() < 0.01 && (high + 1.05).abs() < 0.01, "{low} {high}");
    }

    #[test]
    fn no_ticks_may_have_been_a_few() {
        // e^-4.6 is 1 %.
        let (low, high) = limits(ticks(0.0, 0.0), CLOCK, 2.575_829);
        assert!(low == -high && (high - 0.046_05).abs() < 1e-5, "{high}");
        let (low, high) = limits(ticks(0.0, 20.0), CLOCK, 2.6);
        assert!(low > 0.05 && low < 0.2 && high > 0.3 && high < 0.4, "{low} {high}");
    }
}
