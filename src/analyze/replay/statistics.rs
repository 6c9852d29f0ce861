//! What a trace adds up to.

use crate::model::{AddressSize, Tally};

/// What a trace adds up to.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Allocations, and what blocks were reallocated to.
    pub allocated: Tally,
    /// Frees, and what blocks were before they were reallocated.
    pub freed: Tally,
    /// Memory for the heap.
    pub reserved: Tally,
    /// Memory for the tracing library.
    pub internal: Tally,
    /// The most blocks, and the most bytes, that were in use after an allocation or
    /// reallocation; not necessarily at once.
    pub peak: Tally,
    /// The smallest size. A size of 0 gives way to whatever comes later.
    pub smallest: u64,
    /// The largest size.
    pub largest: u64,
    /// The highest number of a word of the machine.
    word_mask: u64,
}

impl Statistics {
    pub(super) fn new(word: AddressSize) -> Self {
        Self {
            allocated: Tally::default(),
            freed: Tally::default(),
            reserved: Tally::default(),
            internal: Tally::default(),
            peak: Tally::default(),
            smallest: 0,
            largest: 0,
            word_mask: match word {
                AddressSize::Four => u64::from(u32::MAX),
                AddressSize::Eight => u64::MAX,
            },
        }
    }

    /// What is in use. When more was freed than allocated, it is short of 0 by
    /// going round a word of the machine.
    #[must_use]
    pub fn in_use(&self) -> Tally {
        let difference = |all: u64, gone: u64| all.wrapping_sub(gone) & self.word_mask;
        Tally {
            count: difference(self.allocated.count, self.freed.count),
            bytes: difference(self.allocated.bytes, self.freed.bytes),
        }
    }

    /// All memory that came from the system.
    #[must_use]
    pub fn total(&self) -> Tally {
        plus(self.reserved, self.internal)
    }

    /// The mean size of what was allocated and reallocated.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "the original divides doubles too"
    )]
    pub fn average_size(&self) -> f64 {
        match self.allocated.count {
            0 => 0.0,
            count => self.allocated.bytes as f64 / count as f64,
        }
    }

    pub(super) fn reserve(&mut self, size: u64) {
        add(&mut self.reserved, size);
    }

    pub(super) fn reserve_internal(&mut self, size: u64) {
        add(&mut self.internal, size);
    }

    pub(super) fn free(&mut self, size: u64) {
        add(&mut self.freed, size);
    }

    pub(super) fn allocate(&mut self, size: u64) {
        add(&mut self.allocated, size);
        self.note_size(size);
        self.note_peak();
    }

    pub(super) fn reallocate(&mut self, old_size: u64, new_size: u64) {
        add(&mut self.freed, old_size);
        add(&mut self.allocated, new_size);
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

/// Adds a block. Sums wrap, as those of the original do.
fn add(tally: &mut Tally, size: u64) {
    *tally = plus(
        *tally,
        Tally {
            count: 1,
            bytes: size,
        },
    );
}

fn plus(left: Tally, right: Tally) -> Tally {
    Tally {
        count: left.count.wrapping_add(right.count),
        bytes: left.bytes.wrapping_add(right.bytes),
    }
}
