//! Bytes that look random and are the same each time, for programs outside of libFuzzer.

/// The bytes of a case, from a seed and a number (Steele and others' SplitMix).
#[must_use]
pub fn bytes_of(seed: u64, case: u64, size: usize) -> Vec<u8> {
    let mut dice = Dice::new(seed, case);
    let words = (0..size.div_ceil(8)).flat_map(|_| dice.word().to_le_bytes());
    words.take(size).collect()
}

/// Numbers that look random and are the same each time.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// The bytes of a case.
    #[must_use]
    pub fn new(seed: u64, case: u64) -> Self {
        let mut of_seed = Self(seed);
        Self(of_seed.word() ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Any number.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// One of so many numbers, from 0; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let word = usize::try_from(self.word() >> 1).unwrap_or(usize::MAX);
        word.checked_rem(n).unwrap_or(0)
    }
}
