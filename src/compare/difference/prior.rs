//! The prior distribution of the variation of functions.
//!
//! With few runs, the variation of a single function is imprecise. It is combined with the
//! common one, as if variations had a scaled inverse chi-squared distribution (Smyth 2004):
//! each function has its own degrees of freedom, plus those of the prior.

use crate::analyze::special::ln_gamma;

/// Degrees of freedom to try; the last represents very many.
const DEGREES: [f64; 16] =
    [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 128.0, 256.0, 1e6];

/// The prior for the variation of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prior {
    /// Degrees of freedom.
    pub(super) degrees: f64,
    pub(super) scale: f64,
}

impl Prior {
    /// The most likely prior for variations with `degrees` degrees of freedom each.
    ///
    /// It may overestimate the similarity of functions, but each change must also be significant
    /// by the function's own variation (`own_spread`).
    pub(super) fn of(spreads: &[f64], degrees: f64) -> Self {
        let candidates = DEGREES.map(|common| {
            let scale = scale(spreads, degrees, common);
            let prior = Self { degrees: common, scale };
            (prior, ln_likelihood(spreads, degrees, prior))
        });
        let first = candidates[0];
        let likelier = |best: (Self, f64), next: (Self, f64)| {
            if next.1 > best.1 { next } else { best }
        };
        candidates.into_iter().fold(first, likelier).0
    }
}

/// The most likely scale, by fixed-point iteration.
fn scale(spreads: &[f64], degrees: f64, common: f64) -> f64 {
    // Functions that happen to have no spread at all are not the usual case.
    const LEAST: f64 = 1e-12;
    let mut scale = mean(spreads, |spread| spread) + LEAST;
    for _ in 0..20 {
        let part = degrees / (common * scale);
        let next = (degrees + common) / common;
        scale = mean(spreads, |spread| next * spread / (1.0 + part * spread)) + LEAST;
    }
    scale
}

/// Without terms that do not depend on the prior.
fn ln_likelihood(spreads: &[f64], degrees: f64, prior: Prior) -> f64 {
    let Prior { degrees: common, scale } = prior;
    let all = (degrees + common) / 2.0;
    let part = degrees / (common * scale);
    let one = ln_gamma(all) - ln_gamma(common / 2.0) + degrees / 2.0 * part.ln();
    let n_spreads = spreads.len() as f64;
    n_spreads * (one - all * mean(spreads, |spread| (part * spread).ln_1p()))
}

fn mean(spreads: &[f64], of: impl Fn(f64) -> f64) -> f64 {
    let n_spreads = spreads.len().max(1) as f64;
    spreads.iter().map(|&spread| of(spread)).sum::<f64>() / n_spreads
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles of the exponential distribution, which is chi-squared with two degrees of
    /// freedom.
    fn exponentials() -> Vec<f64> {
        let middle = |step: u32| (f64::from(step) + 0.5) / 400.0;
        (0..400).map(|step| -middle(step).ln()).collect()
    }

    #[test]
    fn spreads_as_chance_has_them_are_of_one_kind() {
        let prior = Prior::of(&exponentials(), 2.0);
        assert!(prior.degrees >= 16.0, "{prior:?}");
        assert!((prior.scale - 1.0).abs() < 0.1, "{prior:?}");
    }

    #[test]
    fn functions_that_vary_far_more_than_others_are_known_to_be_there() {
        let factor = |index: usize| if index.is_multiple_of(10) { 100.0 } else { 1.0 };
        let spreads = exponentials().into_iter().enumerate();
        // Shuffled, so that factors do not go with size.
        let spreads: Vec<_> = spreads.map(|(i, s)| s * factor(i * 7 / 3)).collect();
        let prior = Prior::of(&spreads, 2.0);
        assert!(prior.degrees <= 3.0, "{prior:?}");
    }

    #[test]
    fn no_spread_is_no_trouble() {
        for spreads in [&[][..], &[0.0], &[0.0, 0.0, 5.0]] {
            let prior = Prior::of(spreads, 4.0);
            assert!(prior.scale.is_finite() && prior.scale > 0.0, "{prior:?}");
        }
    }
}
