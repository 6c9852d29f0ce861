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
