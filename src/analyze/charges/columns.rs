//! The columns of a profile's values, and which measures they add up to.

use super::{Amounts, Kind};
use crate::model::{EventIndex, Extent, Profile, Quantity, Samples, Unit, ValueType};

/// Which columns of the values add up to which measure.
pub(super) struct Columns {
    /// For each column, the measures that it adds to or, if freed, is taken from.
    effects: Vec<[i128; 4]>,
    first: Option<ValueType>,
    is_heap: bool,
    pub(super) inclusive: Option<usize>,
    pub(super) collector: Option<usize>,
}

impl Columns {
    pub(super) fn new(samples: &Samples) -> Self {
        let types = samples.types();
        let place = |extent| types.iter().position(|t| t.extent == extent);
        let is_heap = types.iter().any(|t| t.quantity == Quantity::Freed);
        Self {
            effects: types.iter().map(effect).collect(),
            first: types.first().copied(),
            is_heap,
            inclusive: place(Extent::Inclusive),
            collector: place(Extent::Collector),
        }
    }

    pub(super) fn kind(&self, profile: &Profile) -> Kind {
        if self.is_heap || profile.heap.is_some() {
            return Kind::Heap;
        }
        match self.first.map(|first| (first.quantity, first.unit)) {
            Some((Quantity::Time, Unit::Ticks(rate))) => Kind::Time(rate.get()),
            Some((Quantity::Allocated, _)) => Kind::Allocated,
            Some((Quantity::Event(_), _)) => Kind::Events,
            Some(_) => Kind::Entries,
            None => Kind::Nothing,
        }
    }

    pub(super) fn amounts(&self, values: &[u64]) -> Amounts {
        let mut amounts = Amounts::default();
        for (effect, &value) in self.effects.iter().zip(values) {
            for (sum, factor) in amounts.0.iter_mut().zip(effect) {
                *sum += factor * i128::from(value);
            }
        }
        amounts
    }
}

/// What a value of this type does to each measure.
fn effect(value: &ValueType) -> [i128; 4] {
    if value.extent != Extent::Exclusive {
        return [0; 4];
    }
    match (value.quantity, value.unit) {
        (Quantity::Allocated, Unit::Count) => [0, 1, 0, 1],
        (Quantity::Allocated, _) => [1, 0, 1, 0],
        (Quantity::Freed, Unit::Count) => [0, 0, 0, -1],
        (Quantity::Freed, _) => [0, 0, -1, 0],
        (Quantity::Time | Quantity::Entries | Quantity::Event(EventIndex(0)), _) => [1, 0, 0, 0],
        (Quantity::Released | Quantity::LifeTime | Quantity::Event(_), _) => [0; 4],
    }
}
