//! Controls the false discovery rate over all functions.
//!
//! Benjamini and Hochberg (1995): a p-value is multiplied by the number of functions and
//! divided by its rank. Then at most the requested share of the reported changes is wrong,
//! and if nothing changed, any report is as rare.
//!
//! The variation common to all functions must not count once for each: p-values are adjusted
//! for each value of the unknown spread, and then averaged.

use super::difference_test::QUESTIONS;
use super::evidence::TestEvidence;
use super::unknown_spread::UnknownSpread;

/// The adjusted p-values of all functions; 1 for those not tested. Functions with a p-value
/// above `alpha` are not refined.
pub(super) fn adjusted(
    tries: &[usize],
    evidence: &[TestEvidence],
    chances: &[f64],
    spread: &UnknownSpread,
    alpha: f64,
) -> Vec<f64> {
    let mut adjusted = vec![1.0; chances.len()];
    let all = tries.iter().map(|&index| (index, chances[index]));
    step_up(all.collect(), tries.len(), |index, chance| {
        adjusted[index] = chance
    });
    let is_candidate = |index: &usize| chances[*index] <= alpha;
    let candidates: Vec<_> = tries.iter().copied().filter(is_candidate).collect();
    if !spread.is_none() && !candidates.is_empty() {
        let mut means = vec![0.0; chances.len()];
        for value in spread.values() {
            let with_value = candidates.iter().map(|&index| {
                let evidence = &evidence[index];
                (
                    index,
                    evidence.chance_with(value.factor(evidence.precision)),
                )
            });
            step_up(with_value.collect(), tries.len(), |index, chance| {
                means[index] += value.chance * chance;
            });
        }
        for index in candidates {
            adjusted[index] = adjusted[index].min(means[index]);
        }
    }
    let of_questions = |chance: f64| (QUESTIONS * chance).min(1.0);
    adjusted.into_iter().map(of_questions).collect()
}

/// Adjusts the p-values of some of `n_all` functions; the others are larger. Sorts.
fn step_up(mut chances: Vec<(usize, f64)>, n_all: usize, mut hand_out: impl FnMut(usize, f64)) {
    chances.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let (n_all, mut n_as_rare) = (n_all as f64, chances.len() as f64);
    let mut least = 1.0f64;
    for (index, chance) in chances.into_iter().rev() {
        least = least.min(chance * n_all / n_as_rare);
        n_as_rare -= 1.0;
        hand_out(index, least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_adjusted_as_in_the_paper() {
        // The fifteen of Benjamini and Hochberg's example; four are at most 5 %.
        let chances = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        let mut found = [0.0; 15];
        let shuffled = (0..15).map(|step| step * 7 % 15);
        let all = shuffled.map(|index| (index, chances[index])).collect();
        step_up(all, 15, |index, chance| found[index] = chance);
        assert_eq!(found.iter().filter(|&&chance| chance <= 0.05).count(), 4);
        assert!((found[0] - 0.0015).abs() < 1e-12);
        assert!((found[3] - 0.035_625).abs() < 1e-12);
        // The seventh pulls the sixth down.
        assert!((found[4] - 0.0603).abs() < 1e-12);
        assert!((found[5] - 0.063_857_142_857).abs() < 1e-9);
        assert_eq!(found[5], found[6]);
        assert_eq!(found[14], 1.0);
    }

    #[test]
    fn alone_a_chance_is_what_it_is() {
        step_up(vec![(0, 0.02)], 1, |_, chance| assert_eq!(chance, 0.02));
        step_up(vec![(0, 0.02)], 10, |_, chance| assert_eq!(chance, 0.2));
    }
}
