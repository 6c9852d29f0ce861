//! Indices grouped by key.

use std::cmp::Ordering;

/// Indices of items, grouped by key.
#[derive(Clone, Debug, Default)]
pub struct Adjacency {
    starts: Box<[u32]>,
    positions: Box<[u32]>,
}

impl Adjacency {
    /// Groups items by key, below `n_keys`; items without a key are omitted. A counting sort:
    /// stable, and linear in items and keys.
    pub fn new(n_keys: usize, keys: impl Iterator<Item = Option<usize>> + Clone) -> Self {
        let mut starts = vec![0u32; n_keys + 1];
        for key in keys.clone().flatten() {
            starts[key + 1] += 1;
        }
        for index in 0..n_keys {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut positions = vec![0; starts[n_keys] as usize];
        for (position, key) in (0..).zip(keys) {
            let Some(key) = key else {
                continue;
            };
            let index = &mut next[key];
            positions[*index as usize] = position;
            *index += 1;
        }
        Self { starts: starts.into(), positions: positions.into() }
    }

    /// The items of all keys, in key order.
    pub fn all(&self) -> &[u32] {
        &self.positions
    }

    /// Sorts each group.
    pub fn sort_by(&mut self, compare: impl Fn(&u32, &u32) -> Ordering) {
        for range in self.starts.windows(2) {
            self.positions[range[0] as usize..range[1] as usize].sort_by(&compare);
        }
    }

    #[inline]
    pub fn of(&self, key: usize) -> &[u32] {
        let (start, end) = (self.starts[key], self.starts[key + 1]);
        &self.positions[start as usize..end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_stay_in_order_within_their_group() {
        let keys = [Some(2), None, Some(0), Some(2)];
        let groups = Adjacency::new(3, keys.into_iter());
        assert_eq!(groups.of(0), [2]);
        assert!(groups.of(1).is_empty());
        assert_eq!(groups.of(2), [0, 3]);
        assert_eq!(groups.all(), [2, 0, 3]);
    }
}
