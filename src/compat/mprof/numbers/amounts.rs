//! Sums of memory, in words of the profiled machine.

use crate::compat::words::MachineWords;
use crate::model::{Extent, Quantity, SizeClass, Unit, ValueType};

/// The primary quantity of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableMeasure {
    /// Total size of blocks.
    #[default]
    Bytes,
    /// Number of blocks (`-c`).
    Blocks,
}

impl TableMeasure {
    /// The secondary measure.
    pub fn other(self) -> Self {
        match self {
            Self::Bytes => Self::Blocks,
            Self::Blocks => Self::Bytes,
        }
    }

    fn unit(self) -> Unit {
        match self {
            Self::Bytes => Unit::BYTES,
            Self::Blocks => Unit::COUNT,
        }
    }
}

/// Allocated and freed amounts by size class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SizeAmounts {
    pub(super) allocated: [u64; 4],
    pub(super) freed: [u64; 4],
}

impl SizeAmounts {
    pub(super) fn add(&mut self, other: &Self) {
        self.each(other, u64::wrapping_add);
    }

    pub(super) fn take_away(&mut self, other: &Self) {
        self.each(other, u64::wrapping_sub);
    }

    /// Amounts not freed, by class.
    pub(super) fn unfreed(&self, words: MachineWords) -> [u64; 4] {
        std::array::from_fn(|class| words.difference(self.allocated[class], self.freed[class]))
    }

    fn each(&mut self, other: &Self, apply: fn(u64, u64) -> u64) {
        let pairs = self.allocated.iter_mut().zip(&other.allocated);
        for (mine, &its) in pairs.chain(self.freed.iter_mut().zip(&other.freed)) {
            *mine = apply(*mine, its);
        }
    }
}

/// The columns of values for one measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasureColumns {
    allocated: [usize; 4],
    freed: [usize; 4],
}

impl MeasureColumns {
    /// `None` if the values are of another kind.
    pub(super) fn of(types: &[ValueType], measure: TableMeasure) -> Option<Self> {
        let find = |quantity, class| {
            let wanted = ValueType {
                quantity,
                unit: measure.unit(),
                extent: Extent::Exclusive,
                class: Some(class),
            };
            types.iter().position(|&found| found == wanted)
        };
        let find_all = |quantity| {
            let [s, m, l, x] = SizeClass::ALL.map(|class| find(quantity, class));
            Some([s?, m?, l?, x?])
        };
        Some(Self { allocated: find_all(Quantity::ALLOCATED)?, freed: find_all(Quantity::FREED)? })
    }

    pub(super) fn amounts(&self, values: &[u64]) -> SizeAmounts {
        SizeAmounts {
            allocated: self.allocated.map(|column| values[column]),
            freed: self.freed.map(|column| values[column]),
        }
    }
}

/// A number and its percentage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AmountPercent {
    pub amount: u64,
    /// Percentage of the whole: infinite or NaN if that is 0.
    pub percent: f64,
}

impl AmountPercent {
    pub(super) fn new(amount: u64, whole: u64) -> Self {
        Self { amount, percent: percent(amount, whole) }
    }

    /// As `new`, but 0 percent of a whole of 0.
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

/// The share of a size class, in a short cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizeShare {
    Nothing,
    /// Half a percent or less.
    Trace,
    /// A percentage.
    Percent(f64),
    /// Everything.
    Whole,
}

impl SizeShare {
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

/// The shares of the four size classes.
pub type Classes = [SizeShare; 4];

/// An amount, total and by size class.
#[derive(Clone, Copy, Debug)]
pub struct ClassedAmount {
    pub amount: u64,
    /// Percentage of the whole, if shown.
    pub percent: Option<f64>,
    pub classes: Classes,
}

pub(super) fn classes(amounts: [u64; 4], whole: u64) -> Classes {
    amounts.map(|amount| SizeShare::new(amount, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(amount: u64, whole: u64, expected: SizeShare) {
        assert_eq!(SizeShare::new(amount, whole), expected, "{amount} of {whole}");
    }

    #[test]
    fn shares_beyond_two_digits_are_not_numbers() {
        check(0, 10, SizeShare::Nothing);
        check(10, 0, SizeShare::Nothing);
        check(5, 1000, SizeShare::Trace);
        check(6, 1000, SizeShare::Percent(0.6));
        check(25, 1000, SizeShare::Percent(2.5));
        check(994, 1000, SizeShare::Percent(99.4));
        check(995, 1000, SizeShare::Whole);
        check(u64::MAX, 3, SizeShare::Whole);
    }

    #[test]
    fn a_part_of_nothing_is_not_a_number_or_none() {
        assert!(AmountPercent::new(0, 0).percent.is_nan());
        assert!(AmountPercent::new(1, 0).percent.is_infinite());
        assert_eq!(AmountPercent::or_none(1, 0).percent, 0.0);
    }
}
