//! A function of the address that is constant over pieces.

use std::cell::{Cell, OnceCell};

use super::ranges::AddressRange;

/// Values of disjoint pieces of the address space, in ascending order.
///
/// A piece reaches up to the start of the next one; `None` is a gap. Starts are
/// strictly ascending and neighbours differ.
#[derive(Debug, Clone)]
pub(super) struct AddressMap<T> {
    starts: Vec<u64>,
    values: Vec<Option<T>>,
    /// How many starts were at or below the last address that was asked for. The next one
    /// is mostly near.
    last: Cell<usize>,
    /// One in [`STRIDE`] of the starts, by which a search touches little memory.
    samples: OnceCell<Box<[u64]>>,
}

/// How many starts a search looks at one by one: few lines of a processor's cache.
const STRIDE: usize = 32;

impl<T> Default for AddressMap<T> {
    fn default() -> AddressMap<T> {
        AddressMap {
            starts: Vec::new(),
            values: Vec::new(),
            last: Cell::new(0),
            samples: OnceCell::new(),
        }
    }
}

impl<T: Copy + PartialEq> AddressMap<T> {
    /// Ends the last piece at `start` and begins a new one there.
    ///
    /// Starts must not descend; of two at the same address the later counts.
    pub(super) fn push(&mut self, start: u64, value: Option<T>) {
        self.samples.take();
        if self.starts.last() == Some(&start) {
            self.starts.pop();
            self.values.pop();
        }
        if self.values.last().copied().flatten() != value {
            self.starts.push(start);
            self.values.push(value);
        }
    }

    /// The value at an address, and where its piece ends.
    pub(super) fn at(&self, address: u64) -> (Option<T>, u64) {
        let next = self.n_at_or_below(address);
        let end = self.starts.get(next).copied().unwrap_or(u64::MAX);
        let value = next.checked_sub(1).and_then(|index| self.values[index]);
        (value, end)
    }

    fn n_at_or_below(&self, address: u64) -> usize {
        let last = self.last.get();
        let is_it = |n: usize| {
            let (below, above) = (n.checked_sub(1), self.starts.get(n));
            below.is_none_or(|below| self.starts[below] <= address)
                && above.is_none_or(|&above| address < above)
        };
        let near = [last, last + 1].into_iter();
        let mut near = near.filter(|&n| n <= self.starts.len());
        let found = near.find(|&n| is_it(n));
        let found = found.unwrap_or_else(|| self.search(address));
        self.last.set(found);
        found
    }

    fn search(&self, address: u64) -> usize {
        let is_below = |start: &u64| *start <= address;
        let samples = self
            .samples
            .get_or_init(|| self.starts.iter().copied().step_by(STRIDE).collect());
        let n_samples = samples.partition_point(is_below);
        let from = n_samples.saturating_sub(1) * STRIDE;
        let to = (n_samples * STRIDE).min(self.starts.len());
        from + self.starts[from..to].partition_point(is_below)
    }

    /// Room for so many pieces.
    pub(super) fn with_capacity(n_pieces: usize) -> AddressMap<T> {
        AddressMap {
            starts: Vec::with_capacity(n_pieces),
            values: Vec::with_capacity(n_pieces),
            last: Cell::new(0),
            samples: OnceCell::new(),
        }
    }

    /// The pieces that are not gaps, neighbours joined.
    pub(super) fn covered(&self) -> Vec<AddressRange> {
        let mut covered: Vec<AddressRange> = Vec::new();
        for (index, &start) in self.starts.iter().enumerate() {
            let end = self.starts.get(index + 1).copied().unwrap_or(u64::MAX);
            match covered.last_mut() {
                _ if self.values[index].is_none() => {}
                Some(last) if last.end == start => last.end = end,
                _ => covered.push(AddressRange { start, end }),
            }
        }
        covered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pieces: &[(u64, Option<u8>)]) -> AddressMap<u8> {
        let mut map = AddressMap::default();
        for &(start, value) in pieces {
            map.push(start, value);
        }
        map
    }

    #[test]
    fn a_piece_reaches_up_to_the_next() {
        let map = map(&[(10, Some(1)), (20, Some(2)), (30, None)]);
        assert_eq!(map.at(9), (None, 10));
        assert_eq!(map.at(10), (Some(1), 20));
        assert_eq!(map.at(29), (Some(2), 30));
        assert_eq!(map.at(30), (None, u64::MAX));
    }

    #[test]
    fn every_address_has_its_piece_in_whatever_order_it_is_asked_for() {
        for n_pieces in [0, 1, 31, 32, 33, 64, 65, 200] {
            let mut map = AddressMap::default();
            for piece in 0..n_pieces {
                map.push(piece * 10 + 5, Some(piece));
            }
            for step in [1, 7, 1999] {
                for address in (0..2000).map(|n| n * step % 2001) {
                    let n_below = ((address + 5) / 10).min(n_pieces);
                    let end = if n_below < n_pieces {
                        n_below * 10 + 5
                    } else {
                        u64::MAX
                    };
                    let expected = (n_below.checked_sub(1), end);
                    assert_eq!(map.at(address), expected, "{address} of {n_pieces}");
                }
            }
        }
    }

    #[test]
    fn equal_neighbours_become_one_piece() {
        let map = map(&[(10, Some(1)), (20, Some(1)), (20, Some(1)), (30, None)]);
        assert_eq!(map.at(10), (Some(1), 30));
    }

    #[test]
    fn of_two_values_at_one_address_the_later_counts() {
        let map = map(&[(10, Some(1)), (20, Some(2)), (20, Some(1)), (30, None)]);
        assert_eq!(map.at(25), (Some(1), 30));
    }

    #[test]
    fn coverage_joins_what_touches() {
        let map = map(&[
            (1, Some(1)),
            (2, Some(2)),
            (3, None),
            (5, Some(1)),
            (6, None),
        ]);
        let covered = [(1, 3), (5, 6)].map(|(start, end)| AddressRange { start, end });
        assert_eq!(map.covered(), covered);
    }
}
