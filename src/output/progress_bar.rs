//! A progress bar for long work.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::progress_line::ProgressLine;
use super::screen::is_dumb;
use crate::progress::{Progress, Work};
use crate::signals;

/// No bar for work shorter than this.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two updates.
const PERIOD: Duration = Duration::from_millis(100);

static WORK: Work = Work::new();

/// Shows progress on standard error if the work takes long, until `finish` or the drop of any
/// clone.
#[derive(Clone, Debug)]
pub struct ProgressBar(Option<Arc<Watch>>);

impl ProgressBar {
    /// A bar that is never shown.
    pub fn hidden() -> Self {
        Self(None)
    }

    /// A bar for a terminal that can erase lines; hidden otherwise.
    pub fn on_stderr() -> Self {
        if is_dumb() || !io::stderr().is_terminal() {
            return Self::hidden();
        }
        let watch = Arc::new(Watch::default());
        let of_thread = Arc::clone(&watch);
        let watcher = thread::Builder::new().spawn(move || of_thread.go_on(&WORK));
        // If the system cannot start a thread, omit the bar.
        Self(watcher.is_ok().then_some(watch))
    }

    /// Counters for the work. All bars show the same work.
    pub fn progress(&self) -> Progress {
        match self.0 {
            Some(_) => Progress::of(&WORK),
            None => Progress::default(),
        }
    }

    /// Erases the bar, calls `say`, and draws the bar below.
    pub fn suspend(&self, say: impl FnOnce()) {
        let state = self.0.as_deref().map(Watch::lock);
        if let Some(BarState::Showing(line)) = state.as_deref() {
            line.clear();
        }
        say();
    }

    /// Erases the bar permanently.
    pub fn finish(&self) {
        let Some(watch) = &self.0 else { return };
        let mut state = watch.lock();
        if let BarState::Showing(line) = std::mem::replace(&mut *state, BarState::Finished) {
            line.clear();
            signals::release();
        }
        watch.is_finished.notify_one();
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Shared by the work and the thread that draws the bar.
#[derive(Debug, Default)]
struct Watch {
    state: Mutex<BarState>,
    is_finished: Condvar,
}

#[derive(Debug, Default)]
enum BarState {
    #[default]
    Waiting,
    Showing(ProgressLine),
    Finished,
}

impl Watch {
    fn lock(&self) -> MutexGuard<'_, BarState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws the bar at intervals until the work is finished.
    fn go_on(&self, work: &Work) {
        let start = Instant::now();
        let mut stage = (work.reached().stage, start);
        let mut state = self.lock();
        while !matches!(*state, BarState::Finished) {
            let reached = work.reached();
            if reached.stage != stage.0 {
                stage = (reached.stage, Instant::now());
            }
            if matches!(*state, BarState::Waiting) && start.elapsed() >= PATIENCE {
                signals::hold();
                *state = BarState::Showing(ProgressLine::default());
            }
            if let BarState::Showing(line) = &*state {
                if signals::came() {
                    line.clear();
                    signals::release();
                }
                line.show(reached, stage.1);
            }
            let waited = self.is_finished.wait_timeout(state, PERIOD);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
