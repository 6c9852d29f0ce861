//! One run a side: which functions changed, relative to the rest.
//!
//! One run a side does not show how fast the machine was. The shares of functions do not depend on
//! that, but a change of one function changes the shares of all others. So the function with the
//! strongest evidence is taken out of the rest, and the others are compared again without it:
//! forward selection (Efroymson 1960). In the end, each function is tested against the rest. Of a
//! program with two functions, shares do not show which one changed, so the times count as well.
//! If next to nothing of a side is left, or if that changed by more than machines do, there is no
//! rest.
//!
//! Assumptions: the rest did not change together, and the time of each function varies between runs
//! by a stated share. Few rounds, each linear in functions.

use super::difference_test::DifferenceTest;
use super::dispersion::Dispersion;
use super::distributions::{SmallChance, Student};
use super::evidence::TestEvidence;
use super::own_spread::CAUTION;
use super::two_counts::Pair;

/// Of the functions with significant evidence, the strongest of so many leave the rest in a round;
/// of many, the stronger half.
const PART: usize = 8;
const MANY: usize = 64;

/// The rest has at least this share of the ticks of each side.
const LEAST_REST: f64 = 0.1;

/// A function to test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tested {
    pub(super) ticks: Pair,
    pub(super) dispersion: Dispersion,
    /// It counts in the adjustment for several tests.
    pub(super) is_tested: bool,
    pub(super) is_in_rest: bool,
}

impl Tested {
    fn n_ticks(&self) -> f64 {
        self.ticks.both()
    }

    fn variance(&self) -> f64 {
        self.n_ticks() * self.dispersion.multiple
    }
}

/// The functions that did not change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    pub(super) ticks: Pair,
    /// The variance of their ticks by sampling.
    variance: f64,
    /// The sum of the squares of their ticks.
    squares: f64,
}

impl Rest {
    fn of(functions: &[Tested]) -> Self {
        let mut rest = Self { ticks: Pair { old: 0.0, new: 0.0 }, variance: 0.0, squares: 0.0 };
        for of in functions.iter().filter(|of| of.is_in_rest) {
            rest.ticks.old += of.ticks.old;
            rest.ticks.new += of.ticks.new;
            rest.variance += of.variance();
            rest.squares += of.n_ticks() * of.n_ticks();
        }
        rest
    }

    /// The exposures for which the time of the rest is the same on both sides, between them.
    pub(super) fn exposures(&self, exposures: Pair) -> Pair {
        if self.is_empty() {
            return exposures;
        }
        let times = self.ticks.per(exposures);
        times.map(|time| time / (times.old * times.new).sqrt()).times(exposures)
    }

    /// The change of its time, as a share of the old one.
    pub(super) fn change(&self, exposures: Pair) -> f64 {
        let times = self.ticks.per(exposures);
        times.new / times.old - 1.0
    }

    /// Returns whether it is enough of all functions to compare others with it.
    fn is_enough(&self, all: Self) -> bool {
        let is_enough = |rest: f64, all: f64| rest > 0.0 && rest >= LEAST_REST * all;
        is_enough(self.ticks.old, all.ticks.old) && is_enough(self.ticks.new, all.ticks.new)
    }

    /// The rest without a function: it is compared with all others.
    pub(super) fn beside(self, of: &Tested) -> Self {
        if !of.is_in_rest {
            return self;
        }
        Self {
            ticks: Pair { old: self.ticks.old - of.ticks.old, new: self.ticks.new - of.ticks.new },
            variance: (self.variance - of.variance()).max(0.0),
            squares: (self.squares - of.n_ticks() * of.n_ticks()).max(0.0),
        }
    }

    fn is_empty(&self) -> bool {
        !(self.ticks.old > 0.0 && self.ticks.new > 0.0)
    }

    /// Returns whether the evidence may be this strong, by the normal approximation: it spares the
    /// exact test of most functions.
    fn may_differ(self, of: &Tested, strength: f64) -> bool {
        let shares = self.beside(of).ticks.shares();
        let excess = of.ticks.new * shares.old - of.ticks.old * shares.new;
        let variance = of.variance() * (shares.old * shares.new);
        2.0 * excess * excess >= strength * strength * variance
    }

    /// The evidence for a change of its own time.
    fn evidence_by_time(&self, test: &DifferenceTest) -> TestEvidence {
        let multiple = self.variance / self.ticks.both();
        test.evidence(self.ticks, Dispersion::by_sampling(multiple))
    }

    /// The evidence for a change relative to the rest. `variation` is the deviation of the time of
    /// a function between runs.
    pub(super) fn evidence(self, of: &Tested, variation: f64) -> TestEvidence {
        let others = self.beside(of);
        let n_ticks = of.n_ticks();
        if n_ticks == 0.0 || others.is_empty() {
            let evidence = TestEvidence::new(of.ticks, self.ticks.shares(), of.dispersion, 0.0);
            return TestEvidence { own_chance: 1.0, ..evidence };
        }
        let evidence = TestEvidence::new(of.ticks, others.ticks.shares(), of.dispersion, 0.0);
        let per_tick = 1.0 / others.ticks.both();
        // Relative to the variance of the logarithm of the function's time.
        let of_others =
            (n_ticks * per_tick) * (n_ticks * per_tick) * others.variance / of.variance();
        let varies = 2.0 * variation * variation * (1.0 + others.squares * per_tick * per_tick);
        let of_share = 1.0 + of_others;
        let own_chance = of.dispersion.own.map_or(0.0, |(multiple, student)| {
            let alone = Dispersion { multiple, ..of.dispersion };
            let alone = TestEvidence::new(of.ticks, others.ticks.shares(), alone, 0.0);
            (CAUTION * student.beyond(alone.deviate / of_share.sqrt())).min(1.0)
        });
        TestEvidence { of_share, varies: Some(varies), own_chance, ..evidence }
    }
}

/// The evidence of all functions relative to the rest that remains, and p-values.
pub(super) struct AgainstRest {
    pub(super) functions: Vec<Tested>,
    pub(super) rest: Rest,
    pub(super) evidence: Vec<TestEvidence>,
    pub(super) chances: Vec<f64>,
    pub(super) adjusted: Vec<f64>,
    /// The sum of weights of all tests, and of those without a finding, also of other programs.
    pub(super) weight: f64,
    pub(super) weight_left: f64,
}

/// From this multiple of the variance by functions on, the variance of totals hides more of a change
/// than its share does.
const COMMON: f64 = 3.0;

/// Returns whether runs show that all functions vary together.
pub(super) fn vary_together(functions: &[Tested], test: &DifferenceTest) -> bool {
    let all = Rest::of(functions);
    !all.is_empty() && all.evidence_by_time(test).precision * test.spread.observed > COMMON
}

/// Takes changed functions out of the rest, and tests all against it; `None` if no rest is left.
/// `of_program` is the weight of the program in the adjustment, and `variation` that of the time of
/// a function between runs, in addition to its dispersion.
pub(super) fn against_rest(
    mut functions: Vec<Tested>,
    of_program: f64,
    variation: f64,
    test: &DifferenceTest,
) -> Option<AgainstRest> {
    let alpha = test.options.alpha;
    let strength = Student::NORMAL.exceeded_with(SmallChance::new(alpha));
    let adjusted_with = |one: &TestEvidence, weight_left: f64| {
        (one.chance_with(0.0) * (weight_left / one.weight())).max(one.own_chance)
    };
    let all = Rest::of(&functions);
    let weight = of_program + all.ticks.both();
    let mut weight_left = weight * (1.0 + test.options.others.left);
    let mut adjusted_when_taken = vec![0.0f64; functions.len()];
    let mut least = 0.0f64;
    let mut rest = all;
    loop {
        if !rest.is_enough(all) {
            return None;
        }
        let mut found = Vec::new();
        for (index, of) in functions.iter().enumerate() {
            if !of.is_in_rest || !rest.may_differ(of, strength) {
                continue;
            }
            let evidence = rest.evidence(of, variation);
            let adjusted = adjusted_with(&evidence, weight_left);
            if adjusted <= alpha {
                let by_time = test.evidence(of.ticks, of.dispersion);
                let by_time = by_time.strength(test.spread.observed);
                found.push((index, evidence.strength(0.0).hypot(by_time), adjusted));
            }
        }
        if found.is_empty() {
            break;
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(found.len().div_ceil(if found.len() > MANY { 2 } else { PART }));
        for (index, _, adjusted) in found {
            least = least.max(adjusted);
            adjusted_when_taken[index] = least;
            functions[index].is_in_rest = false;
            weight_left -= functions[index].n_ticks();
        }
        rest = Rest::of(&functions);
    }
    if test.chance(&rest.evidence_by_time(test)) <= alpha {
        return None;
    }
    let evidence = functions.iter().map(|of| rest.evidence(of, variation));
    let evidence: Vec<TestEvidence> = evidence.collect();
    let adjusted = functions.iter().zip(&evidence).zip(adjusted_when_taken);
    let adjusted = adjusted.map(|((of, evidence), when_taken)| match of.n_ticks() {
        n_ticks if n_ticks == 0.0 || !of.is_tested => 1.0,
        // Without those found later, it need not be a change.
        n_ticks => adjusted_with(evidence, weight_left.max(n_ticks)).max(when_taken).min(1.0),
    });
    let adjusted: Vec<f64> = adjusted.collect();
    let chances = evidence.iter().map(|one| one.chance_with(0.0).max(one.own_chance)).collect();
    Some(AgainstRest { functions, rest, evidence, chances, adjusted, weight, weight_left })
}
