//! The median of many numbers, in limited memory.
//!
//! Up to [`N_EXACT`] numbers are stored. Beyond that, numbers are counted in 256 bins from
//! each power of two to the next, so that a number is off by at most 2^-9 (0.2 %). Integers
//! up to 512, such as ticks of single functions, are exact. The number of bins depends on the
//! range of the numbers, not on how many there are. Zeros are not stored: their number is
//! known at the end.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// Maximum number of stored numbers.
pub(super) const N_EXACT: usize = 128;

/// Numbers with a median. Adding one takes a look-up; the order does not matter.
#[derive(Clone, Debug)]
pub(super) enum Median {
    Few(Vec<f64>),
    Many(HashMap<i32, u32, RandomState>),
}

impl Default for Median {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Median {
    /// Adds a finite number.
    pub(super) fn add(&mut self, number: f64) {
        if number == 0.0 {
            return;
        }
        if let Self::Few(numbers) = self {
            if numbers.len() < N_EXACT {
                numbers.push(number);
                return;
            }
            let mut places = HashMap::default();
            for number in numbers {
                *places.entry(place_of(*number)).or_default() += 1;
            }
            *self = Self::Many(places);
        }
        if let Self::Many(places) = self {
            let count = places.entry(place_of(number)).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// The median of `n` numbers, where numbers not added count as 0; for even `n` the mean of
    /// the two middle ones. 0 without numbers.
    pub(super) fn of(&self, n: u32) -> f64 {
        let n = u64::from(n);
        let numbers: Vec<(f64, u64)> = match self {
            Self::Few(numbers) => {
                let mut numbers = numbers.clone();
                numbers.sort_by(f64::total_cmp);
                numbers.into_iter().map(|number| (number, 1)).collect()
            }
            Self::Many(places) => {
                let places = places.iter();
                let mut places: Vec<_> = places.map(|(&place, &count)| (place, count)).collect();
                places.sort_unstable();
                let numbers = places.into_iter();
                let numbers = numbers.map(|(place, count)| (number_at(place), u64::from(count)));
                numbers.collect()
            }
        };
        let n_added: u64 = numbers.iter().map(|(_, count)| count).sum();
        let n_nothings = n.saturating_sub(n_added);
        let is_negative = |(number, _): &&(f64, u64)| *number < 0.0;
        let n_negative: u64 = numbers.iter().filter(is_negative).map(|(_, count)| count).sum();
        let at = |place: u64| {
            let place = match place {
                place if place < n_negative => place,
                place if place < n_negative + n_nothings => return 0.0,
                place => place - n_nothings,
            };
            let mut n_before = 0;
            let found = numbers.iter().find(|(_, count)| {
                n_before += count;
                place < n_before
            });
            found.map_or(0.0, |(number, _)| *number)
        };
        match n {
            0 => 0.0,
            n => f64::midpoint(at((n - 1) / 2), at(n / 2)),
        }
    }
}

/// Number of mantissa bits that are rounded off.
const ROUNDED: u32 = 52 - 8;

/// The bin of a number. Bins have the order of their numbers.
fn place_of(number: f64) -> i32 {
    let bits = number.abs().to_bits() + (1 << (ROUNDED - 1));
    let place = i32::try_from(bits >> ROUNDED).expect("20 bits are left");
    if number < 0.0 { -place } else { place }
}

/// The middle of a bin.
fn number_at(place: i32) -> f64 {
    let number = f64::from_bits(u64::from(place.unsigned_abs()) << ROUNDED);
    if place < 0 { -number } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn median(numbers: impl IntoIterator<Item = f64>, n: u32) -> f64 {
        let mut median = Median::default();
        numbers.into_iter().for_each(|number| median.add(number));
        median.of(n)
    }

    #[test]
    fn the_middle_of_few_numbers_is_exact() {
        assert_eq!(median([3.25, 1.0, 2.0], 3), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0], 4), 2.5);
        assert_eq!(median([], 0), 0.0);
    }

    #[test]
    fn missing_numbers_are_zero() {
        assert_eq!(median([5.0, 7.0], 5), 0.0);
        assert_eq!(median([5.0, 7.0], 3), 5.0);
        assert_eq!(median([-5.0, 7.0], 3), 0.0);
        assert_eq!(median([-5.0, -7.0, -9.0], 4), -6.0);
    }

    #[test]
    fn the_middle_of_many_numbers_is_off_by_less_than_a_five_hundredth() {
        for scale in [1e-3, 1.0, 777.7, 1e12] {
            let numbers = (1..=10_001).map(|n| f64::from(n * 7919 % 10_007) * scale);
            let mut sorted: Vec<f64> = numbers.clone().collect();
            sorted.sort_by(f64::total_cmp);
            let found = median(numbers, 10_001);
            let error = (found - sorted[5000]).abs() / sorted[5000];
            assert!(error < 0.002, "off by {error} at {scale}");
        }
    }

    #[test]
    fn the_middle_of_many_small_whole_numbers_is_exact() {
        let numbers = (0..4001).map(|n| f64::from(n * 17 % 512));
        let mut sorted: Vec<f64> = numbers.clone().collect();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(median(numbers, 4001), sorted[2000]);
    }

    #[test]
    fn places_do_not_grow_with_numbers() {
        let mut median = Median::default();
        (0..200_000).for_each(|n| median.add(f64::from(1000 + n % 1000)));
        let Median::Many(places) = &median else { panic!("there are many") };
        assert!(places.len() <= 257, "{} places", places.len());
    }
}
