//! What follows for one function.

use super::two_counts::Pair;

/// What is said of a function, or of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It was shown to take longer, and by as much as matters.
    Slower,
    /// It was shown to take less time, and by as much as matters.
    Faster,
    /// It was shown to have changed by less than matters.
    Same,
    /// Nothing was shown: it may have changed by as much as matters, or not.
    Unclear,
    /// It is on the new side only.
    New,
    /// It is on the old side only.
    Gone,
}

/// On which sides a function exists, whether it has ticks there or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Presence {
    /// Nobody knows: files name only functions that have ticks.
    #[default]
    Unknown,
    /// It exists on both.
    Both,
    /// The program of the new side has no such function.
    OldOnly,
    /// The program of the old side had no such function.
    NewOnly,
}

/// What a verdict follows from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grounds {
    pub(super) presence: Presence,
    pub(super) ticks: Pair,
    pub(super) change: f64,
    pub(super) interval: (f64, f64),
    /// The least change that matters.
    pub(super) least_change: f64,
    /// Whether chance would rarely do it.
    pub(super) is_shown: bool,
}

impl Grounds {
    pub(super) fn verdict(&self) -> Verdict {
        if let Some(fact) = self.fact() {
            return fact;
        }
        let matters = self.change.abs() >= self.least_change;
        if self.is_shown && matters && self.change != 0.0 {
            return self.change_shown();
        }
        if lies_within(self.interval, self.least_change) {
            Verdict::Same
        } else {
            Verdict::Unclear
        }
    }

    /// What needs no test. Ticks of a function that does not exist would be a riddle, not
    /// a fact.
    fn fact(&self) -> Option<Verdict> {
        match self.presence {
            Presence::NewOnly if self.ticks.old == 0.0 => Some(Verdict::New),
            Presence::OldOnly if self.ticks.new == 0.0 => Some(Verdict::Gone),
            _ => None,
        }
    }

    /// No ticks are not enough to be new, since a function may have none by chance, or
    /// since it was not called. Where nobody knows whether it exists, ticks that it
    /// would have had are.
    fn change_shown(&self) -> Verdict {
        let is_unknown = self.presence == Presence::Unknown;
        match (self.change > 0.0, is_unknown) {
            (true, true) if self.ticks.old == 0.0 => Verdict::New,
            (false, true) if self.ticks.new == 0.0 => Verdict::Gone,
            (true, _) => Verdict::Slower,
            (false, _) => Verdict::Faster,
        }
    }
}

/// Whether all of an interval is closer to 0 than that.
pub(super) fn lies_within((low, high): (f64, f64), bound: f64) -> bool {
    -bound < low && high < bound
}

#[cfg(test)]
mod tests {
    use super::*;

    const SURE: Grounds = Grounds {
        presence: Presence::Both,
        ticks: Pair {
            old: 100.0,
            new: 150.0,
        },
        change: 0.5,
        interval: (0.2, 0.8),
        least_change: 0.1,
        is_shown: true,
    };

    #[test]
    fn a_change_is_told_if_it_is_shown_and_matters() {
        assert_eq!(SURE.verdict(), Verdict::Slower);
        let down = Grounds {
            change: -0.5,
            interval: (-0.8, -0.2),
            ..SURE
        };
        assert_eq!(down.verdict(), Verdict::Faster);
        let by_chance = Grounds {
            is_shown: false,
            ..SURE
        };
        assert_eq!(by_chance.verdict(), Verdict::Unclear);
    }

    #[test]
    fn a_change_that_is_shown_and_may_not_matter_is_unclear() {
        let small = Grounds {
            least_change: 0.6,
            ..SURE
        };
        assert_eq!(small.verdict(), Verdict::Unclear);
    }

    #[test]
    fn same_is_shown_and_not_just_not_refuted() {
        let check = |interval, expected: Verdict| {
            let grounds = Grounds {
                change: 0.0,
                is_shown: false,
                interval,
                ..SURE
            };
            assert_eq!(grounds.verdict(), expected, "for {interval:?}");
        };
        check((-0.05, 0.09), Verdict::Same);
        check((-0.05, 0.1), Verdict::Unclear);
        check((-0.2, 0.05), Verdict::Unclear);
        check((f64::NEG_INFINITY, f64::INFINITY), Verdict::Unclear);
    }

    #[test]
    fn new_is_a_fact_or_shown_and_never_just_no_ticks() {
        use Presence as P;
        let check = |presence, old, is_shown, expected: Verdict| {
            let ticks = Pair { old, new: 3.0 };
            let grounds = Grounds {
                presence,
                ticks,
                is_shown,
                ..SURE
            };
            assert_eq!(grounds.verdict(), expected, "{presence:?} {old} {is_shown}");
        };
        check(P::NewOnly, 0.0, false, Verdict::New);
        check(P::NewOnly, 5.0, true, Verdict::Slower);
        check(P::Unknown, 0.0, false, Verdict::Unclear);
        check(P::Unknown, 0.0, true, Verdict::New);
        check(P::Both, 0.0, true, Verdict::Slower);
        check(P::Both, 0.0, false, Verdict::Unclear);
    }
}
