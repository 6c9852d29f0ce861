//! Numbers values in order of first appearance.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexSet;

/// Numbers from 0 by value.
#[derive(Clone, Debug)]
pub(crate) struct Interner<K>(HashMap<K, u32, RandomState>);

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<K: Eq + Hash> Interner<K> {
    /// The index of each value in a table; the first one if a value occurs twice.
    pub(crate) fn of(table: impl Iterator<Item = K>) -> Self {
        let mut numbers = HashMap::default();
        for (index, key) in (0..).zip(table) {
            numbers.entry(key).or_insert(index);
        }
        Self(numbers)
    }

    /// The number of `key`; the next free number if it is new.
    pub(crate) fn number(&mut self, key: K) -> u32 {
        self.number_or(key, self.0.len())
    }

    /// The number of `key`; `next` if it is new.
    pub(crate) fn number_or(&mut self, key: K, next: usize) -> u32 {
        let next = u32::try_from(next).expect("tables in memory have numbers of four bytes");
        *self.0.entry(key).or_insert(next)
    }

    /// The index of `key` in `table`; appends `item` if it is new.
    pub(crate) fn find<T>(&mut self, key: K, table: &mut Vec<T>, item: impl FnOnce() -> T) -> u32 {
        let index = self.number_or(key, table.len());
        if index as usize == table.len() {
            table.push(item());
        }
        index
    }
}

/// Names by number, in order of first appearance, each stored once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InternedNames(IndexSet<Arc<[u8]>, RandomState>);

impl InternedNames {
    pub(crate) fn number(&mut self, name: &[u8]) -> u32 {
        let known = self.0.get_index_of(name);
        let number = known.unwrap_or_else(|| self.0.insert_full(name.into()).0);
        u32::try_from(number).expect("memory holds fewer names")
    }

    pub(crate) fn get(&self, number: u32) -> &Arc<[u8]> {
        &self.0[number as usize]
    }
}
