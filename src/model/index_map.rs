//! What is known of blocks, found at the cost of one line of the cache.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use super::AllocationIndex;

/// Slots of the smallest table that is not empty.
const MIN_SLOTS: usize = 64;

/// Of eight slots the most that are taken.
const MAX_TAKEN: usize = 5;

/// Values by allocation index. Each stands beside its index, in the slot that the index
/// asks for or in one of the next: nothing else is looked at to find it. This is a hot path.
#[derive(Clone, Debug)]
pub struct IndexMap<T> {
    /// A power of two, or none.
    slots: Vec<Option<(AllocationIndex, T)>>,
    n_taken: usize,
    hasher: RandomState,
}

impl<T> Default for IndexMap<T> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            n_taken: 0,
            hasher: RandomState::default(),
        }
    }
}

impl<T> IndexMap<T> {
    /// The value of an index.
    #[must_use]
    pub fn get(&self, index: AllocationIndex) -> Option<&T> {
        let slot = self.find(index).ok()?;
        self.slots[slot].as_ref().map(|(_, value)| value)
    }

    /// The value of an index, to change it.
    #[inline]
    pub fn get_mut(&mut self, index: AllocationIndex) -> Option<&mut T> {
        let slot = self.find(index).ok()?;
        self.slots[slot].as_mut().map(|(_, value)| value)
    }

    /// Gives an index a value, and returns the one that it had.
    #[inline]
    pub fn insert(&mut self, index: AllocationIndex, value: T) -> Option<T> {
        if self.n_taken * 8 >= self.slots.len() * MAX_TAKEN {
            self.grow();
        }
        let (Ok(slot) | Err(slot)) = self.find(index);
        let before = self.slots[slot].replace((index, value));
        self.n_taken += usize::from(before.is_none());
        before.map(|(_, value)| value)
    }

    /// Takes an index out, and returns the value that it had.
    #[inline]
    pub fn remove(&mut self, index: AllocationIndex) -> Option<T> {
        let mut gap = self.find(index).ok()?;
        let removed = self.slots[gap].take();
        self.n_taken -= 1;
        // What stands behind without a gap may have wanted the slot that is free now.
        let mask = self.slots.len() - 1;
        let mut slot = gap;
        loop {
            slot = (slot + 1) & mask;
            let Some((index, _)) = &self.slots[slot] else {
                break;
            };
            let n_from_first = slot.wrapping_sub(self.first_slot(*index)) & mask;
            if n_from_first >= slot.wrapping_sub(gap) & mask {
                self.slots.swap(gap, slot);
                gap = slot;
            }
        }
        removed.map(|(_, value)| value)
    }

    /// All values, in no order.
    pub fn into_values(self) -> impl Iterator<Item = (AllocationIndex, T)> {
        self.slots.into_iter().flatten()
    }

    /// The slot of an index; the one that it would get where it has none. There has to be
    /// a free one.
    #[inline(always)]
    fn find(&self, index: AllocationIndex) -> Result<usize, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = self.first_slot(index);
        while let Some(taken) = self.slots.get(slot) {
            match taken {
                Some((found, _)) if *found == index => return Ok(slot),
                Some(_) => slot = (slot + 1) & mask,
                None => return Err(slot),
            }
        }
        // There are no slots.
        Err(0)
    }

    /// The slot that an index asks for. No file knows which indices ask for the same one.
    #[inline(always)]
    fn first_slot(&self, AllocationIndex(index): AllocationIndex) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        // The lowest bits are as good as any others.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a hash is cut to what is needed"
        )]
        let hash = self.hasher.hash_one(index) as usize;
        hash & mask
    }

    #[cold]
    fn grow(&mut self) {
        let n_slots = (self.slots.len() * 2).max(MIN_SLOTS);
        let mut slots = Vec::new();
        slots.resize_with(n_slots, || None);
        let before = std::mem::replace(&mut self.slots, slots);
        for (index, value) in before.into_iter().flatten() {
            let (Ok(slot) | Err(slot)) = self.find(index);
            self.slots[slot] = Some((index, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Numbers that come back now and then, so that all that can happen does.
    fn numbers(n_numbers: u64, n_different: u64) -> impl Iterator<Item = u64> {
        let step = |state: u64| {
            state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1)
        };
        let states = std::iter::successors(Some(n_different), move |&state| Some(step(state)));
        let numbers = states.map(move |state| (state >> 33) % n_different);
        numbers.take(usize::try_from(n_numbers).expect("small"))
    }

    fn check(n_numbers: u64, n_different: u64) {
        let mut map = IndexMap::default();
        let mut expected = HashMap::new();
        for (place, number) in (0_u64..).zip(numbers(n_numbers, n_different)) {
            let index = AllocationIndex(number << 40 | number);
            match place % 3 {
                0 | 1 => assert_eq!(map.insert(index, place), expected.insert(index, place)),
                _ => assert_eq!(map.remove(index), expected.remove(&index)),
            }
            let other = AllocationIndex(place);
            assert_eq!(map.get(other), expected.get(&other), "{n_different}");
            assert_eq!(map.get_mut(index).copied(), expected.get(&index).copied());
        }
        let all: HashMap<_, _> = map.into_values().collect();
        assert_eq!(all, expected, "{n_numbers} of {n_different}");
    }

    #[test]
    fn an_index_has_the_value_that_it_was_given_last() {
        check(0, 1);
        check(1000, 1);
        check(5000, 40);
        check(20_000, 5000);
    }

    #[test]
    fn an_empty_map_has_nothing() {
        let mut map = IndexMap::<u8>::default();
        assert_eq!(map.get(AllocationIndex(0)), None);
        assert_eq!(map.remove(AllocationIndex(u64::MAX)), None);
    }
}
