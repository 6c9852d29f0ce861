//! Controls false positives over all functions and the program.
//!
//! Holm's procedure with weights (Holm 1979): of the permitted false positives, each test gets a
//! part in proportion to its ticks, so the program gets half. The part that a found change no
//! longer needs goes to the other tests.
//!
//! The common variation of totals must not count once for each test: p-values are adjusted for
//! each value of the unknown variance, and then averaged. They are never below the p-value by the
//! test's own variation.

use super::difference_test::DifferenceOptions;
use super::evidence::TestEvidence;
use super::unknown_spread::UnknownSpread;

/// The adjusted p-values of all tests; 1 for those not tested. Tests with a p-value above the
/// permitted rate are not refined.
pub(super) fn adjusted(
    tested: &[usize],
    evidence: &[TestEvidence],
    chances: &[f64],
    spread: &UnknownSpread,
    options: &DifferenceOptions,
) -> Vec<f64> {
    let weights: f64 = tested.iter().map(|&index| evidence[index].weight()).sum();
    let all_weights = weights * (1.0 + options.others.left);
    let is_candidate = |index: &usize| chances[*index] <= options.alpha;
    let (candidates, others): (Vec<usize>, Vec<usize>) =
        tested.iter().partition(|index| is_candidate(index));
    let mut adjusted = vec![1.0; chances.len()];
    let mut means = vec![0.0; candidates.len()];
    for value in spread.values() {
        let mut tests: Vec<_> = candidates
            .iter()
            .enumerate()
            .map(|(place, &index)| WeightedTest {
                place,
                chance: evidence[index].chance_with(value.variance),
                weight: evidence[index].weight(),
            })
            .collect();
        step_down(&mut tests, all_weights);
        for test in tests {
            means[test.place] += value.chance * test.chance;
        }
    }
    for (&index, mean) in candidates.iter().zip(means) {
        let least = evidence[index].own_chance.max(chances[index]);
        adjusted[index] = mean.max(least).min(1.0);
    }
    let least = |index: usize| chances[index] * all_weights / evidence[index].weight();
    for index in others {
        adjusted[index] = least(index).min(1.0);
    }
    adjusted
}

struct WeightedTest {
    place: usize,
    chance: f64,
    weight: f64,
}

/// Adjusts the p-values of some tests with a sum of weights of all; the others are larger.
/// Sorts.
fn step_down(tests: &mut [WeightedTest], all_weights: f64) {
    let per_weight = |test: &WeightedTest| test.chance / test.weight;
    tests.sort_unstable_by(|a, b| {
        let by_chance = per_weight(a).total_cmp(&per_weight(b));
        by_chance.then(a.place.cmp(&b.place))
    });
    let (mut left, mut most) = (all_weights, 0.0f64);
    for test in tests {
        most = most.max(per_weight(test) * left).min(1.0);
        left -= test.weight;
        test.chance = most;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tests: &[(f64, f64)], expected: &[f64]) {
        let mut all: Vec<_> = (0..)
            .zip(tests)
            .map(|(place, &(chance, weight))| WeightedTest { place, chance, weight })
            .collect();
        step_down(&mut all, tests.iter().map(|(_, weight)| weight).sum());
        for test in all {
            assert!((test.chance - expected[test.place]).abs() < 1e-12);
        }
    }

    #[test]
    fn with_equal_weights_it_is_holms_procedure() {
        check(&[(0.01, 1.0), (0.04, 1.0), (0.03, 1.0), (0.005, 1.0)], &[0.03, 0.06, 0.06, 0.02]);
    }

    #[test]
    fn a_found_change_leaves_its_part_to_the_others() {
        // By hand: 0.004 of half the weight, then all for the other.
        check(&[(0.004, 3.0), (0.02, 3.0)], &[0.008, 0.02]);
        // 0.018 of nine tenths comes first, and then 0.004 of all.
        check(&[(0.004, 1.0), (0.018, 9.0)], &[0.02, 0.02]);
    }
}
