//! Dashed edges: paths of two or more calls by way of copies that are not drawn.
//!
//! ```text
//!     drawn ──> hidden ──> hidden ──> drawn      drawn ╌╌> drawn
//!                 └──────> drawn                   └╌╌╌╌╌> drawn
//! ```
//!
//! The original searches from each copy that is drawn, and the order in which it
//! finds copies is the order of its edges, so this searches in the same way. Three
//! things make it fast. Copies with one list of callees lead to the same, so the
//! search starts at lists and each is searched from once. Lists lose what leads
//! nowhere beforehand. And copies that are entered share where their list has been
//! read to, so that a search costs no more than what stands in the lists it meets.

use super::graph::{Copies, Seen};
use super::view::View;
use crate::filter::keep::NodeSet;
use crate::model::{CalleeListId, ContextId};

/// What stands in a list.
#[derive(Clone, Copy)]
enum Callee {
    /// A copy for which the node with this index is drawn.
    Drawn(u32),
    /// A copy that is not drawn, and its list.
    Hidden(ContextId, CalleeListId),
}

/// The dashed edges of copies.
pub(super) struct DashedEdges {
    callees: Vec<Callee>,
    ends: Vec<usize>,
    /// What was found from lists that were searched from.
    found: Vec<Option<Box<[u32]>>>,
    search: Search,
}

/// The state of a search.
struct Search {
    entered: Seen,
    found: Seen,
    begun: Seen,
    /// The callees in each list that was begun that were read.
    n_read: Vec<usize>,
    stack: Vec<CalleeListId>,
}

impl DashedEdges {
    pub(super) fn new(view: &View<'_>, copies: &Copies) -> Self {
        let leads_on = leads_on(view, copies);
        let calls = &view.table.possible_calls;
        let n_lists = calls.n_lists();
        let (mut callees, mut ends) = (Vec::new(), Vec::with_capacity(n_lists));
        for list in (0..).map(CalleeListId).take(n_lists) {
            // The original meets the last callee first.
            for &copy in calls.list(list).iter().rev() {
                callees.extend(match copies.drawn[copy.index()] {
                    Some(node) => Some(Callee::Drawn(node)),
                    None => calls
                        .list_of(copy)
                        .filter(|list| leads_on.contains(list.index()))
                        .map(|list| Callee::Hidden(copy, list)),
                });
            }
            ends.push(callees.len());
        }
        let n_nodes = copies
            .drawn
            .iter()
            .flatten()
            .max()
            .map_or(0, |&last| last as usize + 1);
        Self {
            callees,
            ends,
            found: vec![None; n_lists],
            search: Search {
                entered: Seen::new(view.table.contexts.len()),
                found: Seen::new(n_nodes),
                begun: Seen::new(n_lists),
                n_read: vec![0; n_lists],
                stack: Vec::new(),
            },
        }
    }

    /// The nodes that dashed edges lead to from copies with a list, in the order in
    /// which they are found.
    pub(super) fn behind(&mut self, list: CalleeListId) -> &[u32] {
        if self.found[list.index()].is_none() {
            let found = self.search_from(list);
            self.found[list.index()] = Some(found);
        }
        self.found[list.index()].as_deref().unwrap_or_default()
    }

    fn search_from(&mut self, first: CalleeListId) -> Box<[u32]> {
        let mut found = Vec::new();
        self.search.clear();
        for index in self.range(first) {
            let Callee::Hidden(copy, list) = self.callees[index] else {
                continue;
            };
            self.search.enter(copy, list);
            while let Some(&list) = self.search.stack.last() {
                match self.next_in(list) {
                    None => {
                        self.search.stack.pop();
                    }
                    Some(Callee::Drawn(node)) => {
                        if self.search.found.insert(node) {
                            found.push(node);
                        }
                    }
                    Some(Callee::Hidden(copy, list)) => self.search.enter(copy, list),
                }
            }
        }
        found.into()
    }

    fn next_in(&mut self, list: CalleeListId) -> Option<Callee> {
        let n_read = &mut self.search.n_read[list.index()];
        let place = *n_read;
        *n_read += 1;
        let range = self.range(list);
        self.callees[range].get(place).copied()
    }

    fn range(&self, list: CalleeListId) -> std::ops::Range<usize> {
        let index = list.index();
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[index]
    }
}

impl Search {
    fn clear(&mut self) {
        self.entered.clear();
        self.found.clear();
        self.begun.clear();
    }

    fn enter(&mut self, copy: ContextId, list: CalleeListId) {
        if self.entered.insert(copy.0) {
            if self.begun.insert(list.0) {
                self.n_read[list.index()] = 0;
            }
            self.stack.push(list);
        }
    }
}

/// The lists from which calls lead to something that is drawn, directly or by way
/// of what is not.
fn leads_on(view: &View<'_>, copies: &Copies) -> NodeSet {
    let calls = &view.table.possible_calls;
    let n_lists = calls.n_lists();
    // For each list the lists with a hidden copy that has it.
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); n_lists];
    let mut set = NodeSet::none(n_lists);
    let mut pending = Vec::new();
    for list in (0..).map(CalleeListId).take(n_lists) {
        for &copy in calls.list(list) {
            if copies.drawn[copy.index()].is_some() {
                if set.insert(list.index()) {
                    pending.push(list);
                }
            } else if let Some(used) = calls.list_of(copy) {
                users[used.index()].push(list.0);
            }
        }
    }
    while let Some(list) = pending.pop() {
        for &user in &users[list.index()] {
            if set.insert(user as usize) {
                pending.push(CalleeListId(user));
            }
        }
    }
    set
}
