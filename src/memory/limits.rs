//! What an input may take at most: one place for limits with the same meaning.

use std::cell::Cell;

use super::share;

/// The deepest nesting: of types in names, of inlined functions, of callers in a tree.
pub const DEEPEST: usize = 256;

/// The most kinds of values of a file: events, sample types, detailed snapshots, labels.
pub const MOST_VALUES: usize = 32;

/// The most frames of a stack.
pub const MOST_FRAMES: usize = 1 << 16;

/// The most rows, frames or calls that a report lists. They take a hundred megabytes.
pub const MOST_LISTED: usize = 1 << 20;

/// The most calls that a shorter text may stand for: ranges to ranges, and shared lists of callees.
pub const MOST_CALLS: usize = 1 << 22;

/// The most steps of an exact answer, before a simpler one is taken: a quarter of a second.
pub const MOST_STEPS: usize = 1 << 26;

/// The longest line, or list of names or arguments, in bytes.
pub const LONGEST_TEXT: usize = 16 << 20;

/// The longest name of a function or path of a file in bytes. A name may be in every row.
pub const LONGEST_NAME: usize = 4096;

/// Names up to this size are never cut to fit.
pub const SHORT_NAME: usize = 1000;

/// The longest name that is compared with known ones.
pub const KNOWN_NAME: usize = 256;

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
