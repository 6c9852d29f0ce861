//! The largest of many items, in constant memory.

use std::collections::BTreeMap;

const N_KEPT: usize = 32;

/// The largest items offered. Keys must be unique, so that the order of offers does not
/// matter.
#[derive(Debug)]
pub(super) struct Top<Key, Item> {
    kept: BTreeMap<Key, Item>,
}

impl<Key: Ord, Item> Top<Key, Item> {
    /// Keeps an item if its key is among the largest so far.
    pub(super) fn offer(&mut self, key: Key, item: impl FnOnce() -> Item) {
        if self.kept.len() == N_KEPT {
            if self.kept.first_key_value().is_some_and(|(least, _)| *least >= key) {
                return;
            }
            self.kept.pop_first();
        }
        self.kept.insert(key, item());
    }

    pub(super) fn into_sorted(self) -> Box<[Item]> {
        self.kept.into_values().rev().collect()
    }
}

impl<Key, Item> Default for Top<Key, Item> {
    fn default() -> Self {
        let kept = BTreeMap::new();
        Self { kept }
    }
}

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
