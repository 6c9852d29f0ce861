//! What is said of one function, and of the program.

use super::DifferenceOptions;
use super::dispersion::Dispersion;
use super::distributions::SmallChance;
use super::evidence::Evidence;
use super::field::Field;
use super::limits::Seen;
use super::two_counts::Pair;
use super::verdict::{Grounds, Presence, Verdict, lies_within};

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

/// The program is a question of its own, to which half of the false alarms go.
pub(super) const QUESTIONS: f64 = 2.0;

pub(super) struct Judge<'a> {
    field: &'a Field,
    options: &'a DifferenceOptions,
    alpha: SmallChance,
}

impl<'a> Judge<'a> {
    pub(super) fn new(field: &'a Field, options: &'a DifferenceOptions) -> Self {
        Self {
            field,
            options,
            alpha: SmallChance::new(options.alpha),
        }
    }

    pub(super) fn difference(
        &self,
        ticks: Pair,
        evidence: &Evidence,
        (p, adjusted_p): (f64, f64),
        presence: Presence,
    ) -> Difference {
        let Self { field, alpha, .. } = *self;
        let seen = Seen {
            evidence,
            exposures: field.exposures,
            reach: field
                .spread
                .exceeded_with(alpha, evidence.precision, evidence.student),
        };
        self.judged(ticks, seen.limits(), (p, adjusted_p), presence)
    }

    pub(super) fn total(&self) -> Difference {
        let Self {
            field,
            options,
            alpha,
        } = *self;
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
        let reach = student.exceeded_with(alpha) * deviation;
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
