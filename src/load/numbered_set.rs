//! Numbers values in order of first appearance, with little memory.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// The number of a row of a table.
pub(super) fn number_of(index: usize) -> u32 {
    u32::try_from(index).expect("tables in memory have numbers of four bytes")
}

/// Different values by number, in order of first appearance. Takes four to nine bytes for each
/// value, in addition to the values: a small table has more of it in the caches.
#[derive(Debug)]
pub(super) struct NumberedSet<K> {
    values: Vec<K>,
    numbers: HashTable<u32>,
    state: RandomState,
}

impl<K> Default for NumberedSet<K> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: HashTable::new(), state: RandomState::default() }
    }
}

impl<K> NumberedSet<K> {
    /// The number of a value, and whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, value: K) -> (u32, bool)
    where
        K: Copy + Eq + Hash,
    {
        self.find_or_insert(&value, |&value| value)
    }

    /// The number of the value that equals `key`, and whether it is new and was made.
    #[inline]
    pub(super) fn find_or_insert<Q>(&mut self, key: &Q, make: impl FnOnce(&Q) -> K) -> (u32, bool)
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let Self { values, numbers, state } = self;
        let value = |number: u32| values[number as usize].borrow();
        let is_same = |&number: &u32| value(number) == key;
        match numbers.entry(state.hash_one(key), is_same, |&other| state.hash_one(value(other))) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(free) => {
                let next = number_of(values.len());
                free.insert(next);
                values.push(make(key));
                (next, true)
            }
        }
    }

    pub(super) fn values(&self) -> &[K] {
        &self.values
    }
}
