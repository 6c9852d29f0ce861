//! The change of one function in one metric.

use crate::analyze::Amount;
use crate::compare::difference::{ChangeVerdict, Difference, Presence};
use crate::report::number::fixed;

/// A number on both sides, per run of the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    pub(super) old: Amount,
    pub(super) new: Amount,
    /// New minus old.
    pub(super) change: Amount,
    /// Confidence interval of the change; `None` for exact numbers.
    pub(super) interval: Option<(f64, f64)>,
    /// p-value of the change, and the one adjusted for all functions; `None` for exact numbers.
    pub(super) chances: Option<(f64, f64)>,
    /// Minimum relevant change.
    pub(super) least_change: f64,
    /// The function is too small to change the program relevantly.
    pub(super) is_minor: bool,
    pub(super) verdict: ChangeVerdict,
}

impl Change {
    /// The verdict on sampled numbers, scaled by `scale`.
    pub(super) fn sampled(difference: &Difference, scale: f64) -> Self {
        let scaled = |number: f64| Amount::Ticks(number * scale);
        let (low, high) = difference.interval;
        Self {
            old: scaled(difference.old),
            new: scaled(difference.new),
            change: scaled(difference.change),
            interval: Some((low * scale, high * scale)),
            chances: Some((difference.p, difference.adjusted_p)),
            least_change: difference.least_change * scale,
            is_minor: difference.is_minor,
            verdict: difference.verdict,
        }
    }

    /// The difference of exact numbers. A change below `least_change` is not relevant.
    pub(super) fn exact(old: Amount, new: Amount, presence: Presence, least_change: f64) -> Self {
        let change = new.less(old);
        let verdict = match presence {
            Presence::NewOnly if !new.is_zero() => ChangeVerdict::New,
            Presence::OldOnly if !old.is_zero() => ChangeVerdict::Gone,
            _ if change.as_f64().abs() < least_change || change.is_zero() => ChangeVerdict::Same,
            _ if change.is_positive() => ChangeVerdict::More,
            _ => ChangeVerdict::Less,
        };
        Self {
            old,
            new,
            change,
            interval: None,
            chances: None,
            least_change,
            is_minor: false,
            verdict,
        }
    }

    /// The same of numbers about which nothing is certain: they vary from run to run, and one run
    /// a side says nothing of that, or a side failed.
    pub(super) fn without_verdict(self) -> Self {
        Self { verdict: ChangeVerdict::Unclear, interval: None, chances: None, ..self }
    }

    /// The same verdict on an amount that is not a time.
    pub(super) fn of_amounts(self) -> Self {
        Self { verdict: self.verdict.of_amounts(), ..self }
    }

    /// The change in percent of the old number; `None` if that is 0.
    pub(super) fn percent(&self) -> Option<f64> {
        self.percent_of_old(self.change.as_f64())
    }

    /// A number in percent of the old one; `None` if that is 0.
    pub(super) fn percent_of_old(&self, number: f64) -> Option<f64> {
        let old = self.old.as_f64();
        (old != 0.0).then(|| 100.0 * (number / old.abs()))
    }

    /// Absolute value of the change.
    pub(super) fn size(&self) -> f64 {
        self.change.as_f64().abs()
    }

    /// Returns whether both numbers are equal.
    pub(super) fn is_none(&self) -> bool {
        self.change.is_zero()
    }
}

/// A percentage after the number it belongs to: ` (+37.4 %)`. Empty if there is none.
pub(super) fn in_percent(percent: Option<f64>) -> String {
    percent.map_or_else(String::new, |percent| {
        let sign = if percent > 0.0 { "+" } else { "" };
        format!(" ({sign}{} %)", fixed(percent, 1))
    })
}
