//! Things by number, in order of first appearance.

use std::collections::HashMap;
use std::hash::Hash;

use foldhash::fast::RandomState;

/// The numbers that things have, from 0 on.
#[derive(Debug)]
pub(crate) struct Interner<K>(HashMap<K, u32, RandomState>);

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<K: Eq + Hash> Interner<K> {
    /// The number of a thing, which is how many there were before if it is new.
    pub(crate) fn number(&mut self, key: K) -> u32 {
        let next = u32::try_from(self.0.len()).expect("contexts have numbers of four bytes");
        *self.0.entry(key).or_insert(next)
    }
}
