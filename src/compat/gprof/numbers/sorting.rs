//! Sorting of what may be much.

use std::cmp::Ordering;

use rayon::slice::ParallelSliceMut;

use crate::threads;

/// From so many on, several threads are worth waking.
pub(super) const LARGE: usize = 1 << 15;

/// Sorts, and leaves what is equal in its order.
pub(super) fn sort_stably<T: Send>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync) {
    if items.len() < LARGE {
        items.sort_by(compare);
    } else {
        threads::start();
        items.par_sort_by(compare);
    }
}

/// Sorts what is never equal.
pub(super) fn sort<T: Ord + Send>(items: &mut [T]) {
    if items.len() < LARGE {
        items.sort_unstable();
    } else {
        threads::start();
        items.par_sort_unstable();
    }
}

/// A number by which others of its kind are sorted as `total_cmp` does.
pub(super) fn by_size(value: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The value that [`by_size`] made a number of.
pub(super) fn of_size(number: u64) -> f64 {
    const SIGN: u64 = 1 << 63;
    let is_negative = number & SIGN == 0;
    f64::from_bits(if is_negative { !number } else { number & !SIGN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_in_the_order_of_their_numbers() {
        let numbers = [
            -f64::NAN,
            f64::NEG_INFINITY,
            -1.5,
            -f64::MIN_POSITIVE,
            -0.0,
            0.0,
            f64::MIN_POSITIVE,
            1.0,
            1.0_f64.next_up(),
            f64::INFINITY,
            f64::NAN,
        ];
        for a in numbers {
            assert_eq!(of_size(by_size(a)).to_bits(), a.to_bits());
            for b in numbers {
                assert_eq!(by_size(a).cmp(&by_size(b)), a.total_cmp(&b), "{a} and {b}");
            }
        }
    }

    #[test]
    fn what_is_equal_stays_in_its_order_however_much_it_is() {
        for n_items in [100, 2 * LARGE] {
            let mut items: Vec<_> = (0..n_items).map(|place| (place * 7 % 10, place)).collect();
            sort_stably(&mut items, |a, b| a.0.cmp(&b.0));
            assert!(items.is_sorted());
        }
    }
}
