//! Events of an allocation trace.

use std::collections::HashMap;
use std::num::NonZeroU64;

use foldhash::fast::RandomState;

use super::Address;

/// The number that a trace gives an allocation. It stays when the block is
/// reallocated, and genuine traces use none twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AllocationIndex(pub u64);

/// Values by allocation index.
pub type IndexMap<T> = HashMap<AllocationIndex, T, RandomState>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub address: Address,
    /// Its size in bytes, as asked for: it may be 0.
    pub size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// Memory came from the system for the program's heap.
    Reserved(Region),
    /// Memory came from the system for the tables of the tracing library.
    Internal(Region),
    Allocated(AllocationIndex, Region),
    /// A block got a new place and size.
    Reallocated(AllocationIndex, Region),
    Freed(AllocationIndex),
}

/// Where in the program an event happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventLocation<'a> {
    /// The program's own number of the thread; 0 where it has only one.
    pub thread: u64,
    pub function: Option<&'a [u8]>,
    pub file: Option<&'a [u8]>,
    pub line: Option<NonZeroU64>,
}

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
