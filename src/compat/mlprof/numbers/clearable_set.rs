//! A set for many short searches.

/// A set of indices that is cleared in constant time.
pub(super) struct ClearableSet {
    rounds: Box<[u32]>,
    round: u32,
}

impl ClearableSet {
    pub(super) fn new(length: usize) -> Self {
        Self { rounds: vec![0; length].into(), round: 1 }
    }

    pub(super) fn clear(&mut self) {
        if self.round == u32::MAX {
            self.rounds.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    pub(super) fn insert(&mut self, index: u32) -> bool {
        let round = &mut self.rounds[index as usize];
        let is_new = *round != self.round;
        *round = self.round;
        is_new
    }
}
