//! A piecewise constant function of addresses.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::ranges::AddressRange;

/// Values of disjoint pieces of the address space, ascending.
///
/// A piece ends at the start of the next one; `None` is a gap. Starts are strictly ascending
/// and adjacent values differ.
#[derive(Debug, Clone)]
pub(super) struct AddressMap<T> {
    starts: Vec<u64>,
    values: Vec<Option<T>>,
    /// Number of starts at or below the last address. The next one is usually near.
    last: Cell<usize>,
}

impl<T> Default for AddressMap<T> {
    fn default() -> AddressMap<T> {
        AddressMap { starts: Vec::new(), values: Vec::new(), last: Cell::new(0) }
    }
}

impl<T: Copy + PartialEq> AddressMap<T> {
    pub(super) fn with_capacity(n_pieces: usize) -> AddressMap<T> {
        AddressMap {
            starts: Vec::with_capacity(n_pieces),
            values: Vec::with_capacity(n_pieces),
            last: Cell::new(0),
        }
    }

    /// Ends the last piece at `start` and starts a new one.
    ///
    /// Starts must not descend; at equal starts the later one counts.
    pub(super) fn push(&mut self, start: u64, value: Option<T>) {
        if self.starts.last() == Some(&start) {
            self.starts.pop();
            self.values.pop();
        }
        if self.values.last().copied().flatten() != value {
            self.starts.push(start);
            self.values.push(value);
        }
    }

    /// The value at an address, and the end of its piece.
    pub(super) fn at(&self, address: u64) -> (Option<T>, u64) {
        let last = self.last.get();
        let is_it = |&n: &usize| {
            n <= self.starts.len()
                && (n == 0 || self.starts[n - 1] <= address)
                && self.starts.get(n).is_none_or(|&next| address < next)
        };
        let next = [last, last + 1].into_iter().find(is_it);
        let next = next.unwrap_or_else(|| self.starts.partition_point(|start| *start <= address));
        self.last.set(next);
        let end = self.starts.get(next).copied().unwrap_or(u64::MAX);
        let value = next.checked_sub(1).and_then(|index| self.values[index]);
        (value, end)
    }

    /// The pieces without gaps, joined.
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

/// An interval `[start, end)` and a unique rank that decides overlaps.
pub(super) struct Interval<K> {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) rank: K,
}

/// Calls `piece` in ascending order for every address at which the set of intervals changes,
/// with that set, lowest rank first.
///
/// One pass over the sorted ends: n log n for n intervals.
pub(super) fn cut<K: Ord + Copy>(
    intervals: &[Interval<K>],
    mut piece: impl FnMut(u64, &BTreeSet<K>),
) {
    // Address, and twice the interval's index, plus one where it begins. Events at the same
    // address may happen in any order.
    let mut ends: Vec<(u64, usize)> = Vec::with_capacity(intervals.len() * 2);
    for (index, interval) in intervals.iter().enumerate() {
        if interval.start < interval.end {
            ends.push((interval.start, 2 * index + 1));
            ends.push((interval.end, 2 * index));
        }
    }
    ends.sort_unstable();
    let mut in_force = BTreeSet::new();
    let mut ends = ends.into_iter().peekable();
    while let Some((address, end)) = ends.next() {
        let rank = intervals[end / 2].rank;
        if end % 2 == 1 {
            in_force.insert(rank);
        } else {
            in_force.remove(&rank);
        }
        if ends.peek().is_none_or(|next| next.0 != address) {
            piece(address, &in_force);
        }
    }
}

#[cfg(test)]
mod address_map_tests {
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
    fn lookups_in_any_order_find_their_piece() {
        for n_pieces in [0, 1, 31, 32, 33, 64, 65, 200] {
            let mut map = AddressMap::default();
            for piece in 0..n_pieces {
                map.push(piece * 10 + 5, Some(piece));
            }
            for step in [1, 7, 1999] {
                for address in (0..2000).map(|n| n * step % 2001) {
                    let n_below = ((address + 5) / 10).min(n_pieces);
                    let end = if n_below < n_pieces { n_below * 10 + 5 } else { u64::MAX };
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
    fn coverage_joins_adjacent_ranges() {
        let map = map(&[(1, Some(1)), (2, Some(2)), (3, None), (5, Some(1)), (6, None)]);
        let covered = [(1, 3), (5, 6)].map(|(start, end)| AddressRange { start, end });
        assert_eq!(map.covered(), covered);
    }
}

#[cfg(test)]
mod pieces_tests {
    use super::*;

    #[test]
    fn the_lowest_rank_comes_first() {
        let interval = |start, end, rank| Interval { start, end, rank };
        let intervals = [interval(0, 9, 'b'), interval(2, 4, 'a'), interval(5, 5, 'c')];
        let mut seen = Vec::new();
        cut(&intervals, |address, ranks| {
            seen.push((address, ranks.iter().collect::<String>()));
        });
        let expected = [(0, "b"), (2, "ab"), (4, "b"), (9, "")];
        assert_eq!(seen, expected.map(|(address, ranks)| (address, ranks.to_string())));
    }
}
