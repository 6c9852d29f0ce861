//! What the ticks of one function say about a change.

use super::dispersion::Dispersion;
use super::distributions::Student;
use super::two_counts::{Pair, deviate};
use super::unknown_spread::UnknownSpread;

/// How far the two sides of a function are apart, and what that is to be held against.
#[derive(Clone, Copy, Debug)]
pub(super) struct TestEvidence {
    /// As many ticks that vary by sampling alone say as much, see `two_counts`.
    pub(super) effective: Pair,
    /// The variance of ticks, as a multiple of that of Poisson numbers.
    pub(super) overdispersion: f64,
    /// How far the new side is above what it would be without a change, as a normal
    /// deviate; but for what all functions have in common.
    pub(super) deviate: f64,
    /// What the variance of a share of the total is of that of a number.
    pub(super) narrowing: f64,
    /// One by the variance of the logarithm of new by old.
    pub(super) precision: f64,
    /// How well that is known.
    pub(super) student: Student,
}

impl TestEvidence {
    /// Of ticks, where `shares` are those of both sides in what was sampled. With
    /// `share_of_total`, for given totals, of which the function is that much.
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

    /// The chance of such a deviate or a larger one, if nothing changed.
    ///
    /// One that is above `alpha` even if runs do not vary is not worth going through all
    /// that their spread may be: it is that with the spread that was seen.
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

    /// The same where deviates are that many times larger for what all functions have in
    /// common.
    pub(super) fn chance_with(&self, factor: f64) -> f64 {
        self.student.beyond(self.deviate / factor)
    }

    /// Whether any outcome with so many ticks could be as rare as that. Ticks that could
    /// not show anything, however they fell, are no tries.
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
