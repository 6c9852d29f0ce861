//! Searches in the manner of the original, for its order of edges.
//!
//! Copies that are entered share where their list has been read to: what was read of
//! it leads to nothing new. So a search costs no more than what stands in the lists
//! that it meets.

use super::super::graph::Seen;
use super::{Callee, Lists};
use crate::model::{CalleeListId, ContextId};

/// The nodes that are found from each source.
pub(super) fn search(lists: &Lists, sources: &[CalleeListId]) -> Vec<Box<[u32]>> {
    let mut search = Search {
        lists,
        entered: Seen::new(lists.n_copies),
        found: Seen::new(lists.n_drawn),
        begun: Seen::new(lists.len()),
        n_read: vec![0; lists.len()],
        stack: Vec::new(),
    };
    sources.iter().map(|&list| search.from(list)).collect()
}

struct Search<'a> {
    lists: &'a Lists,
    entered: Seen,
    found: Seen,
    begun: Seen,
    /// How many callees were read, in each list that was begun.
    n_read: Vec<usize>,
    stack: Vec<CalleeListId>,
}

impl Search<'_> {
    fn from(&mut self, first: CalleeListId) -> Box<[u32]> {
        self.entered.clear();
        self.found.clear();
        self.begun.clear();
        let mut found = Vec::new();
        for callee in self.lists.callees(first) {
            let Callee::Hidden(copy, list) = *callee else {
                continue;
            };
            self.enter(copy, list);
            while let Some(&list) = self.stack.last() {
                match self.next_in(list) {
                    None => {
                        self.stack.pop();
                    }
                    Some(Callee::Drawn(node)) => {
                        if self.found.insert(node) {
                            found.push(node);
                        }
                    }
                    Some(Callee::Hidden(copy, list)) => self.enter(copy, list),
                }
            }
        }
        found.into()
    }

    fn enter(&mut self, copy: ContextId, list: CalleeListId) {
        if self.entered.insert(copy.0) {
            if self.begun.insert(list.0) {
                self.n_read[list.index()] = 0;
            }
            self.stack.push(list);
        }
    }

    fn next_in(&mut self, list: CalleeListId) -> Option<Callee> {
        let n_read = &mut self.n_read[list.index()];
        let callee = self.lists.callees(list).get(*n_read).copied();
        *n_read += 1;
        callee
    }
}
