//! Duration of a run.

use std::time::Duration;

/// Duration of a run, measured from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunTime {
    /// Wall-clock time.
    pub wall: Duration,
    /// Processor time, if measured.
    pub processor: Option<ProcessorTime>,
}

/// Processor time of all threads together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessorTime {
    /// User mode.
    pub user: Duration,
    /// Kernel mode.
    pub system: Duration,
}

impl ProcessorTime {
    pub fn all(self) -> Duration {
        self.user.saturating_add(self.system)
    }
}
