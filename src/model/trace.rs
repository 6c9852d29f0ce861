//! Events of an allocation trace.

use std::collections::HashMap;
use std::num::NonZeroU64;

use foldhash::fast::RandomState;

use super::Address;

/// The number of an allocation in a trace. A reallocation keeps it, and real traces use each
/// once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AllocationIndex(pub u64);

/// Values by allocation index.
pub type IndexMap<T> = HashMap<AllocationIndex, T, RandomState>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub address: Address,
    /// Size in bytes, as requested; may be 0.
    pub size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// The heap obtained memory from the system.
    Reserved(Region),
    /// The tracing library obtained memory for its tables.
    Internal(Region),
    Allocated(AllocationIndex, Region),
    /// A block got a new address and size.
    Reallocated(AllocationIndex, Region),
    Freed(AllocationIndex),
}

/// Where an event happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventLocation<'a> {
    /// The number that the program gave the thread; 0 in a program with one thread.
    pub thread: u64,
    pub function: Option<&'a [u8]>,
    pub file: Option<&'a [u8]>,
    pub line: Option<NonZeroU64>,
}

/// A set of allocation indices: one bit for each, in chunks of 128. A chunk with a single
/// index takes about 50 bytes, which limits the memory for a file with scattered indices.
#[derive(Clone, Debug, Default)]
pub struct IndexSet {
    chunks: HashMap<u64, [u64; 2], RandomState>,
}

impl IndexSet {
    /// Adds an index; returns whether it is new.
    pub fn insert(&mut self, index: AllocationIndex) -> bool {
        let (chunk, word, bit) = place(index);
        let word = &mut self.chunks.entry(chunk).or_default()[word];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub fn contains(&self, index: AllocationIndex) -> bool {
        let (chunk, word, bit) = place(index);
        self.chunks.get(&chunk).is_some_and(|words| words[word] & bit != 0)
    }

    /// Removes an index; returns whether the set contained it.
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

/// The chunk of an index, the word within it, and the bit within the word.
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
