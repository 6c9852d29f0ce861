//! Progress counters: stages add to them, and a display reads them at intervals.
//!
//! An update is an atomic operation if there is a display, otherwise a branch. It never waits, so
//! a reader may see values of two moments.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// The stage of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Parsing profiles, one after another; in bytes.
    Reading,
    /// Reading symbols.
    Symbols,
    /// Reading lines and inlined functions.
    Lines,
    /// Computing costs.
    Adding,
    /// Reading and annotating sources.
    Sources,
}

/// Receives updates; by default ignores them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress(Option<&'static Work>);

impl Progress {
    /// Updates `work`.
    pub fn of(work: &'static Work) -> Self {
        Self(Some(work))
    }

    /// Starts a stage, with its total if known.
    pub fn begin(self, stage: Stage, total: Option<u64>) {
        if let Some(work) = self.0 {
            work.total.store(total.unwrap_or(UNKNOWN), Relaxed);
            work.done.store(0, Relaxed);
            work.stage.store(stage as u8, Relaxed);
        }
    }

    /// Adds finished work. Short loops call it for several rounds at once.
    #[inline]
    pub fn advance(self, n: u64) {
        if let Some(work) = self.0 {
            work.done.fetch_add(n, Relaxed);
        }
    }

    /// Adds to the total.
    pub fn expect_more(self, n: u64) {
        if let Some(work) = self.0 {
            let more = |total: u64| (total != UNKNOWN).then(|| total.saturating_add(n));
            let _ = work.total.fetch_update(Relaxed, Relaxed, more);
        }
    }

    /// Sets the remaining work. No effect if the total is unknown.
    pub fn leave(self, n_left: u64) {
        if let Some(work) = self.0 {
            let total = work.total.load(Relaxed);
            if total != UNKNOWN {
                work.done.store(total.saturating_sub(n_left), Relaxed);
            }
        }
    }
}

/// Represents an unknown total.
const UNKNOWN: u64 = 0;

/// The counters.
#[derive(Debug, Default)]
pub struct Work {
    stage: AtomicU8,
    done: AtomicU64,
    total: AtomicU64,
}

/// The progress at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The stage.
    pub stage: Stage,
    /// Finished work, in the unit of the stage.
    pub done: u64,
    /// Total work, at least `done`.
    pub total: Option<u64>,
}

impl Work {
    /// Before the first stage.
    pub const fn new() -> Self {
        Self {
            stage: AtomicU8::new(Stage::Reading as u8),
            done: AtomicU64::new(0),
            total: AtomicU64::new(UNKNOWN),
        }
    }

    /// The present progress.
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

const STAGES: [Stage; 5] =
    [Stage::Reading, Stage::Symbols, Stage::Lines, Stage::Adding, Stage::Sources];

#[cfg(test)]
mod tests {
    use super::*;

    /// The progress after some updates.
    fn check(tell: impl FnOnce(Progress), expected: (Stage, u64, Option<u64>)) {
        let work = Box::leak(Box::new(Work::new()));
        tell(Progress::of(work));
        let Reached { stage, done, total } = work.reached();
        assert_eq!((stage, done, total), expected);
    }

    #[test]
    fn updates_are_visible() {
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
    fn a_new_stage_starts_at_zero() {
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

    /// A compressed file is longer than its size; the next file keeps its size.
    #[test]
    fn the_remaining_bytes_determine_the_progress() {
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
