//! Numbers that look random and are the same each time.

/// A source of them.
pub(super) struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    /// Whether something happens that does so many times of 1000.
    pub(super) fn permille(&mut self, times: u64) -> bool {
        self.below(1000) < times
    }

    /// A number below `end`, small ones more often.
    pub(super) fn small(&mut self, end: u64) -> u64 {
        let bound = 1 + self.below(end);
        self.below(bound)
    }

    /// One of some.
    pub(super) fn one_of<'a, T>(&mut self, some: &'a [T]) -> &'a T {
        let index = self.below(some.len() as u64);
        &some[usize::try_from(index).expect("it is below their number")]
    }
}
