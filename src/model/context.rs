//! What values are charged to: functions and locations that a profile names itself, and
//! calling contexts.

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(pub u32);

impl ContextId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of the tree of calling contexts: one place in the code together with the
/// context that called it. A file that records no callers has contexts without any.
///
/// mpatrol's call sites are such nodes, and so are the copies that MLton makes of
/// functions, each a context of its own without a caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Context {
    /// The context that called; `None` for an outermost one.
    pub caller: Option<ContextId>,
    /// The function that the file itself says this is in.
    pub function: Option<FunctionId>,
    /// The line that the file itself says this is in.
    pub location: Option<LocationId>,
    /// The address in the code, as recorded: where the call returns to.
    pub address: Option<Address>,
}

/// The contexts in an order in which each stands behind its caller. `None` when
/// some context is, by way of others, its own caller, or a caller is out of range.
///
/// Costs the number of contexts, and no recursion.
pub fn callers_first(contexts: &[Context]) -> Option<Vec<ContextId>> {
    const FRESH: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    // Chains of callers lead all over the table, so there is no more of it than needed.
    let callers: Vec<_> = contexts.iter().map(|context| context.caller).collect();
    let mut states = vec![FRESH; contexts.len()];
    let mut order = Vec::with_capacity(contexts.len());
    let mut chain = Vec::new();
    for (first, _) in (0..).zip(contexts) {
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
        let contexts: Vec<_> = callers
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
    fn callers_come_before_what_they_call() {
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
