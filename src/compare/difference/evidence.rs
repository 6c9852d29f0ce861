//! Evidence for a change in the ticks of a function.

use super::dispersion::Dispersion;
use super::distributions::Student;
use super::two_counts::{Pair, deviate};
use super::unknown_spread::UnknownSpread;

/// The distance between both sides of a function, with its uncertainty.
#[derive(Clone, Copy, Debug)]
pub(super) struct TestEvidence {
    /// Ticks with Poisson variance that contain the same information, see `two_counts`.
    pub(super) effective: Pair,
    /// Variance of ticks as a multiple of the Poisson variance.
    pub(super) overdispersion: f64,
    /// The deviation of the new side from no change, as a normal deviate, without the common
    /// variation.
    pub(super) deviate: f64,
    /// Variance of a share of the total, relative to that of a number.
    pub(super) narrowing: f64,
    /// Inverse variance of the logarithm of the ratio.
    pub(super) precision: f64,
    /// The precision of the variance.
    pub(super) student: Student,
}

impl TestEvidence {
    /// From ticks; `shares` are those of both sides in the exposure. With `share_of_total`,
    /// the share of the function in given totals.
    pub(super) fn new(
        ticks: Pair,
        shares: Pair,
        dispersion: Dispersion,
        share_of_total: f64,
    ) -> Self {
        let overdispersion = dispersion.multiple;
        let effective = ticks.map(|one| one / overdispersion);
        // The whole program is always the whole of itself, and rounding may not say
        // otherwise.
        let narrowing = (1.0 - share_of_total).max(1e-9).sqrt();
        Self {
            effective,
            overdispersion,
            deviate: deviate(ticks, shares, overdispersion) / narrowing,
            narrowing,
            precision: effective.both() * (shares.old * shares.new),
            student: dispersion.student,
        }
    }

    pub(super) fn ticks(&self) -> Pair {
        self.effective.map(|one| one * self.overdispersion)
    }

    /// The p-value.
    ///
    /// If it exceeds `alpha` without any common variation, the average over the unknown
    /// spread is not computed: it is the one for the observed spread.
    pub(super) fn chance(&self, spread: &UnknownSpread, alpha: f64) -> f64 {
        if spread.is_none() {
            return self.chance_with(1.0).min(1.0);
        }
        if self.chance_with(1.0) > alpha {
            return self.chance_with(spread.usual_factor(self.precision));
        }
        let chance = spread.mean(self.precision, |factor| self.chance_with(factor));
        chance.min(1.0)
    }

    /// The p-value if the common variation divides deviates by `factor`.
    pub(super) fn chance_with(&self, factor: f64) -> f64 {
        self.student.beyond(self.deviate / factor)
    }

    /// Returns whether any outcome with as many ticks could reach this p-value. Otherwise the
    /// function is not tested.
    pub(super) fn could_be_as_rare_as(&self, chance: f64, shares: Pair) -> bool {
        let all_on_one_side = shares.old.min(shares.new).powf(self.effective.both());
        all_on_one_side <= chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: Pair = Pair { old: 0.5, new: 0.5 };

    fn evidence(old: f64, new: f64, share_of_total: f64) -> TestEvidence {
        TestEvidence::new(Pair { old, new }, EVEN, Dispersion::POISSON, share_of_total)
    }

    #[test]
    fn one_run_a_side_is_the_exact_test() {
        // Of 10 throws 2 or fewer, or 8 or more, the last of which count half.
        let chance = evidence(2.0, 8.0, 0.0).chance(&UnknownSpread::none(), 0.01);
        assert!((chance - 67.0 / 1024.0).abs() < 1e-9, "{chance}");
        let nothing = evidence(0.0, 0.0, 0.0).chance(&UnknownSpread::none(), 0.01);
        assert_eq!(nothing, 1.0);
    }

    #[test]
    fn seven_ticks_cannot_show_what_ten_can() {
        assert!(evidence(5.0, 5.0, 0.0).could_be_as_rare_as(0.005, EVEN));
        assert!(!evidence(3.0, 4.0, 0.0).could_be_as_rare_as(0.005, EVEN));
    }

    #[test]
    fn shares_of_the_total_vary_less_than_numbers() {
        let (number, share) = (evidence(400.0, 500.0, 0.0), evidence(400.0, 500.0, 0.75));
        assert!((share.deviate / number.deviate - 2.0).abs() < 1e-12);
    }
}
