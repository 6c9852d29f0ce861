//! Compares two sides function by function.

use super::adjust::adjusted;
use super::difference_test::{Difference, DifferenceOptions, DifferenceTest, Presence};
use super::dispersion::{Dispersion, dispersions, known_multiple};
use super::distributions::Student;
use super::evidence::TestEvidence;
use super::own_spread::{OwnSpread, chance_of_program};
use super::rest::{AgainstRest, Rest, Tested, against_rest, vary_together};
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
    /// The sum of weights of all tests without a finding, also of other programs; see `adjust`.
    pub(super) weight_left: f64,
    /// The sum of weights of its own tests.
    weight: f64,
    /// The functions that did not change, if others were compared with these.
    shares: Option<Shares>,
}

/// A comparison of functions by their shares.
#[derive(Clone, Debug)]
struct Shares {
    functions: Vec<Tested>,
    rest: Rest,
    variation: f64,
    /// The largest factor by which the machine may have been slower on one side than usual.
    of_machine: f64,
}

impl Comparison {
    pub fn options(&self) -> &DifferenceOptions {
        &self.test.options
    }

    /// The weight of its tests without a finding, as a share of all of its tests.
    pub fn share_left(&self) -> f64 {
        let of_others = self.weight * self.test.options.others.left;
        if self.weight > 0.0 { (self.weight_left - of_others) / self.weight } else { 0.0 }
    }

    /// Returns whether several runs of a side show how runs vary.
    pub fn shows_variation(&self) -> bool {
        self.test.n_freed > 0.0
    }

    /// One run a side: the deviation of the program between earlier runs, as a share of its time.
    pub fn earlier_variation(&self) -> Option<f64> {
        let is_learned = self.shows_variation() && self.test.n_runs.both() <= 2.0;
        self.test.total.filter(|_| is_learned).map(|total| total.deviation())
    }

    /// Returns whether the runs of one side are too few to show how they vary.
    pub fn has_few_runs(&self) -> bool {
        self.test.total.is_some_and(|total| total.is_assumed)
    }

    /// The change of the time of functions that did not change, by the machine, as a share of their
    /// old time: other functions were compared with these.
    pub fn rest_change(&self) -> Option<f64> {
        self.shares.as_ref().map(|shares| shares.rest.change(self.test.exposures))
    }

    /// The difference of some functions together, tested as that of a function: what all functions
    /// have in common is not taken for independent changes. It is not adjusted for other tests.
    pub fn together(&self, functions: &[usize]) -> Difference {
        let test = &self.test;
        let evidence = functions.iter().map(|&function| &self.evidence[function]);
        let of_largest = evidence.clone().max_by(|a, b| a.weight().total_cmp(&b.weight()));
        let (mut ticks, mut variance) = (Pair { old: 0.0, new: 0.0 }, 0.0);
        for one in evidence {
            let of_one = one.ticks();
            ticks = Pair { old: ticks.old + of_one.old, new: ticks.new + of_one.new };
            variance += one.overdispersion * of_one.both();
        }
        let multiple = if variance > 0.0 { variance / ticks.both() } else { 1.0 };
        let student = of_largest.map_or(Student::NORMAL, |largest| largest.student);
        let dispersion = Dispersion { multiple, student, own: None };
        let by_shares = self.shares.as_ref().map(|shares| {
            let members = functions.iter().map(|&function| &shares.functions[function]);
            let rest = members.fold(shares.rest, |rest, of| rest.beside(of));
            let of = Tested { ticks, dispersion, is_tested: true, is_in_rest: false };
            let exposures = rest.exposures(test.exposures);
            (rest.evidence(&of, shares.variation), exposures, shares.of_machine)
        });
        let (evidence, compared, of_machine) =
            by_shares.unwrap_or_else(|| (test.evidence(ticks, dispersion), test.exposures, 1.0));
        let chance = test.chance(&evidence);
        test.difference(&evidence, (chance, chance), Presence::Both, compared, of_machine)
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
    let dispersions = if test.n_freed > 0.0 && test.total.is_some() {
        dispersions(old, new, presence.len())
    } else {
        (0..presence.len())
            .map(|index| Dispersion::by_sampling(known_multiple(old, new, index)))
            .collect()
    };
    let by_shares = compare_shares(old, new, presence, &dispersions, &test);
    by_shares.unwrap_or_else(|| compare_times(old, new, presence, &dispersions, test))
}

// Fewer functions are not worth several threads.
const CHUNK: usize = 1 << 12;

fn is_tested(presence: Presence) -> bool {
    matches!(presence, Presence::Unknown | Presence::Both)
}

/// Functions relative to those that did not change; `None` if too few did not, or if times show
/// more than shares.
fn compare_shares(
    old: &Side,
    new: &Side,
    presence: &[Presence],
    dispersions: &[Dispersion],
    test: &DifferenceTest,
) -> Option<Comparison> {
    if test.options.normalize || test.total.is_none() {
        return None;
    }
    let is_single = test.n_freed <= 0.0;
    let variation = if is_single { test.options.variation } else { 0.0 };
    let function = |(index, presence): (usize, &Presence)| Tested {
        ticks: Pair::of(old, new, |side: &Side| side.sums(index).ticks),
        dispersion: dispersions[index],
        is_tested: is_tested(*presence),
        is_in_rest: is_tested(*presence),
    };
    let functions: Vec<Tested> = presence.iter().enumerate().map(function).collect();
    if !is_single && !vary_together(&functions, test) {
        return None;
    }
    let of_program =
        TestEvidence { own_chance: chance_of_program(old, new), ..test.evidence_of_program() };
    let AgainstRest {
        functions: tested,
        rest,
        mut evidence,
        chances,
        adjusted,
        weight,
        weight_left,
    } = against_rest(functions, of_program.weight(), variation, test)?;
    // The rest does not show how fast the machine was on the whole.
    let of_machine = test.total.filter(|_| !is_single).map_or(1.0, |total| test.machine(&total));
    let chance = test.chance(&of_program);
    let adjusted_of_program = (chance * weight_left / of_program.weight()).max(chance);
    let adjusted_of_program = adjusted_of_program.max(of_program.own_chance).min(1.0);
    let total = test.program(&of_program, (chance, adjusted_of_program));
    let functions = threads::numbered(presence.len(), CHUNK, |index| {
        let chances = (chances[index], adjusted[index]);
        let compared = rest.beside(&tested[index]).exposures(test.exposures);
        test.difference(&evidence[index], chances, presence[index], compared, of_machine)
            .within(&total)
    });
    evidence.push(of_program);
    Some(Comparison {
        total,
        weight_left,
        weight,
        shares: Some(Shares { functions: tested, rest, variation, of_machine }),
        functions: functions.into(),
        evidence: evidence.into(),
        test: test.clone(),
    })
}

/// Functions by their times, which vary as runs show, or as assumed.
fn compare_times(
    old: &Side,
    new: &Side,
    presence: &[Presence],
    dispersions: &[Dispersion],
    test: DifferenceTest,
) -> Comparison {
    let n_functions = presence.len();
    let total = test.total.as_ref();
    let own_spread = total.map(|total| OwnSpread::new(old, new, total));
    let mut evidence = threads::numbered(n_functions, CHUNK, |index| {
        let ticks = Pair::of(old, new, |side: &Side| side.sums(index).ticks);
        let own = own_spread.as_ref().map(|own| own.chance(index));
        let (own_chance, own_variance) = own.unwrap_or((1.0, 0.0));
        TestEvidence { own_chance, own_variance, ..test.evidence(ticks, dispersions[index]) }
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
    let adjusted = adjusted(&tested, &evidence, &chances, &test.spread, &test.options);
    let functions = threads::numbered(n_functions, CHUNK, |index| {
        let chances = (chances[index], adjusted[index]);
        test.difference(&evidence[index], chances, presence[index], test.exposures, 1.0)
    });
    let is_left = |index: &&usize| adjusted[**index] > test.options.alpha;
    let weight_of = |&index: &usize| evidence[index].weight();
    let weight: f64 = tested.iter().map(weight_of).sum();
    let left: f64 = tested.iter().filter(is_left).map(weight_of).sum();
    Comparison {
        total: test.program(&evidence[n_functions], (chances[n_functions], adjusted[n_functions])),
        weight_left: left + weight * test.options.others.left,
        weight,
        shares: None,
        functions: functions.into(),
        evidence: evidence.into(),
        test,
    }
}

#[cfg(test)]
mod tests {
    use super::super::difference_test::ChangeVerdict;
    use super::*;
    use crate::compare::difference::SideRun;

    /// Runs of a program whose functions have these ticks per tick of the run.
    fn side(totals: &[f64], shares: [f64; 3]) -> Side {
        let mut side = Side::default();
        for &ticks in totals {
            let run = SideRun { seconds_per_tick: 0.01, ticks, n_runs: 1 };
            side.add_run(run, shares.map(|share| (ticks * share).round()).into_iter().enumerate());
        }
        side
    }

    fn together(totals: [&[f64]; 2], into: f64) -> ChangeVerdict {
        let old = side(totals[0], [0.2, 0.1, 0.7]);
        let new = side(totals[1], [0.0, into, 1.0 - into]);
        let compared = compare(&old, &new, &[Presence::Both; 3], &DifferenceOptions::default());
        assert!(!compared.total.verdict.is_change(), "{:?}", compared.total);
        compared.together(&[0, 1]).verdict
    }

    #[test]
    fn functions_together_do_not_change_with_the_whole_program() {
        // Runs that vary, the new ones 40 % longer; the first function is part of the second now.
        let vary: [&[f64]; 2] = [&[3000.0, 5000.0, 7000.0], &[4500.0, 7000.0, 9500.0]];
        assert_eq!(together(vary, 0.3), ChangeVerdict::Unclear);
        assert_eq!(together(vary, 0.6), ChangeVerdict::Slower);
        // Shares of single runs.
        let single: [&[f64]; 2] = [&[5000.0], &[5900.0]];
        assert_ne!(together(single, 0.3), ChangeVerdict::Slower);
        assert_eq!(together(single, 0.6), ChangeVerdict::Slower);
    }
}
