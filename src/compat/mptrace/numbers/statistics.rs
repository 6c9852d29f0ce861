//! Sums over a trace.

use crate::compat::words::MachineWords;
use crate::model::{AddressSize, BlockTotal};

/// Sums over a trace, which wrap as words of the profiled machine.
#[derive(Clone, Debug)]
pub struct Statistics {
    pub allocated: BlockTotal,
    /// Frees, and blocks before their reallocation.
    pub freed: BlockTotal,
    /// Memory for the heap.
    pub reserved: BlockTotal,
    /// Memory for the tracing library.
    pub internal: BlockTotal,
    /// Maximum of blocks and of bytes in use after an allocation or reallocation; not
    /// necessarily at the same time.
    pub peak: BlockTotal,
    /// Smallest size. A size of 0 is replaced by any later one.
    pub smallest: u64,
    pub largest: u64,
    words: MachineWords,
}

impl Statistics {
    pub(super) fn new(word: AddressSize) -> Self {
        Self {
            allocated: BlockTotal::default(),
            freed: BlockTotal::default(),
            reserved: BlockTotal::default(),
            internal: BlockTotal::default(),
            peak: BlockTotal::default(),
            smallest: 0,
            largest: 0,
            words: MachineWords::of(word),
        }
    }

    /// Blocks in use; wraps if more was freed than allocated.
    pub fn in_use(&self) -> BlockTotal {
        let (all, gone) = (self.allocated, self.freed);
        BlockTotal {
            count: self.words.difference(all.count, gone.count),
            bytes: self.words.difference(all.bytes, gone.bytes),
        }
    }

    /// All memory from the system.
    pub fn total(&self) -> BlockTotal {
        plus(self.reserved, self.internal, self.words)
    }

    /// The mean size of allocations and reallocations, in bytes, rounded half to even. As in the
    /// original, only the remainder is divided as doubles.
    #[expect(clippy::cast_precision_loss, reason = "the original divides doubles too")]
    pub fn average_size(&self) -> u64 {
        let BlockTotal { count, bytes } = self.allocated;
        let (Some(whole), Some(rest)) = (bytes.checked_div(count), bytes.checked_rem(count)) else {
            return 0;
        };
        let fraction = rest as f64 / count as f64;
        let rounds_up = fraction > 0.5 || fraction == 0.5 && whole % 2 == 1;
        whole + u64::from(rounds_up)
    }

    pub(super) fn reserve(&mut self, size: u64) {
        add(&mut self.reserved, size, self.words);
    }

    pub(super) fn reserve_internal(&mut self, size: u64) {
        add(&mut self.internal, size, self.words);
    }

    pub(super) fn free(&mut self, size: u64) {
        add(&mut self.freed, size, self.words);
    }

    pub(super) fn allocate(&mut self, size: u64) {
        add(&mut self.allocated, size, self.words);
        self.note_size(size);
        self.note_peak();
    }

    pub(super) fn reallocate(&mut self, old_size: u64, new_size: u64) {
        add(&mut self.freed, old_size, self.words);
        add(&mut self.allocated, new_size, self.words);
        self.note_size(new_size);
        self.note_peak();
    }

    fn note_size(&mut self, size: u64) {
        if self.smallest == 0 || size < self.smallest {
            self.smallest = size;
        }
        self.largest = self.largest.max(size);
    }

    fn note_peak(&mut self) {
        let in_use = self.in_use();
        self.peak.count = self.peak.count.max(in_use.count);
        self.peak.bytes = self.peak.bytes.max(in_use.bytes);
    }
}

fn add(blocks: &mut BlockTotal, size: u64, words: MachineWords) {
    let block = BlockTotal { count: 1, bytes: size };
    *blocks = plus(*blocks, block, words);
}

fn plus(left: BlockTotal, right: BlockTotal, words: MachineWords) -> BlockTotal {
    BlockTotal {
        count: words.sum([left.count, right.count]),
        bytes: words.sum([left.bytes, right.bytes]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: AddressSize, expected: [u64; 4]) {
        let mut statistics = Statistics::new(word);
        statistics.reserve(0xc000_0000);
        statistics.reserve_internal(0xc000_0000);
        statistics.allocate(0x8000_0000);
        statistics.allocate(0x8000_0002);
        statistics.free(0x8000_0000);
        let found = [
            statistics.allocated.bytes,
            statistics.in_use().bytes,
            statistics.total().bytes,
            statistics.peak.bytes,
        ];
        assert_eq!(found, expected, "for {word:?}");
    }

    #[test]
    fn sums_go_round_the_words_of_the_machine() {
        check(AddressSize::Four, [2, 0x8000_0002, 0x8000_0000, 0x8000_0000]);
        check(AddressSize::Eight, [0x1_0000_0002, 0x8000_0002, 0x1_8000_0000, 0x1_0000_0002]);
    }
}
