//! The statistical test of a function, and of the program.

use super::dispersion::Dispersion;
use super::distributions::SmallChance;
use super::evidence::TestEvidence;
use super::side::Side;
use super::totals::TotalSpread;
use super::two_counts::Pair;
use super::unknown_spread::UnknownSpread;

/// Options of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceOptions {
    /// False-positive rate: the probability of any report if nothing changed.
    pub alpha: f64,
    /// A change is relevant from this share of the function's time ...
    pub min_change_of_function: f64,
    /// ... or from this share of the program's time, whichever is less; each of the shorter
    /// side.
    pub min_change_of_program: f64,
    /// Exact changes refuse only with this share of the program on either side.
    pub min_share: f64,
    /// Compare shares of the total instead of seconds.
    pub normalize: bool,
    /// The standard deviation of the time of a function between runs, as a share, where one run
    /// a side does not show it.
    pub variation: f64,
    /// The tests of other programs of the same job.
    pub others: OtherTests,
}

/// Tests in other comparisons, among which the false-positive rate is divided too. As multiples of
/// the weight of all tests of this one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OtherTests {
    pub all: f64,
    /// Those without a finding.
    pub left: f64,
}

impl Default for DifferenceOptions {
    fn default() -> Self {
        Self {
            alpha: 0.01,
            min_change_of_function: 0.02,
            min_change_of_program: 0.005,
            min_share: 0.005,
            normalize: false,
            variation: 0.02,
            others: OtherTests::default(),
        }
    }
}

/// The difference of a function or the program. Times are seconds per run, or shares of the
/// total.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub old: f64,
    pub new: f64,
    /// New minus old.
    pub change: f64,
    /// Confidence interval of the change, with confidence 1 - alpha.
    pub interval: (f64, f64),
    /// p-value: probability of such a change or a larger one, if nothing changed.
    pub p: f64,
    /// p-value, adjusted for the number of functions.
    pub adjusted_p: f64,
    /// Minimum relevant change.
    pub least_change: f64,
    /// The function is too small to change the program relevantly.
    pub is_minor: bool,
    pub verdict: ChangeVerdict,
}

/// The verdict on a change: statistical for samples, exact for counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeVerdict {
    /// Significantly longer, by a relevant amount.
    Slower,
    /// Significantly shorter, by a relevant amount.
    Faster,
    /// More, by exact counts.
    More,
    /// Less, by exact counts.
    Less,
    /// No relevant change.
    Same,
    /// Not significant: a relevant change is possible.
    Unclear,
    /// Exists only on the new side.
    New,
    /// Exists only on the old side.
    Gone,
    /// Inlined on one side only, or contains such code: compared together with the others.
    Moved,
}

impl ChangeVerdict {
    pub fn id(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::More => "more",
            Self::Less => "less",
            Self::Same => "same",
            Self::Unclear => "unclear",
            Self::New => "new",
            Self::Gone => "gone",
            Self::Moved => "moved",
        }
    }

    /// The same verdict on an amount that is not a time: more of it is slower.
    pub(in crate::compare) fn of_amounts(self) -> Self {
        match self {
            Self::Slower => Self::More,
            Self::Faster => Self::Less,
            verdict => verdict,
        }
    }

    /// Returns whether the verdict is a relevant change.
    pub fn is_change(self) -> bool {
        !matches!(self, Self::Same | Self::Unclear)
    }
}

/// On which sides a function exists, with or without ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Presence {
    /// Unknown: files name only functions with ticks.
    #[default]
    Unknown,
    Both,
    /// The new program does not contain it.
    OldOnly,
    /// The old program does not contain it.
    NewOnly,
}

impl Difference {
    /// Narrows the interval to the limits of the program: on each side, a function takes no more
    /// time than that.
    pub(super) fn within(self, program: &Self) -> Self {
        let (low, high) = self.interval;
        let (most_old, most_new) =
            (program.new - program.interval.0, program.old + program.interval.1);
        Self { interval: (low.max(-most_old), high.min(most_new)), ..self }
    }

    /// The verdict on a function.
    ///
    /// A function that does not exist on a side, and has no time there, needs no test. Having
    /// no ticks is not evidence for being new, since that happens by chance or if the
    /// function was not called. If its existence is unknown, the expected ticks decide.
    fn verdict_of(&self, presence: Presence, alpha: f64) -> ChangeVerdict {
        let (is_only_new, is_only_old) = (self.old == 0.0, self.new == 0.0);
        let (low, high) = self.interval;
        let is_shown = self.adjusted_p <= alpha && (low > 0.0 || high < 0.0);
        let matters = self.change.abs() >= self.least_change && self.change != 0.0;
        let is_more = self.change > 0.0;
        match presence {
            Presence::NewOnly if is_only_new => ChangeVerdict::New,
            Presence::OldOnly if is_only_old => ChangeVerdict::Gone,
            Presence::Unknown if is_shown && matters && is_more && is_only_new => {
                ChangeVerdict::New
            }
            Presence::Unknown if is_shown && matters && !is_more && is_only_old => {
                ChangeVerdict::Gone
            }
            _ if is_shown && matters && is_more => ChangeVerdict::Slower,
            _ if is_shown && matters => ChangeVerdict::Faster,
            _ if lies_within(self.interval, self.least_change) => ChangeVerdict::Same,
            _ => ChangeVerdict::Unclear,
        }
    }
}

/// Returns whether an interval lies within `-bound..bound`.
fn lies_within((low, high): (f64, f64), bound: f64) -> bool {
    -bound < low && high < bound
}

/// The common data of a comparison: exposures, variation between runs, and options.
#[derive(Clone, Debug)]
pub(super) struct DifferenceTest {
    pub(super) options: DifferenceOptions,
    alpha: SmallChance,
    /// Ticks per unit of time.
    pub(super) exposures: Pair,
    pub(super) n_runs: Pair,
    /// Degrees of freedom of the variation of runs.
    pub(super) n_freed: f64,
    pub(super) total_ticks: Pair,
    pub(super) total: Option<TotalSpread>,
    pub(super) spread: UnknownSpread,
}

impl DifferenceTest {
    pub(super) fn new(old: &Side, new: &Side, options: &DifferenceOptions) -> Self {
        let options = DifferenceOptions { alpha: options.alpha.clamp(1e-12, 0.5), ..*options };
        let total_ticks = Pair::of(old, new, Side::ticks);
        let exposures =
            if options.normalize { total_ticks } else { Pair::of(old, new, Side::exposure) };
        let total = TotalSpread::of(old, new);
        Self {
            alpha: SmallChance::new(options.alpha),
            options,
            // Without a run, or without ticks to take shares of, any number will do:
            // there are no ticks to divide by it.
            exposures: exposures.map(|one| if one > 0.0 { one } else { 1.0 }),
            n_runs: Pair::of(old, new, |side| side.runs().len() as f64),
            n_freed: old.n_freed() + new.n_freed(),
            total_ticks,
            spread: match &total {
                Some(total) if !options.normalize => UnknownSpread::of(total),
                _ => UnknownSpread::none(),
            },
            total,
        }
    }

    /// The evidence in the ticks of a function.
    pub(super) fn evidence(&self, ticks: Pair, dispersion: Dispersion) -> TestEvidence {
        let share = self.share_of_total(ticks);
        TestEvidence::new(ticks, self.exposures.shares(), dispersion, share)
    }

    /// The evidence in the ticks of the program.
    pub(super) fn evidence_of_program(&self) -> TestEvidence {
        self.evidence(self.total_ticks, Dispersion::POISSON)
    }

    fn share_of_total(&self, ticks: Pair) -> f64 {
        // Without ticks on a side, nothing is known of the variation of totals but sampling.
        let is_known = self.total.is_some() || self.options.normalize;
        let all = self.total_ticks.both();
        if is_known && all > 0.0 { ticks.both() / all } else { 0.0 }
    }

    /// The p-value.
    pub(super) fn chance(&self, evidence: &TestEvidence) -> f64 {
        evidence.chance(&self.spread, self.options.alpha)
    }

    /// The difference of a function, whose time is compared for these exposures. All times may be
    /// larger or smaller by a factor.
    pub(super) fn difference(
        &self,
        evidence: &TestEvidence,
        chances: (f64, f64),
        presence: Presence,
        compared: Pair,
        factor: f64,
    ) -> Difference {
        let reach = evidence.exceeded_with(self.alpha, &self.spread);
        let (low, high) = evidence.limits(compared, reach);
        let low = if low < 0.0 { low * factor } else { low / factor };
        let high = if high > 0.0 { high * factor } else { high / factor };
        self.judged(evidence.ticks(), (low, high), chances, presence)
    }

    /// The largest factor by which the machine may have been slower on one side than usual.
    pub(super) fn machine(&self, total: &TotalSpread) -> f64 {
        (total.exceeded_with(self.alpha, 0.0) / 2.0).sqrt().exp()
    }

    /// The difference of the program.
    pub(super) fn program(&self, evidence: &TestEvidence, chances: (f64, f64)) -> Difference {
        if self.options.normalize {
            return self.judged(self.total_ticks, (0.0, 0.0), (1.0, 1.0), Presence::Both);
        }
        self.difference(evidence, chances, Presence::Both, self.exposures, 1.0)
    }

    fn judged(
        &self,
        ticks: Pair,
        interval: (f64, f64),
        (p, adjusted_p): (f64, f64),
        presence: Presence,
    ) -> Difference {
        let Pair { old, new } = ticks.per(self.exposures);
        let program = self.total_ticks.per(self.exposures);
        let change = new - old;
        // Relative to the rest, it may be another one.
        let interval = (interval.0.min(change), interval.1.max(change));
        let of_program = self.options.min_change_of_program * program.old.min(program.new);
        let of_function = self.options.min_change_of_function * old.min(new);
        let difference = Difference {
            old,
            new,
            change,
            interval,
            p,
            adjusted_p,
            least_change: of_function.min(of_program),
            is_minor: lies_within(interval, of_program),
            verdict: ChangeVerdict::Unclear,
        };
        Difference { verdict: difference.verdict_of(presence, self.options.alpha), ..difference }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SURE: Difference = Difference {
        old: 1.0,
        new: 1.5,
        change: 0.5,
        interval: (0.2, 0.8),
        p: 0.0,
        adjusted_p: 0.0,
        least_change: 0.1,
        is_minor: false,
        verdict: ChangeVerdict::Unclear,
    };

    fn verdict(difference: Difference, presence: Presence) -> ChangeVerdict {
        difference.verdict_of(presence, 0.01)
    }

    #[test]
    fn a_significant_and_relevant_change_is_reported() {
        assert_eq!(verdict(SURE, Presence::Both), ChangeVerdict::Slower);
        let down = Difference { change: -0.5, interval: (-0.8, -0.2), ..SURE };
        assert_eq!(verdict(down, Presence::Both), ChangeVerdict::Faster);
        let by_chance = Difference { adjusted_p: 1.0, ..SURE };
        assert_eq!(verdict(by_chance, Presence::Both), ChangeVerdict::Unclear);
    }

    #[test]
    fn a_function_takes_no_more_time_than_the_program() {
        let within = |interval| Difference { interval, ..SURE }.within(&SURE).interval;
        // The program takes at most 1.5 - 0.2 on the old side, and 1 + 0.8 on the new one.
        assert_eq!(within((-1e19, 1e19)), (-1.3, 1.8));
        assert_eq!(within((0.1, 0.9)), (0.1, 0.9));
    }

    #[test]
    fn a_change_that_is_shown_and_may_not_matter_is_unclear() {
        let small = Difference { least_change: 0.6, ..SURE };
        assert_eq!(verdict(small, Presence::Both), ChangeVerdict::Unclear);
    }

    #[test]
    fn same_is_shown_and_not_just_not_refuted() {
        let check = |interval, expected: ChangeVerdict| {
            let difference = Difference { change: 0.0, adjusted_p: 1.0, interval, ..SURE };
            let found = verdict(difference, Presence::Both);
            assert_eq!(found, expected, "for {interval:?}");
        };
        check((-0.05, 0.09), ChangeVerdict::Same);
        check((-0.05, 0.1), ChangeVerdict::Unclear);
        check((-0.2, 0.05), ChangeVerdict::Unclear);
        check((f64::NEG_INFINITY, f64::INFINITY), ChangeVerdict::Unclear);
    }

    #[test]
    fn new_is_a_fact_or_shown_and_never_just_no_ticks() {
        use Presence as P;
        let check = |presence, old, is_shown, expected: ChangeVerdict| {
            let adjusted_p = if is_shown { 0.0 } else { 1.0 };
            let difference = Difference { old, adjusted_p, ..SURE };
            let found = verdict(difference, presence);
            assert_eq!(found, expected, "{presence:?} {old} {is_shown}");
        };
        check(P::NewOnly, 0.0, false, ChangeVerdict::New);
        check(P::NewOnly, 5.0, true, ChangeVerdict::Slower);
        check(P::Unknown, 0.0, false, ChangeVerdict::Unclear);
        check(P::Unknown, 0.0, true, ChangeVerdict::New);
        check(P::Both, 0.0, true, ChangeVerdict::Slower);
        check(P::Both, 0.0, false, ChangeVerdict::Unclear);
    }
}
