//! Two sides, compared function by function.

use super::DifferenceOptions;
use super::adjust::adjusted;
use super::evidence::Evidence;
use super::field::Field;
use super::judge::{Difference, Judge, QUESTIONS};
use super::side::Side;
use super::totals::TotalSpread;
use super::two_counts::Pair;
use super::verdict::Presence;
use crate::threads;

/// Functions that one thread judges before the next ones. Fewer are not worth several
/// threads.
pub(super) const PIECE: usize = 1 << 12;

/// All functions and the program.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The program; with `normalize` 1 on either side.
    pub total: Difference,
    /// Functions, by their number.
    pub functions: Box<[Difference]>,
    pub(super) evidence: Box<[Evidence]>,
    pub(super) field: Field,
    pub(super) options: DifferenceOptions,
    /// How many functions could have been found to differ, and how many were.
    pub(super) n_tried: usize,
    pub(super) n_found: usize,
}

impl Comparison {
    /// What counted as a change.
    #[must_use]
    pub fn options(&self) -> &DifferenceOptions {
        &self.options
    }

    /// How far totals of runs were seen to vary, as a share of them; `None` where there
    /// are not enough runs to see it.
    #[must_use]
    pub fn total_deviation(&self) -> Option<f64> {
        self.field.total.as_ref().map(TotalSpread::deviation)
    }
}

/// Compares two sides, whose functions have the same numbers. `presence` has one entry
/// for each. Costs functions, and sorting them.
#[must_use]
pub fn compare(
    old: &Side,
    new: &Side,
    presence: &[Presence],
    options: &DifferenceOptions,
) -> Comparison {
    let options = DifferenceOptions {
        alpha: options.alpha.clamp(1e-12, 0.5),
        ..*options
    };
    let mut field = Field::new(old, new, &options);
    let evidence = field.evidence(old, new, presence.len(), &options);
    field.find_spread(&evidence, &options);
    let chance = |index: usize| evidence[index].chance(&field.spread, options.alpha);
    let chances = threads::numbered(evidence.len(), PIECE, chance);
    let tries = tries(&field, &evidence, presence, &options);
    let adjusted = adjusted_of(&tries, &evidence, &chances, &field, &options);
    let judge = Judge::new(&field, &options);
    let functions = threads::numbered(presence.len(), PIECE, |index| {
        let ticks = Pair::of(old, new, |side| side.sums(index).ticks);
        let chances = (chances[index], adjusted[index]);
        judge.difference(ticks, &evidence[index], chances, presence[index])
    });
    let is_found = |&&index: &&usize| adjusted[index] <= options.alpha;
    Comparison {
        total: judge.total(),
        n_tried: tries.len(),
        n_found: tries.iter().filter(is_found).count(),
        functions: functions.into(),
        evidence,
        field,
        options,
    }
}

/// Functions that could be found to have changed, and of which that is in question.
fn tries(
    field: &Field,
    evidence: &[Evidence],
    presence: &[Presence],
    options: &DifferenceOptions,
) -> Vec<usize> {
    let shares = field.exposures.shares();
    let is_asked = |presence: Presence| matches!(presence, Presence::Unknown | Presence::Both);
    let is_try = |&index: &usize| {
        is_asked(presence[index])
            && evidence[index].could_be_as_rare_as(options.alpha / QUESTIONS, shares)
    };
    (0..evidence.len()).filter(is_try).collect()
}

fn adjusted_of(
    tries: &[usize],
    evidence: &[Evidence],
    chances: &[f64],
    field: &Field,
    options: &DifferenceOptions,
) -> Vec<f64> {
    let tried_evidence: Vec<_> = tries.iter().map(|&index| evidence[index]).collect();
    let tried_chances: Vec<_> = tries.iter().map(|&index| chances[index]).collect();
    let found = adjusted(
        &tried_evidence,
        &tried_chances,
        &field.spread,
        options.alpha,
    );
    let mut adjusted = vec![1.0; evidence.len()];
    for (&index, chance) in tries.iter().zip(found) {
        adjusted[index] = (QUESTIONS * chance).min(1.0);
    }
    adjusted
}
