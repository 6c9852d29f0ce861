//! What an input may take at most.

use std::cell::Cell;

use super::share;

/// Limits of what one input may take. Each is a part of the memory limit, and a multiple of the
/// bytes of the input: real files need little more than their size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of tables.
    pub(crate) bytes: u64,
    /// Steps of reading what the input refers to repeatedly.
    pub(crate) steps: u64,
    /// Total bytes of long names, of which it stores so many bytes.
    pub(crate) names: u64,
    /// Bytes of its decompressed sections.
    pub(crate) sections: u64,
    /// Bytes of the decompressed input.
    pub(crate) decompressed: u64,
}

impl Limits {
    pub(crate) fn of(n_bytes: u64) -> Self {
        let with = |base: u64, factor: u64| base.saturating_add(n_bytes.saturating_mul(factor));
        Self {
            bytes: with(share(), 16),
            steps: with(share(), 32),
            names: with(share(), 4),
            sections: with(share(), 8),
            decompressed: with(share() / 4, 32),
        }
    }
}

/// Remaining steps or bytes of a task.
#[derive(Debug)]
pub(crate) struct Budget(Cell<u64>);

impl Budget {
    pub(crate) fn of(limit: u64) -> Self {
        Self(Cell::new(limit))
    }

    /// Takes `n` from the budget; returns whether that many were left.
    #[inline]
    pub(crate) fn spend(&self, n: u64) -> bool {
        let left = self.0.get().checked_sub(n);
        left.inspect(|&left| self.0.set(left)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_a_part_of_the_memory_and_a_multiple_of_the_input() {
        let [none, some] = [0, 1000].map(Limits::of);
        assert_eq!([none.bytes, none.steps, none.names], [share(); 3]);
        let more = [some.bytes, some.steps, some.names].map(|limit| limit - share());
        assert_eq!(more, [16_000, 32_000, 4000]);
        assert_eq!(Limits::of(u64::MAX).steps, u64::MAX);
    }
}
