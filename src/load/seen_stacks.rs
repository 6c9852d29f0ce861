//! Stacks that a text repeats, by the hash of their text.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::{fast, quality};

/// Maximum number of stacks to remember.
const MAX_STACKS: usize = 1 << 17;

/// The hash of a text. Its keys are random, so that no file can contain two texts with the same
/// hash on purpose; 128 bits, so that none does by chance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct StackHash([u64; 2]);

/// The keys of hashes.
#[derive(Debug, Default)]
pub(super) struct StackKeys([quality::RandomState; 2]);

impl StackKeys {
    /// The hash of the text of a frame, inside of the frames with another hash.
    pub(super) fn step(&self, StackHash(outer): StackHash, text: &[u8]) -> StackHash {
        let Self(keys) = self;
        StackHash([keys[0].hash_one((outer[0], text)), keys[1].hash_one((outer[1], text))])
    }
}

/// What was read from the texts of stacks.
#[derive(Debug)]
pub(super) struct SeenStacks<T> {
    stacks: HashMap<StackHash, T, fast::RandomState>,
    pub(super) keys: StackKeys,
}

impl<T> Default for SeenStacks<T> {
    fn default() -> Self {
        Self { stacks: HashMap::default(), keys: StackKeys::default() }
    }
}

impl<T: Copy> SeenStacks<T> {
    pub(super) fn get(&self, hash: StackHash) -> Option<T> {
        self.stacks.get(&hash).copied()
    }

    /// Remembers a stack. Forgets all others when they are too many: those that repeat come again.
    pub(super) fn insert(&mut self, hash: StackHash, stack: T) {
        if self.stacks.len() == MAX_STACKS {
            self.stacks.clear();
        }
        self.stacks.insert(hash, stack);
    }
}

/// The largest number of frames that are known, with what is known of them. If some frames are
/// known, so are fewer of them. Asks for the most first: usually these are nearly all.
pub(super) fn longest_known<T>(
    n_frames: usize,
    known: impl Fn(usize) -> Option<T>,
) -> (usize, Option<T>) {
    let (mut least, mut most) = (0, n_frames);
    let (mut found, mut n_failed) = (None, 0_u32);
    while least < most {
        let n_less = match found {
            None => (1_usize << n_failed.saturating_sub(1)) - 1,
            Some(_) => (most - least) / 2,
        };
        let middle = most.saturating_sub(n_less).max(least + 1);
        match known(middle) {
            None => (most, n_failed) = (middle - 1, n_failed + 1),
            now => (least, found) = (middle, now),
        }
    }
    (least, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_known_part_is_found_in_few_steps() {
        for n_frames in [0, 1, 2, 3, 30, 1000] {
            for n_known in 0..=n_frames {
                let n_asked = std::cell::Cell::new(0);
                let known = |n: usize| {
                    n_asked.set(n_asked.get() + 1);
                    (n <= n_known).then_some(n)
                };
                let found = longest_known(n_frames, known);
                assert_eq!(found, (n_known, Some(n_known).filter(|&n| n > 0)));
                assert!(
                    n_asked.get() <= 2 + 2 * n_frames.max(1).ilog2(),
                    "{n_known} of {n_frames}"
                );
            }
        }
    }
}
