//! The greatest of many, in memory for a few.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

const N_KEPT: usize = 32;

/// The greatest of all that were offered. No two keys may be equal, so that the order
/// of offers does not matter.
#[derive(Debug)]
pub(super) struct Top<Key, Item> {
    kept: BinaryHeap<Reverse<Ranked<Key, Item>>>,
}

#[derive(Debug)]
struct Ranked<Key, Item> {
    key: Key,
    item: Item,
}

impl<Key: Ord, Item> Top<Key, Item> {
    /// Keeps an item if it is one of the greatest so far.
    pub(super) fn offer(&mut self, key: Key, item: impl FnOnce() -> Item) {
        if self.kept.len() == N_KEPT {
            let least = self.kept.peek().map(|Reverse(ranked)| &ranked.key);
            if least.is_some_and(|least| *least >= key) {
                return;
            }
            self.kept.pop();
        }
        let item = item();
        self.kept.push(Reverse(Ranked { key, item }));
    }

    pub(super) fn into_sorted(self) -> Box<[Item]> {
        let sorted = self.kept.into_sorted_vec().into_iter();
        sorted.map(|Reverse(ranked)| ranked.item).collect()
    }
}

impl<Key: Ord, Item> Default for Top<Key, Item> {
    fn default() -> Self {
        let kept = BinaryHeap::new();
        Self { kept }
    }
}

impl<Key: Ord, Item> Ord for Ranked<Key, Item> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl<Key: Ord, Item> PartialOrd for Ranked<Key, Item> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<Key: Ord, Item> PartialEq for Ranked<Key, Item> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<Key: Ord, Item> Eq for Ranked<Key, Item> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_are_kept_in_order() {
        let mut top = Top::default();
        for number in 0..1000_u32 {
            let scattered = number * 619 % 1000;
            top.offer(scattered, || scattered);
        }
        let expected: Vec<_> = (968..1000).rev().collect();
        assert_eq!(*top.into_sorted(), expected);
    }
}
