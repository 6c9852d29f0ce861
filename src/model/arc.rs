//! What was counted rather than sampled.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::Address;

/// Calls counted from one place to one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallArc {
    /// Where the call came from. The profiler records the return address.
    pub call_site: Address,
    /// An address in the function called, as a rule just behind its entry.
    pub callee: Address,
    pub count: u64,
}

impl CallArc {
    /// Either end of calls of which is known only that it is outside of the object that
    /// was profiled. It lies in no code, since no range of addresses can end behind it.
    pub const OUTSIDE: Address = Address(u64::MAX);

    /// The arc with `distance` taken from its addresses, wrapping.
    pub fn moved_down(self, distance: u64) -> Self {
        let moved = |address: Address| match address {
            Self::OUTSIDE => Self::OUTSIDE,
            inside => Address(inside.0.wrapping_sub(distance)),
        };
        Self {
            call_site: moved(self.call_site),
            callee: moved(self.callee),
            count: self.count,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicBlockCount {
    pub address: Address,
    pub count: u64,
}

/// Places in a list whose keys all differ. Keys stand in the list alone: with their copies
/// here, a sum of many profiles would take twice the memory.
#[derive(Clone, Debug, Default)]
pub struct ArcIndex {
    places: HashTable<u32>,
    hasher: RandomState,
}

impl ArcIndex {
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Where a key stands, by the keys of places. One that does not is noted as standing at
    /// `next`, where the caller puts it.
    ///
    /// # Panics
    /// When there are four thousand million of them, which no memory holds.
    pub fn find_or_add<K: Eq + Hash>(
        &mut self,
        key: K,
        next: usize,
        key_at: impl Fn(usize) -> K,
    ) -> Option<usize> {
        let hash = self.hasher.hash_one(&key);
        let is_same = |&place: &u32| key_at(place as usize) == key;
        if let Some(&place) = self.places.find(hash, is_same) {
            return Some(place as usize);
        }
        let place = u32::try_from(next).expect("so many arcs take 64 GiB");
        let hash_of = |&place: &u32| self.hasher.hash_one(key_at(place as usize));
        self.places.insert_unique(hash, place, hash_of);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_where_it_was_put_first() {
        let (mut index, mut keys) = (ArcIndex::default(), Vec::new());
        for number in (0..2000_u64).chain(0..2000).map(|number| number * 64) {
            let found = index.find_or_add(number, keys.len(), |place| keys[place]);
            match found {
                Some(place) => assert_eq!(keys[place], number),
                None => keys.push(number),
            }
        }
        assert_eq!(keys.len(), 2000);
    }
}
