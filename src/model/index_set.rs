//! A set of allocation indices that costs little where they are dense.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::AllocationIndex;

/// Allocation indices, a bit for each in chunks of 128. A chunk that holds one index
/// alone takes some fifty bytes, which is what bounds the cost of a file that
/// scatters its indices.
#[derive(Clone, Debug, Default)]
pub struct IndexSet {
    chunks: HashMap<u64, [u64; 2], RandomState>,
}

impl IndexSet {
    /// Adds an index, and returns whether it is new.
    pub fn insert(&mut self, index: AllocationIndex) -> bool {
        let (chunk, word, bit) = place(index);
        let word = &mut self.chunks.entry(chunk).or_default()[word];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub fn contains(&self, index: AllocationIndex) -> bool {
        let (chunk, word, bit) = place(index);
        self.chunks
            .get(&chunk)
            .is_some_and(|words| words[word] & bit != 0)
    }

    /// Takes an index out, and returns whether it was here.
    pub fn remove(&mut self, index: AllocationIndex) -> bool {
        let (chunk, word, bit) = place(index);
        let Some(words) = self.chunks.get_mut(&chunk) else {
            return false;
        };
        let was_here = words[word] & bit != 0;
        words[word] &= !bit;
        was_here
    }

    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }
}

/// The chunk of an index, its word there, and its bit in that.
fn place(AllocationIndex(index): AllocationIndex) -> (u64, usize, u64) {
    (index / 128, usize::from(index & 64 != 0), 1 << (index % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_in_the_set_until_it_is_taken_out() {
        let mut set = IndexSet::default();
        let indices = [0, 1, 63, 64, 127, 128, 12_345, u64::MAX - 1, u64::MAX];
        for index in indices.map(AllocationIndex) {
            assert!(!set.contains(index) && set.insert(index), "{index:?}");
            assert!(set.contains(index) && !set.insert(index), "{index:?}");
        }
        assert!(!set.contains(AllocationIndex(2)));
        for index in indices.map(AllocationIndex) {
            assert!(set.remove(index) && !set.remove(index), "{index:?}");
        }
    }
}
