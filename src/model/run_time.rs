//! How long a run took.

use std::time::Duration;

/// How long a run took, as whoever started it saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunTime {
    /// From start to end, by the clock on the wall.
    pub wall: Duration,
    /// What processors spent on it, where that was measured too.
    pub processor: Option<ProcessorTime>,
}

/// What processors spent on a run, all threads together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessorTime {
    /// In code of the process.
    pub user: Duration,
    /// In the kernel on its behalf.
    pub system: Duration,
}

impl ProcessorTime {
    pub fn all(self) -> Duration {
        self.user.saturating_add(self.system)
    }
}
