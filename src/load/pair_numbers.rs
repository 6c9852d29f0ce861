//! Numbers pairs of numbers: lines of files, and functions at these.

use std::hash::Hash;

use super::numbered_set::{NumberedSet, number_of};

/// Second numbers that are near each other are in one block.
const BLOCK: u32 = 16;

/// The number of an absent pair.
const NONE: u32 = u32::MAX;

/// The numbers of pairs. Successive pairs are usually near each other, so that few of them need a
/// random access to a large table, which is slow.
#[derive(Debug)]
pub(super) struct PairNumbers<K> {
    blocks: Vec<[u32; BLOCK as usize]>,
    block_numbers: NumberedSet<(K, u32)>,
    /// The last block, and its number.
    last: Option<((K, u32), u32)>,
}

impl<K> Default for PairNumbers<K> {
    fn default() -> Self {
        Self { blocks: Vec::new(), block_numbers: NumberedSet::default(), last: None }
    }
}

impl<K: Copy + Eq + Hash> PairNumbers<K> {
    /// The number of a pair; `next` if it is new.
    pub(super) fn number_or(&mut self, first: K, second: u32, next: usize) -> u32 {
        let key = (first, second / BLOCK);
        let block = match self.last {
            Some((last, block)) if last == key => block,
            _ => self.block(key),
        };
        let number = &mut self.blocks[block as usize][(second % BLOCK) as usize];
        if *number == NONE {
            *number = number_of(next);
        }
        *number
    }

    fn block(&mut self, key: (K, u32)) -> u32 {
        let (block, is_new) = self.block_numbers.insert(key);
        if is_new {
            self.blocks.push([NONE; BLOCK as usize]);
        }
        self.last = Some((key, block));
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_numbered_once() {
        let mut numbers = PairNumbers::default();
        let pairs = [(1, 0), (1, 15), (1, 16), (2, 15), (1, u32::MAX), (1, u32::MAX - 15)];
        for (number, (first, second)) in (0..).zip(pairs) {
            assert_eq!(numbers.number_or(first, second, number as usize), number);
        }
        for (number, (first, second)) in (0..).zip(pairs) {
            assert_eq!(numbers.number_or(first, second, pairs.len()), number);
        }
    }
}
