//! Overlapping intervals, cut into pieces.

use std::collections::BTreeSet;

/// An interval `[start, end)` and the rank that decides where it overlaps
/// others. No two intervals have the same rank.
pub(super) struct Interval<K> {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) rank: K,
}

/// Calls `piece` in ascending order for every address at which the set of
/// intervals in force changes, with that set, lowest rank first.
///
/// One pass over the sorted ends: n log n for n intervals.
pub(super) fn cut<K: Ord + Copy>(
    intervals: &[Interval<K>],
    mut piece: impl FnMut(u64, &BTreeSet<K>),
) {
    // Address, and twice the interval's index, plus one where it begins. What
    // happens at one address may happen in any order.
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
mod tests {
    use super::*;

    #[test]
    fn the_lowest_rank_comes_first() {
        let interval = |start, end, rank| Interval { start, end, rank };
        let intervals = [
            interval(0, 9, 'b'),
            interval(2, 4, 'a'),
            interval(5, 5, 'c'),
        ];
        let mut seen = Vec::new();
        cut(&intervals, |address, ranks| {
            seen.push((address, ranks.iter().collect::<String>()));
        });
        let expected = [(0, "b"), (2, "ab"), (4, "b"), (9, "")];
        assert_eq!(
            seen,
            expected.map(|(address, ranks)| (address, ranks.to_string()))
        );
    }
}
