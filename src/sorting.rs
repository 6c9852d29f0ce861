//! Sorts of lists that are short or rare.
//!
//! The compiler makes a whole sort for every list that calls [`slice::sort_by`], which was a tenth
//! of all its work. Here it makes one for all, which sorts positions. Hot paths call the library.

use std::cmp::Ordering;

/// Stable sorts, as those of slices without `cold`.
pub(crate) trait ColdSort<T> {
    /// Sorts by a comparison.
    fn cold_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key, which is made for every comparison.
    fn cold_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.cold_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> ColdSort<T> for [T] {
    fn cold_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut order = order_of(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        place(&mut order, &mut |a, b| self.swap(a, b));
    }
}

/// The position that each place takes its item from.
fn order_of(n: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<_> = (0..n).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Brings items into an order, with one swap for each at most.
fn place(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut to = start;
        loop {
            let from = std::mem::replace(&mut order[to], to);
            if from == start {
                break;
            }
            swap(to, from);
            to = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ColdSort;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_are_in_the_order_of_a_stable_sort(
            items in prop::collection::vec((0_u8..9, any::<u8>()), 0..60),
        ) {
            let (mut expected, mut found) = (items.clone(), items);
            expected.sort_by_key(|item| item.0);
            found.cold_sort_by_key(|item| item.0);
            prop_assert_eq!(found, expected);
        }
    }
}
