//! Events that an instrumented run counts, and the parts of such a run.

use std::sync::Arc;

/// The number of an event among those that its profile counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventIndex(pub u32);

impl EventIndex {
    /// The number as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an event is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventName {
    /// The short name, such as `Ir`.
    pub id: Arc<[u8]>,
    /// The long one, where the file gives it, such as `Instruction Fetch`.
    pub title: Option<Arc<[u8]>>,
}

/// An event that nobody counted: it is a sum of others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DerivedEvent {
    /// What it is called.
    pub name: EventName,
    /// How often it counts each of the others.
    pub terms: Box<[(u64, EventIndex)]>,
}

/// A part of a run: what one thread did between two dumps.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunPart {
    /// The command that was run.
    pub command: Option<Arc<[u8]>>,
    /// The process.
    pub process: Option<u64>,
    /// The number of the dump, counted from 1.
    pub number: Option<u64>,
    /// The number of the thread, where threads are apart.
    pub thread: Option<u64>,
}
