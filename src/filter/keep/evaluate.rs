//! Evaluates expressions. Each step is linear in nodes and callee lists. It never visits the
//! calls of a list one by one, since these may be many more.

use super::expression::{Keep, SetStep, Unary};
use super::{Graph, KeepPattern};

impl Keep {
    pub fn select<G: Graph>(&self, graph: &G) -> NodeSet {
        let mut sets: Vec<NodeSet> = Vec::new();
        for step in &self.steps {
            let set = match step {
                SetStep::All => NodeSet::all(graph.n_nodes()),
                SetStep::None => NodeSet::none(graph.n_nodes()),
                SetStep::Fitting(pattern) => fitting(graph, pattern),
                SetStep::AtLeast(share, least) => {
                    chosen(graph, |node| graph.percentage(node, *share) >= *least)
                }
                SetStep::And => {
                    let right = pop(&mut sets);
                    pop(&mut sets).combined(&right, |left, right| left & right)
                }
                SetStep::Or => {
                    let right = pop(&mut sets);
                    pop(&mut sets).combined(&right, |left, right| left | right)
                }
                SetStep::Unary(Unary::Not) => pop(&mut sets).complement(),
                SetStep::Unary(Unary::Predecessors) => with_predecessors(graph, pop(&mut sets)),
                SetStep::Unary(Unary::Successors) => with_successors(graph, pop(&mut sets)),
                SetStep::Unary(Unary::From) => from(graph, pop(&mut sets)),
                SetStep::Unary(Unary::To) => to(graph, pop(&mut sets)),
            };
            sets.push(set);
        }
        pop(&mut sets)
    }

    /// The patterns that match no label of a graph, as written.
    pub fn patterns_without_match<G: Graph>(&self, graph: &G) -> Vec<&[u8]> {
        let patterns = self.steps.iter().filter_map(|step| match step {
            SetStep::Fitting(pattern) => Some(pattern),
            _ => None,
        });
        let fits_none = |pattern: &&KeepPattern| {
            let mut labels = 0..graph.n_labels();
            !labels.any(|label| graph.fits(label, pattern))
        };
        patterns.filter(fits_none).map(KeepPattern::text).collect()
    }
}

fn pop(sets: &mut Vec<NodeSet>) -> NodeSet {
    sets.pop().expect("the parser makes a set before its use")
}

fn chosen<G: Graph>(graph: &G, is_in: impl Fn(usize) -> bool) -> NodeSet {
    let mut set = NodeSet::none(graph.n_nodes());
    for node in (0..graph.n_nodes()).filter(|&node| is_in(node)) {
        set.insert(node);
    }
    set
}

fn fitting<G: Graph>(graph: &G, pattern: &KeepPattern) -> NodeSet {
    let labels = 0..graph.n_labels();
    let fits: Vec<bool> = labels.map(|label| graph.fits(label, pattern)).collect();
    chosen(graph, |node| fits[graph.label_of(node)])
}

fn with_predecessors<G: Graph>(graph: &G, set: NodeSet) -> NodeSet {
    let lists = 0..graph.n_lists();
    let leads_in = |list| graph.callees(list).any(|callee| set.contains(callee));
    let leads_in: Vec<bool> = lists.map(leads_in).collect();
    chosen(graph, |node| {
        set.contains(node) || graph.list_of(node).is_some_and(|list| leads_in[list])
    })
}

fn with_successors<G: Graph>(graph: &G, set: NodeSet) -> NodeSet {
    let mut grown = set.clone();
    let mut seen = NodeSet::none(graph.n_lists());
    for list in set.iter().filter_map(|node| graph.list_of(node)) {
        if seen.insert(list) {
            for callee in graph.callees(list) {
                grown.insert(callee);
            }
        }
    }
    grown
}

fn from<G: Graph>(graph: &G, mut set: NodeSet) -> NodeSet {
    let mut seen = NodeSet::none(graph.n_lists());
    let mut pending: Vec<usize> = set.iter().collect();
    while let Some(node) = pending.pop() {
        let Some(list) = graph.list_of(node).filter(|&list| seen.insert(list)) else {
            continue;
        };
        pending.extend(graph.callees(list).filter(|&callee| set.insert(callee)));
    }
    set
}

fn to<G: Graph>(graph: &G, mut set: NodeSet) -> NodeSet {
    let nodes = (0..graph.n_nodes()).filter_map(|node| Some((graph.list_of(node)?, node)));
    let callers = grouped(graph.n_lists(), nodes);
    let lists = 0..graph.n_lists();
    let members = lists.flat_map(|list| graph.callees(list).map(move |callee| (callee, list)));
    let lists_with = grouped(graph.n_nodes(), members);
    let mut seen = NodeSet::none(graph.n_lists());
    let mut pending: Vec<usize> = set.iter().collect();
    while let Some(node) = pending.pop() {
        for &list in &lists_with[node] {
            if seen.insert(list) {
                let callers = callers[list].iter();
                pending.extend(callers.filter(|&&caller| set.insert(caller)));
            }
        }
    }
    set
}

/// Values by the number of their group.
fn grouped(n_groups: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); n_groups];
    for (group, member) in pairs {
        groups[group].push(member);
    }
    groups
}

#[cfg(test)]
mod tests;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSet {
    words: Box<[u64]>,
    n_nodes: usize,
}

impl NodeSet {
    /// The empty set of `n_nodes` nodes.
    pub fn none(n_nodes: usize) -> Self {
        Self { words: vec![0; n_nodes.div_ceil(64)].into(), n_nodes }
    }

    pub fn all(n_nodes: usize) -> Self {
        Self::none(n_nodes).complement()
    }

    pub fn contains(&self, node: usize) -> bool {
        self.words[node / 64] & 1 << (node % 64) != 0
    }

    /// Adds a node; returns whether it is new.
    pub fn insert(&mut self, node: usize) -> bool {
        let word = &mut self.words[node / 64];
        let bit = 1 << (node % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// The nodes of the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.n_nodes).filter(|&node| self.contains(node))
    }

    /// Combines two sets of the same nodes, 64 at a time.
    fn combined(mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        for (word, &other) in self.words.iter_mut().zip(&other.words) {
            *word = combine(*word, other);
        }
        self
    }

    fn complement(mut self) -> Self {
        for word in &mut self.words {
            *word = !*word;
        }
        if let Some(last) = self.words.last_mut() {
            *last &= u64::MAX >> ((64 - self.n_nodes % 64) % 64);
        }
        self
    }
}
