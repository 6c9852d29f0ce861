//! Events of an allocation trace.

use std::num::NonZeroU64;

use super::Address;

/// The number that a trace gives an allocation. It stays when the block is
/// reallocated, and genuine traces use none twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AllocationIndex(pub u64);

/// A piece of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Where it starts.
    pub address: Address,
    /// Its size in bytes, as asked for: it may be 0.
    pub size: u64,
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// Memory came from the system for the program's heap.
    Reserved(Region),
    /// Memory came from the system for the tables of the tracing library.
    Internal(Region),
    /// A block was allocated.
    Allocated(AllocationIndex, Region),
    /// A block got a new place and size.
    Reallocated(AllocationIndex, Region),
    /// A block was freed.
    Freed(AllocationIndex),
}

/// Where in the program an event happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventLocation<'a> {
    /// The program's own number of the thread; 0 where it has only one.
    pub thread: u64,
    /// The function.
    pub function: Option<&'a [u8]>,
    /// The source file.
    pub file: Option<&'a [u8]>,
    /// The line there.
    pub line: Option<NonZeroU64>,
}
