//! Compares two sides function by function.

use super::adjust::adjusted;
use super::difference_test::{Difference, DifferenceOptions, DifferenceTest, Presence};
use super::dispersion::{Dispersion, dispersions, known_multiple};
use super::evidence::TestEvidence;
use super::own_spread::{OwnSpread, chance_of_program};
use super::rest::{AgainstRest, Tested, against_rest};
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
    /// By function number; the program last.
    pub(super) evidence: Box<[TestEvidence]>,
    pub(super) test: DifferenceTest,
    /// The sum of weights of all tests without a finding, see `adjust`.
    pub(super) weight_left: f64,
    /// One run a side: the change of the time of functions that did not change, by the machine, as
    /// a share of their old time.
    pub rest_change: Option<f64>,
}

impl Comparison {
    pub fn options(&self) -> &DifferenceOptions {
        &self.test.options
    }

    /// Returns whether several runs of a side show how runs vary.
    pub fn shows_variation(&self) -> bool {
        self.test.n_freed > 0.0
    }

    /// The correlation of runs with the same number, if they are compared in pairs.
    pub fn correlation_of_pairs(&self) -> Option<f64> {
        let total = self.test.total.filter(|_| !self.test.options.normalize)?;
        total.correlation()
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
    let test = DifferenceTest::new(old, new, options);
    let is_single = old.runs().len() + new.runs().len() <= 2;
    let is_by_rest =
        is_single && !test.options.normalize && test.total.is_some() && test.n_freed <= 0.0;
    let against_rest = if is_by_rest { compare_single(old, new, presence, &test) } else { None };
    against_rest.unwrap_or_else(|| compare_several(old, new, presence, test))
}

// Fewer functions are not worth several threads.
const CHUNK: usize = 1 << 12;

fn is_tested(presence: Presence) -> bool {
    matches!(presence, Presence::Unknown | Presence::Both)
}

/// One run a side: functions relative to those that did not change; `None` if too few did not.
fn compare_single(
    old: &Side,
    new: &Side,
    presence: &[Presence],
    test: &DifferenceTest,
) -> Option<Comparison> {
    let function = |(index, presence): (usize, &Presence)| Tested {
        ticks: Pair::of(old, new, |side: &Side| side.sums(index).ticks),
        dispersion: Dispersion::by_sampling(known_multiple(old, new, index)),
        is_tested: is_tested(*presence),
        is_in_rest: is_tested(*presence),
    };
    let functions = presence.iter().enumerate().map(function).collect();
    let of_program = test.evidence_of_program();
    let AgainstRest { functions: tested, rest, mut evidence, chances, adjusted, weight_left } =
        against_rest(functions, of_program.weight(), test)?;
    let functions = threads::numbered(presence.len(), CHUNK, |index| {
        let chances = (chances[index], adjusted[index]);
        let compared = rest.beside(&tested[index]).exposures(test.exposures);
        test.difference(&evidence[index], chances, presence[index], compared)
    });
    let chance = test.chance(&of_program);
    let adjusted = (chance * weight_left / of_program.weight()).max(chance).min(1.0);
    evidence.push(of_program);
    Some(Comparison {
        total: test.program(&of_program, (chance, adjusted)),
        weight_left,
        rest_change: Some(rest.change(test.exposures)),
        functions: functions.into(),
        evidence: evidence.into(),
        test: test.clone(),
    })
}

/// Functions by their times, which vary as runs show, or as assumed.
fn compare_several(
    old: &Side,
    new: &Side,
    presence: &[Presence],
    test: DifferenceTest,
) -> Comparison {
    let n_functions = presence.len();
    let dispersions = if old.runs().len() + new.runs().len() > 2 && test.total.is_some() {
        dispersions(old, new, n_functions)
    } else {
        Box::default()
    };
    let total = test.total.as_ref();
    let own_spread = total.map(|total| OwnSpread::new(old, new, total));
    let mut evidence = threads::numbered(n_functions, CHUNK, |index| {
        let dispersion = dispersions.get(index).copied();
        let ticks = Pair::of(old, new, |side: &Side| side.sums(index).ticks);
        let by_sampling = || Dispersion::by_sampling(known_multiple(old, new, index));
        TestEvidence {
            own_chance: own_spread.as_ref().map_or(1.0, |own| own.chance(index)),
            ..test.evidence(ticks, dispersion.unwrap_or_else(by_sampling))
        }
    });
    evidence.push(TestEvidence {
        own_chance: chance_of_program(old, new),
        ..test.evidence_of_program()
    });
    let chances = threads::numbered(evidence.len(), CHUNK, |index| test.chance(&evidence[index]));
    let is_tested = |&index: &usize| match presence.get(index) {
        Some(presence) => is_tested(*presence),
        None => !test.options.normalize,
    };
    let tested: Vec<_> = (0..evidence.len()).filter(is_tested).collect();
    let alpha = test.options.alpha;
    let adjusted = adjusted(&tested, &evidence, &chances, &test.spread, alpha);
    let functions = threads::numbered(n_functions, CHUNK, |index| {
        let chances = (chances[index], adjusted[index]);
        test.difference(&evidence[index], chances, presence[index], test.exposures)
    });
    let is_left = |index: &&usize| adjusted[**index] > alpha;
    let weights = tested.iter().filter(is_left).map(|&index| evidence[index].weight());
    Comparison {
        total: test.program(&evidence[n_functions], (chances[n_functions], adjusted[n_functions])),
        weight_left: weights.sum(),
        rest_change: None,
        functions: functions.into(),
        evidence: evidence.into(),
        test,
    }
}
