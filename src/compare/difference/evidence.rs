//! Evidence for a change in the ticks of a function.

use super::dispersion::Dispersion;
use super::distributions::{SmallChance, Student};
use super::two_counts::{Pair, deviate};
use super::unknown_spread::UnknownSpread;

/// The distance between both sides of a function, with its uncertainty.
#[derive(Clone, Copy, Debug)]
pub(super) struct TestEvidence {
    /// Ticks with Poisson variance that contain the same information, see `two_counts`.
    pub(super) effective: Pair,
    /// Variance of ticks in given totals, as a multiple of the Poisson variance.
    pub(super) overdispersion: f64,
    /// The deviation of the new side from no change, as a normal deviate, for ticks with that
    /// variance and totals with the same variation.
    pub(super) deviate: f64,
    /// The factor on that variance for given totals.
    pub(super) of_share: f64,
    /// The variance of the logarithm of the ratio between runs, if known: else totals vary.
    pub(super) varies: Option<f64>,
    /// Inverse variance of the logarithm of the ratio.
    pub(super) precision: f64,
    /// The precision of the variance.
    pub(super) student: Student,
    /// The p-value from the variation of its own times alone; 0 if unknown.
    pub(super) own_chance: f64,
    /// The variance of the logarithm of the ratio by its own times; 0 if unknown.
    pub(super) own_variance: f64,
}

impl TestEvidence {
    /// From ticks. `shares` are the shares of both sides in the exposure, and `share_of_total` is
    /// the share of the function in the ticks.
    pub(super) fn new(
        ticks: Pair,
        shares: Pair,
        dispersion: Dispersion,
        share_of_total: f64,
    ) -> Self {
        let overdispersion = dispersion.multiple;
        let effective = ticks.map(|one| one / overdispersion);
        Self {
            effective,
            overdispersion,
            deviate: deviate(ticks, shares, overdispersion),
            // Rounding must not make this 0 for the whole program.
            of_share: (1.0 - share_of_total).max(1e-9),
            varies: None,
            precision: effective.both() * (shares.old * shares.new),
            student: dispersion.student,
            own_chance: 0.0,
            own_variance: 0.0,
        }
    }

    pub(super) fn ticks(&self) -> Pair {
        self.effective.map(|one| one * self.overdispersion)
    }

    /// The weight in the adjustment for several tests: large functions matter more.
    pub(super) fn weight(&self) -> f64 {
        self.ticks().both()
    }

    /// The p-value.
    ///
    /// If it exceeds `alpha` for totals that do not vary, the average over the unknown variance
    /// is skipped; the result is the value for the observed variance.
    pub(super) fn chance(&self, spread: &UnknownSpread, alpha: f64) -> f64 {
        if self.chance_with(0.0) > alpha {
            return self.chance_with(spread.observed);
        }
        spread.mean(|variance| self.chance_with(variance)).min(1.0)
    }

    /// The deviate for a p-value.
    pub(super) fn exceeded_with(&self, small: SmallChance, spread: &UnknownSpread) -> f64 {
        let of_share = self.student.exceeded_with(small);
        let of_total = match self.varies {
            Some(varies) => varies * Student::NORMAL.exceeded_with(small).powi(2),
            None => spread.exceeded_with(small),
        };
        (self.of_share * of_share * of_share + self.precision * of_total).sqrt()
    }

    /// The p-value if totals have this variance.
    pub(super) fn chance_with(&self, of_totals: f64) -> f64 {
        self.student.beyond(self.strength(of_totals))
    }

    /// The variance of the deviate if totals have this variance.
    fn variance_with(&self, of_totals: f64) -> f64 {
        self.of_share + self.precision * self.varies.unwrap_or(of_totals)
    }

    /// The distance from no change in deviations, if totals have this variance.
    pub(super) fn strength(&self, of_totals: f64) -> f64 {
        self.deviate.abs() / self.variance_with(of_totals).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::super::distributions::normal_with_above;
    use super::*;

    const EVEN: Pair = Pair { old: 0.5, new: 0.5 };

    fn evidence(old: f64, new: f64, share_of_total: f64) -> TestEvidence {
        TestEvidence::new(Pair { old, new }, EVEN, Dispersion::POISSON, share_of_total)
    }

    #[test]
    fn one_run_a_side_is_the_exact_test() {
        // 2 or fewer heads in 10 throws, or 8 or more; the boundary values count half.
        let chance = evidence(2.0, 8.0, 0.0).chance(&UnknownSpread::none(), 0.01);
        assert!((chance - 67.0 / 1024.0).abs() < 1e-9, "{chance}");
        let nothing = evidence(0.0, 0.0, 0.0).chance(&UnknownSpread::none(), 0.01);
        assert_eq!(nothing, 1.0);
    }

    #[test]
    fn shares_of_the_total_vary_less_than_numbers() {
        let (number, share) = (evidence(400.0, 500.0, 0.0), evidence(400.0, 500.0, 0.75));
        let [p, half] = [number, share].map(|one| one.chance_with(0.0));
        let deviate = |p: f64| normal_with_above(p / 2.0);
        assert!((deviate(half) / deviate(p) - 2.0).abs() < 1e-9);
    }
}
