//! Sums of memory in words of the profiled machine.

use crate::compat::words::Words;
use crate::model::{Extent, Quantity, SizeClass, Unit, ValueType};

/// What a table is about in the first place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The sizes of blocks, summed.
    Bytes,
    /// Blocks, whatever their size (`-c`).
    Blocks,
}

impl Measure {
    /// What the table mentions in the second place.
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

/// What was allocated and freed, by class of size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amounts {
    pub(super) allocated: [u64; 4],
    pub(super) freed: [u64; 4],
}

impl Amounts {
    pub(super) fn add(&mut self, other: &Self) {
        self.each(other, u64::wrapping_add);
    }

    pub(super) fn take_away(&mut self, other: &Self) {
        self.each(other, u64::wrapping_sub);
    }

    /// What was not freed, by class.
    pub(super) fn unfreed(&self, words: Words) -> [u64; 4] {
        std::array::from_fn(|class| words.difference(self.allocated[class], self.freed[class]))
    }

    fn each(&mut self, other: &Self, apply: fn(u64, u64) -> u64) {
        let pairs = self.allocated.iter_mut().zip(&other.allocated);
        for (mine, &its) in pairs.chain(self.freed.iter_mut().zip(&other.freed)) {
            *mine = apply(*mine, its);
        }
    }
}

/// The columns of values that make up amounts of one measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    allocated: [usize; 4],
    freed: [usize; 4],
}

impl Columns {
    /// `None` when the values are not of that kind.
    pub(super) fn of(types: &[ValueType], measure: Measure) -> Option<Self> {
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
        Some(Self {
            allocated: find_all(Quantity::ALLOCATED)?,
            freed: find_all(Quantity::FREED)?,
        })
    }

    pub(super) fn amounts(&self, values: &[u64]) -> Amounts {
        Amounts {
            allocated: self.allocated.map(|column| values[column]),
            freed: self.freed.map(|column| values[column]),
        }
    }
}
