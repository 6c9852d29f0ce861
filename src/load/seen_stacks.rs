//! Stacks that a text repeats, by the hash of their text.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::{fast, quality};

use crate::model::ContextId;

/// Maximum number of stacks to remember.
const MAX_STACKS: usize = 1 << 17;

/// The hash of a text. Its keys are random, so that no file can contain two texts with the same
/// hash on purpose; 128 bits, so that none does by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StackHash([u64; 2]);

/// The contexts of stacks by their text.
#[derive(Debug, Default)]
pub(super) struct SeenStacks {
    contexts: HashMap<StackHash, ContextId, fast::RandomState>,
    keys: [quality::RandomState; 2],
}

impl SeenStacks {
    pub(super) fn hash(&self, text: &[u8]) -> StackHash {
        StackHash([self.keys[0].hash_one(text), self.keys[1].hash_one(text)])
    }

    pub(super) fn get(&self, hash: StackHash) -> Option<ContextId> {
        self.contexts.get(&hash).copied()
    }

    pub(super) fn insert(&mut self, hash: StackHash, context: ContextId) {
        if self.contexts.len() < MAX_STACKS {
            self.contexts.insert(hash, context);
        }
    }
}
