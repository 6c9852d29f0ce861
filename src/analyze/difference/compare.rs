//! Two sides, compared function by function.

use super::adjust::adjusted;
use super::dispersion::{Dispersion, dispersions};
use super::evidence::Evidence;
use super::limits::Seen;
use super::side::Side;
use super::totals::TotalSpread;
use super::two_counts::Pair;
use super::unknown_spread::UnknownSpread;
use super::verdict::{Grounds, Presence, Verdict, lies_within};

/// What counts as a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceOptions {
    /// How rarely anything may be said to have changed if nothing did.
    pub alpha: f64,
    /// A change matters if it is this share of the function, where it took less time ...
    pub min_change_of_function: f64,
    /// ... or this share of the program, where that took less: whichever is less.
    pub min_change_of_program: f64,
    /// Compare shares of the total instead of seconds.
    pub normalize: bool,
    /// Ticks of a function are also those of the functions that call it.
    pub inclusive: bool,
}

impl Default for DifferenceOptions {
    fn default() -> Self {
        Self {
            alpha: 0.01,
            min_change_of_function: 0.02,
            min_change_of_program: 0.005,
            normalize: false,
            inclusive: false,
        }
    }
}

/// One function, or the program, on both sides. Times are seconds of one run of the
/// program, or shares of its total.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The time on the old side.
    pub old: f64,
    /// The time on the new side.
    pub new: f64,
    /// New less old.
    pub change: f64,
    /// The change as a share of the old time; `None` where that is 0.
    pub change_share: Option<f64>,
    /// Between which changes the real one lies, with a confidence of one less alpha.
    pub interval: (f64, f64),
    /// The chance of such a change or a larger one, if nothing changed.
    pub p: f64,
    /// The same, in view of how many functions there are.
    pub adjusted_p: f64,
    /// The least change that matters.
    pub least_change: f64,
    /// Whatever it changed by, it is less than matters for the program.
    pub is_minor: bool,
    /// What follows.
    pub verdict: Verdict,
}

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

/// What is the same for all functions.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Ticks by the unit in which times are.
    pub(super) exposures: Pair,
    pub(super) n_runs: Pair,
    pub(super) total_ticks: Pair,
    pub(super) total: Option<TotalSpread>,
    pub(super) independent: f64,
    pub(super) spread: UnknownSpread,
}

impl Comparison {
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
    let chances: Vec<f64> = evidence
        .iter()
        .map(|one| one.chance(&field.spread, options.alpha))
        .collect();
    let tries = tries(&field, &evidence, presence, &options);
    let adjusted = adjusted_of(&tries, &evidence, &chances, &field, &options);
    let judge = Judge {
        field: &field,
        options: &options,
    };
    let functions: Box<[Difference]> = (0..presence.len())
        .map(|index| {
            let ticks = pair(old, new, |side| side.sums(index).ticks);
            let chances = (chances[index], adjusted[index]);
            judge.difference(ticks, &evidence[index], chances, presence[index])
        })
        .collect();
    let is_found = |&&index: &&usize| adjusted[index] <= options.alpha;
    Comparison {
        total: judge.total(),
        n_tried: tries.len(),
        n_found: tries.iter().filter(is_found).count(),
        functions,
        evidence,
        field,
        options,
    }
}

fn pair(old: &Side, new: &Side, of: impl Fn(&Side) -> f64) -> Pair {
    Pair {
        old: of(old),
        new: of(new),
    }
}

impl Field {
    fn new(old: &Side, new: &Side, options: &DifferenceOptions) -> Self {
        let total_ticks = pair(old, new, Side::ticks);
        let n_runs = pair(old, new, |side| side.runs().len() as f64);
        let exposures = if options.normalize {
            total_ticks
        } else {
            pair(old, new, Side::exposure)
        };
        Self {
            // Without a run, or without ticks to take shares of, any number will do:
            // there are no ticks to divide by it.
            exposures: exposures.map(|one| if one > 0.0 { one } else { 1.0 }),
            n_runs,
            total_ticks,
            total: TotalSpread::measured(old, new),
            independent: 0.0,
            spread: UnknownSpread::none(),
        }
    }

    fn evidence(
        &self,
        old: &Side,
        new: &Side,
        n_functions: usize,
        options: &DifferenceOptions,
    ) -> Box<[Evidence]> {
        let shares = self.exposures.shares();
        let one = |index: usize, dispersion: Dispersion| {
            let ticks = pair(old, new, |side| side.sums(index).ticks);
            let share = if options.normalize {
                self.share_of_total(ticks)
            } else {
                0.0
            };
            Evidence::new(ticks, shares, dispersion, share)
        };
        if self.total.is_none() {
            return (0..n_functions)
                .map(|index| one(index, Dispersion::POISSON))
                .collect();
        }
        let dispersions = dispersions(old, new, n_functions);
        let numbered = dispersions.iter().enumerate();
        numbered.map(|(index, &found)| one(index, found)).collect()
    }

    /// Totals vary by as much as functions do, each by itself, and by what all have in
    /// common.
    fn find_spread(&mut self, evidence: &[Evidence], options: &DifferenceOptions) {
        let Some(total) = &self.total else { return };
        if options.normalize {
            return;
        }
        self.independent = if options.inclusive {
            // Of inclusive times nobody can tell what is of one function alone; sampling
            // is.
            1.0 / self.total_ticks.old + 1.0 / self.total_ticks.new
        } else {
            evidence.iter().map(|one| self.part_of_total(one)).sum()
        };
        self.spread = UnknownSpread::of(total, 0.0, self.independent);
    }

    fn part_of_total(&self, evidence: &Evidence) -> f64 {
        let share = self.share_of_total(evidence.clumps.map(|one| one * evidence.clump));
        if evidence.precision > 0.0 {
            share * share / evidence.precision
        } else {
            0.0
        }
    }

    fn share_of_total(&self, ticks: Pair) -> f64 {
        let all = self.total_ticks.both();
        if all > 0.0 { ticks.both() / all } else { 0.0 }
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

/// The program is a question of its own, to which half of the false alarms go.
const QUESTIONS: f64 = 2.0;

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

struct Judge<'a> {
    field: &'a Field,
    options: &'a DifferenceOptions,
}

impl Judge<'_> {
    fn difference(
        &self,
        ticks: Pair,
        evidence: &Evidence,
        (p, adjusted_p): (f64, f64),
        presence: Presence,
    ) -> Difference {
        let Self { field, options } = *self;
        let seen = Seen {
            evidence,
            exposures: field.exposures,
            reach: field
                .spread
                .exceeded_with(options.alpha, evidence.precision, evidence.student),
        };
        self.judged(ticks, seen.limits(), (p, adjusted_p), presence)
    }

    fn total(&self) -> Difference {
        let Self { field, options } = *self;
        if options.normalize {
            return self.judged(field.total_ticks, (0.0, 0.0), (1.0, 1.0), Presence::Both);
        }
        let Some(total) = &field.total else {
            let shares = field.exposures.shares();
            let evidence = Evidence::new(field.total_ticks, shares, Dispersion::POISSON, 0.0);
            let p = evidence.chance(&field.spread, options.alpha);
            let chances = (p, (QUESTIONS * p).min(1.0));
            return self.difference(field.total_ticks, &evidence, chances, Presence::Both);
        };
        let times = self.times(field.total_ticks);
        let (deviation, student) = (total.of_ratio(0.0).sqrt(), total.student(0.0));
        let ln_ratio = times.new.ln() - times.old.ln();
        let p = student.beyond(ln_ratio / deviation);
        let reach = student.exceeded_with(options.alpha) * deviation;
        let limit = |ln_ratio: f64| times.both() * (ln_ratio / 2.0).tanh();
        let interval = (limit(ln_ratio - reach), limit(ln_ratio + reach));
        let chances = (p, (QUESTIONS * p).min(1.0));
        self.judged(field.total_ticks, interval, chances, Presence::Both)
    }

    fn times(&self, ticks: Pair) -> Pair {
        let exposures = self.field.exposures;
        Pair {
            old: ticks.old / exposures.old,
            new: ticks.new / exposures.new,
        }
    }

    fn judged(
        &self,
        ticks: Pair,
        interval: (f64, f64),
        (p, adjusted_p): (f64, f64),
        presence: Presence,
    ) -> Difference {
        let (times, program) = (self.times(ticks), self.times(self.field.total_ticks));
        let change = times.new - times.old;
        let of_program = self.options.min_change_of_program * program.old.min(program.new);
        let of_function = self.options.min_change_of_function * times.old.min(times.new);
        let least_change = of_function.min(of_program);
        let grounds = Grounds {
            presence,
            ticks,
            change,
            interval,
            least_change,
            is_shown: adjusted_p <= self.options.alpha,
        };
        Difference {
            old: times.old,
            new: times.new,
            change,
            change_share: (times.old > 0.0).then(|| change / times.old),
            interval,
            p,
            adjusted_p,
            least_change,
            is_minor: lies_within(interval, of_program),
            verdict: grounds.verdict(),
        }
    }
}
