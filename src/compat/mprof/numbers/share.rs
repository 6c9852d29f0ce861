//! Numbers beside the share that they have of a whole.

/// A number and its percentage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The number.
    pub amount: u64,
    /// Its percentage of the whole: infinite, or not a number, where that is 0.
    pub percent: f64,
}

impl Part {
    pub(super) fn new(amount: u64, whole: u64) -> Self {
        Self {
            amount,
            percent: percent(amount, whole),
        }
    }

    /// The same, but of a whole that is 0 everything is 0 percent.
    pub(super) fn or_none(amount: u64, whole: u64) -> Self {
        Self {
            amount,
            percent: match whole {
                0 => 0.0,
                whole => percent(amount, whole),
            },
        }
    }
}

fn percent(amount: u64, whole: u64) -> f64 {
    amount as f64 / whole as f64 * 100.0
}

/// What part of a whole a class of sizes has, in a cell of few characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    Nothing,
    /// Half a percent or less.
    Trace,
    /// This many percent.
    Percent(f64),
    /// All that can be seen.
    Whole,
}

impl Share {
    fn new(amount: u64, whole: u64) -> Self {
        if amount == 0 || whole == 0 {
            return Self::Nothing;
        }
        match percent(amount, whole) {
            percent if percent <= 0.5 => Self::Trace,
            percent if percent >= 99.5 => Self::Whole,
            percent => Self::Percent(percent),
        }
    }
}

pub type Classes = [Share; 4];

pub(super) fn classes(amounts: [u64; 4], whole: u64) -> Classes {
    amounts.map(|amount| Share::new(amount, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(amount: u64, whole: u64, expected: Share) {
        assert_eq!(Share::new(amount, whole), expected, "{amount} of {whole}");
    }

    #[test]
    fn shares_beyond_two_digits_are_not_numbers() {
        check(0, 10, Share::Nothing);
        check(10, 0, Share::Nothing);
        check(5, 1000, Share::Trace);
        check(6, 1000, Share::Percent(0.6));
        check(25, 1000, Share::Percent(2.5));
        check(994, 1000, Share::Percent(99.4));
        check(995, 1000, Share::Whole);
        check(u64::MAX, 3, Share::Whole);
    }

    #[test]
    fn a_part_of_nothing_is_not_a_number_or_none() {
        assert!(Part::new(0, 0).percent.is_nan());
        assert!(Part::new(1, 0).percent.is_infinite());
        assert_eq!(Part::or_none(1, 0).percent, 0.0);
    }
}
