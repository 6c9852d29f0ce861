//! Possible calls, found by a compiler.

use super::ContextId;

/// A possible call from one context to another, found by a compiler. Whether and how often it
/// happened is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PossibleCall {
    pub caller: ContextId,
    pub callee: ContextId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalleeListId(pub u32);

impl CalleeListId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The possible calls of a profile.
///
/// Callers with the same callees share a list, as in the file. So the memory is at most the
/// size of the file, although the number of calls may be its square. Loops should visit
/// lists, not calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PossibleCalls {
    callees: Vec<ContextId>,
    /// The end of each list among the callees.
    ends: Vec<usize>,
    /// The list of each context; contexts after the last entry have no list.
    lists: Vec<CalleeListId>,
}

impl PossibleCalls {
    /// Adds a list of callees.
    ///
    /// # Panics
    /// At 2³² lists. Files have at most 2³¹.
    pub fn add_list(&mut self, callees: impl IntoIterator<Item = ContextId>) -> CalleeListId {
        let number = u32::try_from(self.ends.len()).expect("files have fewer lists");
        self.callees.extend(callees);
        self.ends.push(self.callees.len());
        CalleeListId(number)
    }

    /// Sets the list of the next context.
    ///
    /// # Panics
    /// If `list` does not exist.
    pub fn add_caller(&mut self, list: CalleeListId) {
        assert!(list.index() < self.ends.len(), "the list was added before");
        self.lists.push(list);
    }

    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    pub fn len(&self) -> usize {
        let lists = self.lists.iter().map(|&list| self.list(list).len());
        lists.fold(0, usize::saturating_add)
    }

    pub fn n_lists(&self) -> usize {
        self.ends.len()
    }

    pub fn list_of(&self, caller: ContextId) -> Option<CalleeListId> {
        self.lists.get(caller.index()).copied()
    }

    pub fn list(&self, list: CalleeListId) -> &[ContextId] {
        let index = list.index();
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.callees[start..self.ends[index]]
    }

    pub fn callees(&self, caller: ContextId) -> &[ContextId] {
        self.list_of(caller).map_or(&[], |list| self.list(list))
    }

    /// All calls. The number may be the square of the size of the file.
    pub fn iter(&self) -> impl Iterator<Item = PossibleCall> {
        let callers = (0..).map(ContextId).zip(&self.lists);
        callers.flat_map(|(caller, &list)| {
            let callees = self.list(list).iter();
            callees.map(move |&callee| PossibleCall { caller, callee })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_share_lists() {
        let mut calls = PossibleCalls::default();
        let none = calls.add_list([]);
        let both = calls.add_list([ContextId(1), ContextId(0)]);
        for list in [both, none, both] {
            calls.add_caller(list);
        }
        let pairs: Vec<_> = calls.iter().map(|call| (call.caller.0, call.callee.0)).collect();
        assert_eq!(pairs, [(0, 1), (0, 0), (2, 1), (2, 0)]);
        assert_eq!(calls.callees(ContextId(1)), []);
        assert_eq!(calls.callees(ContextId(3)), []);
    }
}
