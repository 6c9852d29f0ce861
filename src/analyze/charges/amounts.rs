//! The numbers that a context has.

/// One of the numbers that a context has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// What the profile measures: bytes that were allocated, ticks, entries.
    #[default]
    Value,
    /// The blocks in which those bytes were allocated.
    Count,
    /// The bytes of them that were not freed.
    UnfreedValue,
    /// The blocks of them that were not freed.
    UnfreedCount,
}

impl Measure {
    /// Every measure by the name that the user gives it.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("bytes", Self::Value),
        ("count", Self::Count),
        ("unfreed-bytes", Self::UnfreedValue),
        ("unfreed-count", Self::UnfreedCount),
    ];

    /// The measure of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut found = Self::NAMES.iter().filter(|(known, _)| *known == name);
        found.next().map(|&(_, measure)| measure)
    }

    /// The measure that stands beside this one: blocks beside bytes, and bytes
    /// beside blocks.
    #[must_use]
    pub fn companion(self) -> Self {
        match self {
            Self::Value => Self::Count,
            Self::Count => Self::Value,
            Self::UnfreedValue => Self::UnfreedCount,
            Self::UnfreedCount => Self::UnfreedValue,
        }
    }
}

/// One number for each measure. Signed, since a damaged file may free more than it
/// allocated; wide, so that no sum can overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts(pub(super) [i128; 4]);

impl Amounts {
    /// The number for one measure.
    #[must_use]
    pub fn get(&self, measure: Measure) -> i128 {
        self.0[measure as usize]
    }

    /// Whether all numbers are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Whether there is nothing to show for a measure and its companion.
    #[must_use]
    pub fn lacks(&self, measure: Measure) -> bool {
        self.get(measure) == 0 && self.get(measure.companion()) == 0
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(other.0) {
            *sum += number;
        }
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut difference = *self;
        for (number, other) in difference.0.iter_mut().zip(other.0) {
            *number -= other;
        }
        difference
    }
}
