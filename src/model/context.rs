//! The entities that costs are charged to: functions and source locations that the profile names,
//! and calling contexts.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::{Address, Contexts};

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

/// The contexts, each after its caller. `None` if the callers form a cycle or one is out of
/// range.
///
/// Linear in the number of contexts, without recursion.
pub fn callers_first(contexts: &Contexts) -> Option<Vec<ContextId>> {
    const FRESH: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    // Caller chains jump all over the table, so a compact copy of the callers is faster.
    let callers: Vec<_> = contexts.iter().map(|context| context.caller).collect();
    let mut states = vec![FRESH; contexts.len()];
    let mut order = Vec::with_capacity(contexts.len());
    let mut chain = Vec::new();
    for (first, _) in (0..).zip(contexts.iter()) {
        let mut next = Some(ContextId(first));
        while let Some(id) = next {
            match *states.get(id.index())? {
                FRESH => {
                    states[id.index()] = OPEN;
                    chain.push(id);
                    next = callers[id.index()];
                }
                OPEN => return None,
                _ => break,
            }
        }
        while let Some(id) = chain.pop() {
            states[id.index()] = DONE;
            order.push(id);
        }
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(callers: &[Option<u32>], expected: Option<&[u32]>) {
        let contexts: Contexts = callers
            .iter()
            .map(|caller| Context {
                address: None,
                function: None,
                location: None,
                caller: caller.map(ContextId),
            })
            .collect();
        let order = callers_first(&contexts);
        let order = order.map(|ids| ids.iter().map(|id| id.0).collect::<Vec<_>>());
        assert_eq!(order.as_deref(), expected, "{callers:?}");
    }

    #[test]
    fn callers_come_before_callees() {
        check(&[], Some(&[]));
        check(&[None, Some(0), Some(1)], Some(&[0, 1, 2]));
        check(&[Some(2), None, Some(1)], Some(&[1, 2, 0]));
    }

    #[test]
    fn rings_and_missing_callers_are_refused() {
        check(&[Some(0)], None);
        check(&[Some(1), Some(2), Some(0)], None);
        check(&[Some(7)], None);
    }
}
