//! What demangling one name may take.

/// Steps that one name may take at most. Back references, substitutions and arguments of
/// templates can repeat others exponentially often.
const MOST: usize = 1 << 18;

/// Steps for demangling one name: nodes that are made of it or visited, or bytes that are
/// printed, whichever are most.
#[derive(Debug)]
pub(super) struct Budget {
    limit: usize,
    n_used: usize,
    is_exceeded: bool,
}

impl Budget {
    /// As much as one name may take that stands for itself.
    pub(super) fn of_one() -> Self {
        Self::new(MOST)
    }

    /// So many steps, but not more than one name may take.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit: limit.min(MOST),
            n_used: 0,
            is_exceeded: false,
        }
    }

    /// How many steps there are in all.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Notes that one way to count steps came to so many.
    pub(super) fn took(&mut self, n_steps: usize) {
        self.n_used = self.n_used.max(n_steps);
    }

    /// Notes that a name was given up, for it takes too much or nests too deeply.
    pub(super) fn exceed(&mut self) {
        self.is_exceeded = true;
    }

    /// The steps that were taken.
    pub(super) fn n_used(&self) -> usize {
        self.n_used
    }

    /// Whether a name was given up.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }
}
