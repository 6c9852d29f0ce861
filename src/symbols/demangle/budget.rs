//! The steps that demangling one name may take.

/// Steps that every name may take, however short it is.
pub(super) const MIN_STEPS: usize = 1 << 10;

/// Steps for each byte of a longer name. Of 78,000 names of LLVM and rustc one takes 28, and
/// ten more than 10.
const STEPS_PER_BYTE: usize = 64;

/// Steps that no name exceeds. Back references, substitutions and arguments of templates
/// can repeat others exponentially often.
const MAX_STEPS: usize = 1 << 18;

/// Steps for demangling one name: nodes that are made of it or visited, or bytes that are
/// printed, whichever are most.
#[derive(Debug)]
pub(super) struct Budget {
    limit: usize,
    n_used: usize,
    is_exceeded: bool,
}

impl Budget {
    /// What a name may take, whatever other names took.
    pub(super) fn of(raw: &[u8]) -> Self {
        let limit = raw.len().saturating_mul(STEPS_PER_BYTE);
        Self {
            limit: limit.clamp(MIN_STEPS, MAX_STEPS),
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

    pub(super) fn n_used(&self) -> usize {
        self.n_used
    }

    /// Whether a name was given up.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }
}
