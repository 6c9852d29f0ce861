//! How far the work is: rooms that work tell it, and who shows it looks when it likes.
//!
//! Telling costs an atomic operation where somebody may look, and a branch where nobody
//! does. Nobody waits, so numbers that are looked at can be of two moments.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Bytes of profiles become numbers, those of a file after those of another.
    Reading,
    /// Functions are found in programs.
    Symbols,
    /// Lines and inlined functions are found for their code.
    Lines,
    /// What was read is shared out among functions, and put in order.
    Adding,
    /// Sources are read, and numbers put beside their lines.
    Sources,
}

/// Takes what is told. By default nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress(Option<&'static Work>);

impl Progress {
    /// Tells it there.
    pub fn of(work: &'static Work) -> Self {
        Self(Some(work))
    }

    /// Something else is done from now on, of so much, where that is known.
    pub fn begin(self, stage: Stage, total: Option<u64>) {
        if let Some(work) = self.0 {
            work.total.store(total.unwrap_or(UNKNOWN), Relaxed);
            work.done.store(0, Relaxed);
            work.stage.store(stage as u8, Relaxed);
        }
    }

    /// So much more is done. Loops with short turns gather before they tell.
    #[inline]
    pub fn advance(self, n: u64) {
        if let Some(work) = self.0 {
            work.done.fetch_add(n, Relaxed);
        }
    }

    /// There is so much more to do than was said.
    pub fn expect_more(self, n: u64) {
        if let Some(work) = self.0 {
            let more = |total: u64| (total != UNKNOWN).then(|| total.saturating_add(n));
            let _ = work.total.fetch_update(Relaxed, Relaxed, more);
        }
    }

    /// So much is left, whatever was told. Nothing where the total is not known.
    pub fn leave(self, n_left: u64) {
        if let Some(work) = self.0 {
            let total = work.total.load(Relaxed);
            if total != UNKNOWN {
                work.done.store(total.saturating_sub(n_left), Relaxed);
            }
        }
    }
}

/// What stands for a total that is not known: there is no bar of nothing.
const UNKNOWN: u64 = 0;

/// What was told.
#[derive(Debug, Default)]
pub struct Work {
    stage: AtomicU8,
    done: AtomicU64,
    total: AtomicU64,
}

/// How far the work was when somebody looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// What was being done.
    pub stage: Stage,
    /// How much of that was done, in whatever the stage counts.
    pub done: u64,
    /// How much there is to do, no less than what is done.
    pub total: Option<u64>,
}

impl Work {
    /// Nothing was done yet: the first thing is reading.
    pub const fn new() -> Self {
        Self {
            stage: AtomicU8::new(Stage::Reading as u8),
            done: AtomicU64::new(0),
            total: AtomicU64::new(UNKNOWN),
        }
    }

    /// How far it is now.
    pub fn reached(&self) -> Reached {
        let number = self.stage.load(Relaxed);
        let (done, total) = (self.done.load(Relaxed), self.total.load(Relaxed));
        let total = Some(total).filter(|&total| total != UNKNOWN);
        let mut stages = STAGES.into_iter();
        let stage = stages.find(|&stage| stage as u8 == number);
        Reached {
            stage: stage.expect("only stages are stored"),
            done: total.map_or(done, |total| done.min(total)),
            total,
        }
    }
}

const STAGES: [Stage; 5] = [
    Stage::Reading,
    Stage::Symbols,
    Stage::Lines,
    Stage::Adding,
    Stage::Sources,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What is seen after some telling.
    fn check(tell: impl FnOnce(Progress), expected: (Stage, u64, Option<u64>)) {
        let work = Box::leak(Box::new(Work::new()));
        tell(Progress::of(work));
        let Reached { stage, done, total } = work.reached();
        assert_eq!((stage, done, total), expected);
    }

    #[test]
    fn what_is_told_is_seen() {
        check(|_| {}, (Stage::Reading, 0, None));
        for stage in STAGES {
            check(|p| p.begin(stage, Some(7)), (stage, 0, Some(7)));
        }
        let tell = |p: Progress| {
            p.begin(Stage::Symbols, Some(9));
            p.advance(2);
            p.advance(3);
        };
        check(tell, (Stage::Symbols, 5, Some(9)));
    }

    #[test]
    fn nothing_is_done_of_what_begins() {
        let tell = |p: Progress| {
            p.begin(Stage::Reading, Some(9));
            p.advance(2);
            p.begin(Stage::Adding, None);
        };
        check(tell, (Stage::Adding, 0, None));
    }

    #[test]
    fn no_more_is_done_than_there_is_to_do() {
        let tell = |p: Progress| {
            p.begin(Stage::Lines, Some(3));
            p.advance(4);
        };
        check(tell, (Stage::Lines, 3, Some(3)));
        check(|p| p.advance(4), (Stage::Reading, 4, None));
    }

    /// A packed file is longer than was thought, and the next one is as long as it was.
    #[test]
    fn what_is_left_says_what_is_done() {
        let tell = |p: Progress| {
            p.begin(Stage::Reading, Some(30));
            p.expect_more(90);
            p.advance(17);
            p.leave(20);
        };
        check(tell, (Stage::Reading, 100, Some(120)));
        let tell = |p: Progress| {
            p.expect_more(90);
            p.leave(20);
        };
        check(tell, (Stage::Reading, 0, None));
    }
}
