//! Nodes that store their neighbours, perhaps inconsistently.
//!
//! Symbol ranges of a gprof spec are in a list of their own before any symbol is placed. It uses
//! the same links: each node has its next node, but not its previous one. Joining such nodes may
//! make a ring, on which gprof loops for ever; here every walk ends after as many steps as nodes.

/// Links between nodes, numbered from 0.
#[derive(Debug, Default)]
pub(super) struct Links {
    next: Vec<Option<usize>>,
    before: Vec<Option<usize>>,
}

impl Links {
    /// Nodes, each with its next one, if any.
    pub(super) fn new(next: Vec<Option<usize>>) -> Self {
        Self { before: vec![None; next.len()], next }
    }

    pub(super) fn is_alone(&self, node: usize) -> bool {
        self.next[node].is_none() && self.before[node].is_none()
    }

    /// The chain of a node from start to end, without repetitions.
    pub(super) fn chain(&self, node: usize) -> Vec<usize> {
        let (start, _) = self.walked(&self.before, node);
        let mut chain = vec![start];
        let mut last = start;
        while let Some(next) = self.next[last].filter(|&next| next != start) {
            if chain.len() == self.next.len() {
                break;
            }
            chain.push(next);
            last = next;
        }
        chain
    }

    /// The end of the chain in one direction, and its distance.
    fn walked(&self, links: &[Option<usize>], node: usize) -> (usize, usize) {
        let mut at = node;
        let mut n_steps = 0;
        while let Some(neighbour) = links[at].filter(|_| n_steps < links.len()) {
            at = neighbour;
            n_steps += 1;
        }
        (at, n_steps)
    }

    /// Joins the ends of an arc if one of them has no neighbours. Returns whether it did.
    pub(super) fn join(&mut self, mut caller: usize, mut callee: usize) -> bool {
        let ends = |links: &Self, node| {
            (links.walked(&links.next, node), links.walked(&links.before, node))
        };
        if self.is_alone(caller) {
            let ((next, n_next), (before, n_before)) = ends(self, callee);
            callee = if n_next < n_before { next } else { before };
        } else if self.is_alone(callee) {
            let ((next, n_next), (before, n_before)) = ends(self, caller);
            caller = if n_before < n_next { before } else { next };
        } else {
            return false;
        }
        if caller == callee {
            return false;
        }
        let is_callee_first = if self.next[caller].is_some() {
            if self.next[callee].is_some() {
                return false;
            }
            true
        } else if self.before[caller].is_some() {
            if self.before[callee].is_some() {
                return false;
            }
            false
        } else {
            self.before[callee].is_some()
        };
        let (first, second) = if is_callee_first { (callee, caller) } else { (caller, callee) };
        self.next[first] = Some(second);
        self.before[second] = Some(first);
        true
    }
}
