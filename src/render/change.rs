//! Changes of costs in differences: in words, and in steps that colours show.

use crate::report::{Row, Section};

/// How much a cost changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    MuchLess,
    Less,
    Same,
    More,
    MuchMore,
}

/// Percentages of the old cost from which a change has a colour, and a strong one.
const LEAST_SHOWN: f64 = 2.0;
const LEAST_STRONG: f64 = 20.0;

impl Change {
    pub(super) const ALL: [Self; 5] =
        [Self::MuchMore, Self::More, Self::Same, Self::Less, Self::MuchLess];

    /// The change of the total in a row, and in words.
    pub(super) fn of(section: &Section, row: Row<'_>) -> (Self, String) {
        match section.cell(row, "change_percent").as_real() {
            None => (Self::MuchMore, "new".to_owned()),
            Some(percent) => (Self::of_percent(percent), format!("{percent:+.1} %")),
        }
    }

    fn of_percent(percent: f64) -> Self {
        match percent {
            LEAST_STRONG.. => Self::MuchMore,
            LEAST_SHOWN.. => Self::More,
            _ if percent <= -LEAST_STRONG => Self::MuchLess,
            _ if percent <= -LEAST_SHOWN => Self::Less,
            _ => Self::Same,
        }
    }

    /// A line of a legend.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::MuchMore => "at least 20 % more, or new",
            Self::More => "more",
            Self::Same => "less than 2 % more or less",
            Self::Less => "less",
            Self::MuchLess => "at least 20 % less, or gone",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_the_legend() {
        let check = |percent, expected| assert_eq!(Change::of_percent(percent), expected);
        check(20.0, Change::MuchMore);
        check(2.0, Change::More);
        check(1.9, Change::Same);
        check(-1.9, Change::Same);
        check(-2.0, Change::Less);
        check(-100.0, Change::MuchLess);
        check(f64::NAN, Change::Same);
    }
}
