//! Finds all edges at once.
//!
//! Lists that lead to each other through hidden copies form a component and lead to the same
//! nodes. Components are numbered from callees to callers, so that a single pass joins sets
//! of nodes (as bits) bottom up. The sets cover as many nodes at a time as fit some
//! megabytes.
//!
//! Takes, for each such block, the callees in lists times the words of a set.

use super::{DashedCallee, Lists, ids};
use crate::limits::MOST_CALLS;
use crate::model::CalleeListId;

/// The nodes reached from each source, ascending. `None` if more than `limit`.
pub(super) fn closure(
    lists: &Lists,
    sources: &[CalleeListId],
    limit: usize,
) -> Option<Vec<Box<[u32]>>> {
    let components = Components::new(lists);
    let n_words = MOST_CALLS / components.members.len().max(1);
    let n_words = n_words.clamp(1, lists.n_drawn.div_ceil(64).max(1));
    let mut sets = Sets {
        lists,
        components: &components,
        n_words,
        words: vec![0; components.members.len() * n_words],
        start: 0,
    };
    let mut n_found = 0;
    let mut found: Vec<Vec<u32>> = vec![Vec::new(); sources.len()];
    let mut set = vec![0; n_words];
    for start in (0..lists.n_drawn).step_by(64 * n_words) {
        sets.fill(start);
        for (found, &source) in found.iter_mut().zip(sources) {
            set.fill(0);
            for callee in lists.callees(source) {
                if let DashedCallee::Hidden(_, list) = *callee {
                    unite(&mut set, sets.of(components.of(list)));
                }
            }
            let n_before = found.len();
            found.extend(nodes_in(&set, start));
            n_found += found.len() - n_before;
            if n_found > limit {
                return None;
            }
        }
    }
    Some(found.into_iter().map(Vec::into).collect())
}

/// For each component the nodes of one block that it leads to.
struct Sets<'a> {
    lists: &'a Lists,
    components: &'a Components,
    n_words: usize,
    words: Vec<u64>,
    /// The first node of the block.
    start: usize,
}

impl Sets<'_> {
    /// Computes the sets of the block that starts with a node.
    fn fill(&mut self, start: usize) {
        self.start = start;
        let mut set = vec![0; self.n_words];
        for (component, members) in self.components.members.iter().enumerate() {
            set.fill(0);
            for &list in members {
                for callee in self.lists.callees(list) {
                    self.add(*callee, component, &mut set);
                }
            }
            let place = component * self.n_words;
            self.words[place..][..self.n_words].copy_from_slice(&set);
        }
    }

    fn add(&self, callee: DashedCallee, component: usize, set: &mut [u64]) {
        match callee {
            DashedCallee::Drawn(node) => {
                let bit = (node as usize).checked_sub(self.start);
                if let Some(bit) = bit.filter(|&bit| bit < 64 * self.n_words) {
                    set[bit / 64] |= 1 << (bit % 64);
                }
            }
            DashedCallee::Hidden(_, list) => {
                let other = self.components.of(list);
                if other != component {
                    unite(set, self.of(other));
                }
            }
        }
    }

    fn of(&self, component: usize) -> &[u64] {
        &self.words[component * self.n_words..][..self.n_words]
    }
}

/// The nodes in a set whose first bit is `start`.
fn nodes_in(set: &[u64], start: usize) -> impl Iterator<Item = u32> {
    let words = set.iter().enumerate().filter(|(_, word)| **word != 0);
    words.flat_map(move |(index, &word)| {
        let bits = (0..64).filter(move |bit| word & 1 << bit != 0);
        let node = move |bit| u32::try_from(start + 64 * index + bit);
        bits.map(move |bit| node(bit).expect("nodes that are drawn have such numbers"))
    })
}

fn unite(set: &mut [u64], other: &[u64]) {
    for (word, other) in set.iter_mut().zip(other) {
        *word |= other;
    }
}

/// Components of lists, numbered from callees to callers.
struct Components {
    component_of: Vec<usize>,
    members: Vec<Vec<CalleeListId>>,
}

/// A list on the path of the search.
struct ListVisit {
    list: CalleeListId,
    n_read: usize,
    /// The lowest number of a list reachable from here.
    lowest: usize,
}

impl Components {
    /// Finds components by Tarjan's algorithm, without recursion.
    fn new(lists: &Lists) -> Self {
        const UNSEEN: usize = usize::MAX;
        let mut found = Self { component_of: vec![UNSEEN; lists.len()], members: Vec::new() };
        let mut numbers = vec![UNSEEN; lists.len()];
        let mut n_seen = 0;
        let mut open: Vec<CalleeListId> = Vec::new();
        let mut visits: Vec<ListVisit> = Vec::new();
        for root in ids(lists.len()) {
            let mut next = (numbers[root.index()] == UNSEEN).then_some(root);
            loop {
                if let Some(list) = next.take() {
                    numbers[list.index()] = n_seen;
                    open.push(list);
                    visits.push(ListVisit { list, n_read: 0, lowest: n_seen });
                    n_seen += 1;
                }
                let Some(visit) = visits.last_mut() else {
                    break;
                };
                if let Some(callee) = lists.callees(visit.list).get(visit.n_read) {
                    visit.n_read += 1;
                    let DashedCallee::Hidden(_, list) = *callee else {
                        continue;
                    };
                    if numbers[list.index()] == UNSEEN {
                        next = Some(list);
                    } else if found.component_of[list.index()] == UNSEEN {
                        visit.lowest = visit.lowest.min(numbers[list.index()]);
                    }
                    continue;
                }
                let (list, lowest) = (visit.list, visit.lowest);
                visits.pop();
                if let Some(caller) = visits.last_mut() {
                    caller.lowest = caller.lowest.min(lowest);
                }
                if lowest == numbers[list.index()] {
                    found.close(list, &mut open);
                }
            }
        }
        found
    }

    /// Completes the component whose first list has the number `first`.
    fn close(&mut self, first: CalleeListId, open: &mut Vec<CalleeListId>) {
        let place = open.iter().rposition(|&list| list == first);
        let members = open.split_off(place.expect("a list is open until it is left"));
        for list in &members {
            self.component_of[list.index()] = self.members.len();
        }
        self.members.push(members);
    }

    fn of(&self, list: CalleeListId) -> usize {
        self.component_of[list.index()]
    }
}
