//! Compares two sides function by function.

use super::adjust::adjusted;
use super::difference_test::{Difference, DifferenceOptions, DifferenceTest, Presence};
use super::dispersion::{Dispersion, dispersions};
use super::evidence::TestEvidence;
use super::side::Side;
use super::two_counts::Pair;
use crate::threads;

/// The differences of all functions and of the program.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The program; with `normalize` 1 on both sides.
    pub total: Difference,
    /// By function number.
    pub functions: Box<[Difference]>,
    pub(super) evidence: Box<[TestEvidence]>,
    pub(super) test: DifferenceTest,
    /// Number of functions that could have been found to differ, and that were.
    pub(super) n_tried: usize,
    pub(super) n_found: usize,
}

impl Comparison {
    pub fn options(&self) -> &DifferenceOptions {
        &self.test.options
    }
}

/// Compares two sides with the same function numbers; `presence` has one entry for each.
/// Linear in functions, plus sorting.
pub fn compare(
    old: &Side,
    new: &Side,
    presence: &[Presence],
    options: &DifferenceOptions,
) -> Comparison {
    // Fewer functions are not worth several threads.
    const CHUNK: usize = 1 << 12;
    let n_functions = presence.len();
    let mut test = DifferenceTest::new(old, new, options);
    let dispersions = test
        .total
        .map(|_| dispersions(old, new, n_functions))
        .unwrap_or_default();
    let ticks_of = |index: usize| Pair::of(old, new, |side: &Side| side.sums(index).ticks);
    let evidence: Box<[_]> = threads::numbered(n_functions, CHUNK, |index| {
        let dispersion = dispersions.get(index).copied();
        test.evidence(ticks_of(index), dispersion.unwrap_or(Dispersion::POISSON))
    })
    .into();
    test.find_spread(&evidence);
    let chances = threads::numbered(n_functions, CHUNK, |index| test.chance(&evidence[index]));
    let is_try = |&index: &usize| test.is_try(&evidence[index], presence[index]);
    let tries: Vec<_> = (0..n_functions).filter(is_try).collect();
    let alpha = test.options.alpha;
    let adjusted = adjusted(&tries, &evidence, &chances, &test.spread, alpha);
    let functions = threads::numbered(n_functions, CHUNK, |index| {
        let chances = (chances[index], adjusted[index]);
        test.difference(ticks_of(index), &evidence[index], chances, presence[index])
    });
    Comparison {
        total: test.program(),
        n_tried: tries.len(),
        n_found: tries
            .iter()
            .filter(|&&index| adjusted[index] <= alpha)
            .count(),
        functions: functions.into(),
        evidence,
        test,
    }
}
