//! Calls counted from one address to another.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::Address;

/// Calls counted from one call site to one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallArc {
    /// The return address, as recorded by the profiler.
    pub call_site: Address,
    /// An address in the callee, usually just after its entry.
    pub callee: Address,
    pub count: u64,
}

impl CallArc {
    /// The caller or callee of a call that crosses the border of the profiled object. No code
    /// contains this address, since every range ends at or before it.
    pub const OUTSIDE: Address = Address(u64::MAX);

    /// Subtracts `distance` from both addresses, wrapping.
    pub fn moved_down(self, distance: u64) -> Self {
        let moved = |address: Address| match address {
            Self::OUTSIDE => Self::OUTSIDE,
            inside => Address(inside.0.wrapping_sub(distance)),
        };
        Self { call_site: moved(self.call_site), callee: moved(self.callee), count: self.count }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicBlockCount {
    pub address: Address,
    pub count: u64,
}

/// Indices into a list with unique keys. The index does not copy the keys, which would double
/// the memory of a sum of many profiles.
#[derive(Clone, Debug, Default)]
pub struct ArcIndex {
    places: HashTable<u32>,
    hasher: RandomState,
}

impl ArcIndex {
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The index of `key`, or `next` if the list does not contain it; the caller then appends
    /// it.
    ///
    /// # Panics
    /// If the list has 2³² entries.
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
