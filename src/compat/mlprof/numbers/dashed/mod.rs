//! Dashed edges: paths of two or more calls through copies that are not drawn.
//!
//! ```text
//!     drawn ──> hidden ──> hidden ──> drawn      drawn ╌╌> drawn
//!                 └──────> drawn                   └╌╌╌╌╌> drawn
//! ```
//!
//! Copies with the same list of callees lead to the same nodes, so edges are computed for
//! lists, in one of two ways. The original searches from each drawn copy, and draws edges in
//! the order of discovery: [`search`] does the same, in time of lists times callees. If that
//! takes too long (and minutes in the original), [`closure`] finds the same edges in time
//! close to linear; they come in the order of nodes.

mod closure;

use super::clearable_set::ClearableSet;
use super::view::{Copies, View};
use crate::filter::keep::NodeSet;
use crate::limits::MOST_STEPS;
use crate::model::{CalleeListId, ContextId};

/// The targets of dashed edges, for lists of drawn copies.
pub(super) struct DashedEdges {
    /// By list, in order of discovery.
    pub(super) found: Vec<Box<[u32]>>,
}

impl DashedEdges {
    /// Finds dashed edges; `None` if more than `limit`.
    pub(super) fn new(view: &View<'_>, copies: &Copies, limit: usize) -> Option<Self> {
        let lists = Lists::new(view, copies);
        let sources = lists.sources(view, copies);
        let found = if sources.len().saturating_mul(lists.callees.len()) <= MOST_STEPS {
            search(&lists, &sources)
        } else {
            closure::closure(&lists, &sources, limit)?
        };
        let mut edges = Self { found: vec![[].into(); lists.len()] };
        for (list, found) in sources.iter().zip(found) {
            edges.found[list.index()] = found;
        }
        Some(edges)
    }
}

/// An element of a list.
#[derive(Clone, Copy)]
enum DashedCallee {
    /// A copy whose node has this index.
    Drawn(u32),
    /// A copy without a node, and its list.
    Hidden(ContextId, CalleeListId),
}

/// Lists of callees that lead to drawn nodes. The last callee comes first, as in the
/// original.
struct Lists {
    callees: Vec<DashedCallee>,
    ends: Vec<usize>,
    n_copies: usize,
    n_drawn: usize,
}

impl Lists {
    fn new(view: &View<'_>, copies: &Copies) -> Self {
        let leads_on = leads_on(view, copies);
        let calls = &view.table.possible_calls;
        let (mut callees, mut ends) = (Vec::new(), Vec::with_capacity(calls.n_lists()));
        for list in ids(calls.n_lists()) {
            for &copy in calls.list(list).iter().rev() {
                callees.extend(match copies.drawn[copy.index()] {
                    Some(node) => Some(DashedCallee::Drawn(node)),
                    None => calls
                        .list_of(copy)
                        .filter(|list| leads_on.contains(list.index()))
                        .map(|list| DashedCallee::Hidden(copy, list)),
                });
            }
            ends.push(callees.len());
        }
        Self { callees, ends, n_copies: view.table.contexts.len(), n_drawn: copies.n_nodes }
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn callees(&self, list: CalleeListId) -> &[DashedCallee] {
        let index = list.index();
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.callees[start..self.ends[index]]
    }

    fn sources(&self, view: &View<'_>, copies: &Copies) -> Vec<CalleeListId> {
        let calls = &view.table.possible_calls;
        let mut is_source = NodeSet::none(self.len());
        let contexts = (0..).map(ContextId).zip(&copies.drawn);
        for list in contexts.filter_map(|(id, drawn)| calls.list_of(id).filter(|_| drawn.is_some()))
        {
            is_source.insert(list.index());
        }
        let leads_on = |list: &CalleeListId| {
            let mut callees = self.callees(*list).iter();
            callees.any(|callee| matches!(callee, DashedCallee::Hidden(..)))
        };
        ids(self.len()).filter(|list| is_source.contains(list.index())).filter(leads_on).collect()
    }
}

fn ids(n_lists: usize) -> impl Iterator<Item = CalleeListId> {
    (0..).map(CalleeListId).take(n_lists)
}

/// The lists from which calls lead to a drawn node, directly or through hidden copies.
fn leads_on(view: &View<'_>, copies: &Copies) -> NodeSet {
    let calls = &view.table.possible_calls;
    // For each list the lists with a hidden copy that has it.
    let mut users: Vec<Vec<CalleeListId>> = vec![Vec::new(); calls.n_lists()];
    let mut set = NodeSet::none(calls.n_lists());
    let mut pending = Vec::new();
    for list in ids(calls.n_lists()) {
        for &copy in calls.list(list) {
            if copies.drawn[copy.index()].is_some() {
                if set.insert(list.index()) {
                    pending.push(list);
                }
            } else if let Some(used) = calls.list_of(copy) {
                users[used.index()].push(list);
            }
        }
    }
    while let Some(list) = pending.pop() {
        for user in &users[list.index()] {
            if set.insert(user.index()) {
                pending.push(*user);
            }
        }
    }
    set
}

/// The nodes reached from each source, in the order of the original's search.
///
/// Copies share the position up to which their list was read: earlier elements lead to nothing
/// new. So a search is linear in the lists that it visits. The copies that the source calls are
/// not marked as entered, so a cycle enters them a second time, in the middle of their list; this
/// decides the order.
fn search(lists: &Lists, sources: &[CalleeListId]) -> Vec<Box<[u32]>> {
    let mut search = DashedSearch {
        lists,
        entered: ClearableSet::new(lists.n_copies),
        found: ClearableSet::new(lists.n_drawn),
        begun: ClearableSet::new(lists.len()),
        n_read: vec![0; lists.len()],
        stack: Vec::new(),
    };
    sources.iter().map(|&list| search.from(list)).collect()
}

struct DashedSearch<'a> {
    lists: &'a Lists,
    entered: ClearableSet,
    found: ClearableSet,
    begun: ClearableSet,
    /// Number of callees read in each list.
    n_read: Vec<usize>,
    stack: Vec<CalleeListId>,
}

impl DashedSearch<'_> {
    fn from(&mut self, first: CalleeListId) -> Box<[u32]> {
        self.entered.clear();
        self.found.clear();
        self.begun.clear();
        let mut found = Vec::new();
        for callee in self.lists.callees(first) {
            let DashedCallee::Hidden(_, list) = *callee else {
                continue;
            };
            self.begin(list);
            while let Some(&list) = self.stack.last() {
                match self.next_in(list) {
                    None => {
                        self.stack.pop();
                    }
                    Some(DashedCallee::Drawn(node)) => {
                        if self.found.insert(node) {
                            found.push(node);
                        }
                    }
                    Some(DashedCallee::Hidden(copy, list)) => self.enter(copy, list),
                }
            }
        }
        found.into()
    }

    fn enter(&mut self, copy: ContextId, list: CalleeListId) {
        if self.entered.insert(copy.0) {
            self.begin(list);
        }
    }

    fn begin(&mut self, list: CalleeListId) {
        if self.begun.insert(list.0) {
            self.n_read[list.index()] = 0;
        }
        self.stack.push(list);
    }

    fn next_in(&mut self, list: CalleeListId) -> Option<DashedCallee> {
        let n_read = &mut self.n_read[list.index()];
        let callee = self.lists.callees(list).get(*n_read).copied();
        *n_read += 1;
        callee
    }
}

#[cfg(test)]
mod tests;
