//! Runs of both sides in pairs. If the sides ran in turn on a machine that changes slowly, runs
//! of the same number are alike, and their differences vary less than they do.

use super::distributions::{SmallChance, Student};
use super::side::{Side, SideRun};

/// With fewer runs per side, their correlation is unknown.
const LEAST_PAIRS: usize = 6;

/// Minimum correlation of pairs.
const LEAST_CORRELATION: f64 = 0.3;

/// The share of independent sides whose runs may be alike by chance. These make differences look
/// too certain: of six pairs, a fifth of them seem to differ at 1 %.
const ALIKE_BY_CHANCE: f64 = 0.005;

/// Pairs of runs that vary together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunPairs {
    /// Number of pairs.
    pub(super) n_pairs: f64,
    pub(super) correlation: f64,
    /// Sum of squared differences within pairs from the mean one, relative to the time of a run.
    pub(super) squares: f64,
    /// The change from one run to the next, if runs get longer or shorter all the time: so much
    /// later is one side in each pair.
    pub(super) drift: f64,
}

impl RunPairs {
    /// `None` if the order of runs is unknown, or if runs of the same number are not alike.
    /// Linear in runs.
    pub(super) fn of(old: &Side, new: &Side) -> Option<Self> {
        let rounding = [old, new].map(Side::rounding);
        let (old, new) = (deviations(old)?, deviations(new)?);
        if old.len() != new.len() || old.len() < LEAST_PAIRS {
            return None;
        }
        let n_pairs = old.len() as f64;
        let pairs = || old.iter().zip(&new);
        let product: f64 = pairs().map(|(old, new)| old * new).sum();
        let squares = |side: &[f64]| side.iter().map(|one| one * one).sum::<f64>();
        let squares_of_sides = [squares(&old), squares(&new)];
        let correlation = product / squares_of_sides.iter().product::<f64>().sqrt();
        let least = LEAST_CORRELATION.max(correlation_by_chance(n_pairs));
        let varies = |side: usize| squares_of_sides[side] > n_pairs * rounding[side];
        (correlation > least && varies(0) && varies(1)).then(|| Self {
            n_pairs,
            correlation,
            squares: pairs().map(|(old, new)| (new - old).powi(2)).sum(),
            drift: slope(pairs().map(|(old, new)| (old + new) / 2.0)) / 2.0,
        })
    }
}

/// The correlation that so many independent pairs exceed with [`ALIKE_BY_CHANCE`]: it has
/// Student's distribution, after a transformation (Fisher 1915).
fn correlation_by_chance(n_pairs: f64) -> f64 {
    let degrees = n_pairs - 2.0;
    let t = Student::new(degrees).exceeded_with(SmallChance::new(2.0 * ALIKE_BY_CHANCE));
    t / (degrees + t * t).sqrt()
}

/// The slope of the least-squares line through numbers with the mean 0.
fn slope(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let middle = (numbers.len() as f64 - 1.0) / 2.0;
    let (mut squares, mut products) = (0.0, 0.0);
    for (place, number) in numbers.enumerate() {
        let place = place as f64 - middle;
        squares += place * place;
        products += place * number;
    }
    products / squares
}

/// The times of runs, relative to their mean, in the order in which they were made. `None` for
/// sums of several runs, and if earlier sets show how runs vary.
fn deviations(side: &Side) -> Option<Vec<f64>> {
    let runs = side.in_order()?;
    if side.earlier().next().is_some() || runs.iter().any(|run| run.n_runs > 1) {
        return None;
    }
    let times: Vec<f64> = runs.iter().map(SideRun::seconds).collect();
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    Some(times.iter().map(|time| time / mean - 1.0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(times: &[f64], n_runs: u32) -> Side {
        let mut side = Side::of_totals(times, n_runs);
        side.set_order((0..times.len()).collect());
        side
    }

    const OLD: [f64; 6] = [100.0, 110.0, 90.0, 120.0, 80.0, 100.0];

    #[test]
    fn runs_that_vary_together_are_pairs() {
        let new = OLD.map(|time| 2.0 * time);
        let found = RunPairs::of(&side(&OLD, 1), &side(&new, 1)).expect("they are alike");
        assert!((found.correlation - 1.0).abs() < 1e-12 && found.squares < 1e-12);
        let rising = |first: f64| [0.0, 2.0, 4.0, 6.0, 8.0, 10.0].map(|more| first + more);
        let sides = [side(&rising(95.0), 1), side(&rising(96.0), 1)];
        let found = RunPairs::of(&sides[0], &sides[1]).expect("they are alike");
        assert!((found.drift - 0.01).abs() < 1e-4, "{found:?}");
        let mut new = OLD;
        new[5] = 112.0;
        let found = RunPairs::of(&side(&OLD, 1), &side(&new, 1)).expect("they are alike");
        // By hand: the mean is 102, and deviations differ by these.
        let expected = OLD.iter().zip(new);
        let expected = expected.map(|(old, new)| (new / 102.0 - old / 100.0).powi(2));
        assert!((found.squares - expected.sum::<f64>()).abs() < 1e-12);
    }

    #[test]
    fn few_pairs_are_alike_by_chance() {
        // Critical values of the correlation, one-sided at 0.5 %, from tables.
        for (n_pairs, expected) in [(6.0, 0.917), (10.0, 0.765), (20.0, 0.561), (102.0, 0.254)] {
            assert!((correlation_by_chance(n_pairs) - expected).abs() < 1e-3, "{n_pairs}");
        }
    }

    #[test]
    fn other_runs_are_not() {
        let reversed = [90.0, 110.0, 100.0, 80.0, 120.0, 100.0];
        assert_eq!(RunPairs::of(&side(&OLD, 1), &side(&reversed, 1)), None);
        assert_eq!(RunPairs::of(&side(&OLD, 2), &side(&OLD, 2)), None);
        assert_eq!(RunPairs::of(&side(&OLD[..5], 1), &side(&OLD[..5], 1)), None);
        assert_eq!(RunPairs::of(&side(&[9.0; 6], 1), &side(&[9.0; 6], 1)), None);
        let mut unordered = side(&OLD, 1);
        unordered.set_order(Vec::new());
        assert_eq!(RunPairs::of(&unordered, &side(&OLD, 1)), None);
    }
}
