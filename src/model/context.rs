//! The entities that costs are charged to: functions and source locations that the profile names,
//! and calling contexts.

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

/// A function that the profile names. Names are not unique; the [`FunctionId`] is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function {
    /// As written in the file.
    pub name: Arc<[u8]>,
    /// The program or library that contains it, if recorded.
    pub object: Option<Arc<[u8]>>,
    /// Its source location, if recorded.
    pub location: Option<LocationId>,
    /// Its start address, if recorded.
    pub entry: Option<Address>,
    /// The level of recursion, from 1, if the profile separates levels: a function that is
    /// active once is called again at level 2. The last level includes all deeper ones.
    pub level: Option<NonZeroU32>,
}

impl Function {
    /// A function with only a name.
    pub fn named(name: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.into(), object: None, location: None, entry: None, level: None }
    }
}

/// A source file, with or without a line, as recorded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordedLocation {
    /// As written in the file.
    pub file: Arc<[u8]>,
    /// Counted from 1.
    pub line: Option<NonZeroU32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(pub u32);

impl ContextId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of the tree of calling contexts: a place in the code and its caller. If the file
/// records no callers, no context has one.
///
/// mpatrol's call sites are contexts, and so are MLton's copies of functions, without
/// callers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Context {
    /// `None` for an outermost context.
    pub caller: Option<ContextId>,
    /// The function, if the file names it.
    pub function: Option<FunctionId>,
    /// The source location, if the file names it.
    pub location: Option<LocationId>,
    /// The recorded return address.
    pub address: Option<Address>,
}
