//! Sets of nodes.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSet {
    words: Box<[u64]>,
    n_nodes: usize,
}

impl NodeSet {
    /// None of so many nodes.
    pub fn none(n_nodes: usize) -> Self {
        Self {
            words: vec![0; n_nodes.div_ceil(64)].into(),
            n_nodes,
        }
    }

    pub fn all(n_nodes: usize) -> Self {
        let mut set = Self::none(n_nodes);
        set.complement();
        set
    }

    pub fn contains(&self, node: usize) -> bool {
        self.words[node / 64] & 1 << (node % 64) != 0
    }

    /// Adds a node, and says whether it is new.
    pub fn insert(&mut self, node: usize) -> bool {
        let word = &mut self.words[node / 64];
        let bit = 1 << (node % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// The nodes of the set, in rising order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.n_nodes).filter(|&node| self.contains(node))
    }

    pub(super) fn intersect(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    pub(super) fn unite(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    pub(super) fn complement(&mut self) {
        for word in &mut self.words {
            *word = !*word;
        }
        if let Some(last) = self.words.last_mut() {
            *last &= u64::MAX >> ((64 - self.n_nodes % 64) % 64);
        }
    }
}
