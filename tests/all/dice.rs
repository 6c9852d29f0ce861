//! Chance that is the same each time.

/// Numbers that look random and are the same each time (Steele and others' SplitMix).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// From 0 to 1, without 0.
    pub(crate) fn share(&mut self) -> f64 {
        ((self.word() >> 11) as f64 + 1.0) / (1u64 << 53) as f64
    }

    /// One of so many numbers, from 0.
    pub(crate) fn below(&mut self, n: u64) -> usize {
        usize::try_from(self.word() % n).expect("it is less than a number that was asked for")
    }

    /// Normally distributed with a deviation of 1.
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * self.share().ln()).sqrt() * (std::f64::consts::TAU * self.share()).cos()
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// How many of random events fall into a time in which `mean` do on average: the
    /// times between them are added up until it is over.
    pub(crate) fn poisson(&mut self, mean: f64) -> u64 {
        let mut time = 0.0;
        (0..)
            .find(|_| {
                time -= self.share().ln();
                time > mean
            })
            .expect("time passes")
    }
}
