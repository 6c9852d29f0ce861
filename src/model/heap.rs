//! What a heap profile says of the heap as a whole.

use super::SizeClass;

/// The largest sizes of small, medium and large blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeBounds {
    pub small: u64,
    pub medium: u64,
    pub large: u64,
}

impl SizeBounds {
    pub fn class(&self, size: u64) -> SizeClass {
        match size {
            _ if size <= self.small => SizeClass::Small,
            _ if size <= self.medium => SizeClass::Medium,
            _ if size <= self.large => SizeClass::Large,
            _ => SizeClass::ExtraLarge,
        }
    }
}

impl Default for SizeBounds {
    /// mpatrol's, where nothing else is asked for.
    fn default() -> Self {
        Self {
            small: 32,
            medium: 256,
            large: 2048,
        }
    }
}

/// Blocks by size: bin 0 counts those of one byte, and so on; the last one counts
/// those of its size and all larger ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeBins {
    /// Blocks by size. A block of no bytes is counted with those of one. Never longer
    /// than the file that they came from, or than 1024 for a trace.
    pub counts: Box<[u64]>,
    pub last_bytes: u64,
    /// How many of the first bin's blocks have no bytes, where that is known: a trace
    /// tells, and a profile counts them as of one byte.
    pub n_empty: u64,
}

/// What a heap profile says of the heap as a whole. These totals include blocks
/// whose allocation has no context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Where the classes of sizes end.
    pub bounds: SizeBounds,
    pub allocated: SizeBins,
    pub freed: SizeBins,
}

impl SizeBins {
    pub fn n_blocks(&self) -> i128 {
        self.counts.iter().map(|&count| i128::from(count)).sum()
    }

    pub fn n_bytes(&self) -> i128 {
        let Some((_, ordinary)) = self.counts.split_last() else {
            return 0;
        };
        let sized = (1..).zip(ordinary);
        let bytes = sized.map(|(size, &count): (i128, _)| size * i128::from(count));
        bytes.sum::<i128>() + i128::from(self.last_bytes) - i128::from(self.n_empty)
    }
}

impl Heap {
    /// Whether nothing was counted by size.
    pub fn is_empty(&self) -> bool {
        self.allocated.counts.is_empty() && self.freed.counts.is_empty()
    }
}
