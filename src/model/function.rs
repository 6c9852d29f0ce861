//! Functions and locations in the source that a profile names itself.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::Address;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

impl FunctionId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);

impl LocationId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function as the profile names it. Names need not be pairwise different: what
/// tells functions apart is their number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function {
    /// The name, as spelled in the file.
    pub name: Arc<[u8]>,
    /// The program or library that it is in, if the file says so.
    pub object: Option<Arc<[u8]>>,
    /// Where it stands in the source, if the file says so.
    pub location: Option<LocationId>,
    /// Where its code starts, if the file says so.
    pub entry: Option<Address>,
}

impl Function {
    /// A function of which only the name is known.
    pub fn named(name: impl Into<Arc<[u8]>>) -> Self {
        Self {
            name: name.into(),
            object: None,
            location: None,
            entry: None,
        }
    }
}

/// A line of a source file, or the file as a whole, as a profile names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordedLocation {
    /// The file, as spelled in the profile.
    pub file: Arc<[u8]>,
    /// The line, counted from 1.
    pub line: Option<NonZeroU32>,
}
