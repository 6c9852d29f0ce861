//! The parts of a file, each with a header and totals.

use super::CallgrindFault;
use crate::model::{RecordedCosts, RunPart, add_all};

/// The finished parts of a file, and the current one.
#[derive(Debug, Default)]
pub(super) struct ProfileParts {
    over: Vec<RunPart>,
    /// Sum of the totals of all parts that have some.
    sums: Vec<u64>,
    /// Some parts have no totals.
    lacks_totals: bool,
    /// The part being read.
    pub(super) current: RunPart,
    /// The totals in its header.
    pub(super) summary: Option<Vec<u64>>,
    /// The totals at its end.
    pub(super) totals: Option<Vec<u64>>,
    has_body: bool,
}

impl ProfileParts {
    /// Handles a header line, which may start a new part. Only the first part records the
    /// command and the process.
    pub(super) fn meet_header(&mut self) -> Result<(), CallgrindFault> {
        if self.has_body || self.totals.is_some() {
            let next = RunPart { number: None, thread: None, ..self.current.clone() };
            self.end_current()?;
            self.current = next;
        }
        Ok(())
    }

    /// Handles a line outside of headers.
    pub(super) fn meet_body(&mut self) {
        self.has_body = true;
    }

    /// Ends the last part, and adds all parts to `costs`.
    pub(super) fn finish(&mut self, costs: &mut RecordedCosts) -> Result<(), CallgrindFault> {
        let ended = self.end_current();
        let n_events = costs.samples.types().len();
        if !self.lacks_totals && self.sums.len() <= n_events {
            // Zeros at the end are left out.
            self.sums.resize(n_events, 0);
            costs.event_totals = Some(std::mem::take(&mut self.sums).into());
        }
        costs.parts = std::mem::take(&mut self.over);
        ended
    }

    fn end_current(&mut self) -> Result<(), CallgrindFault> {
        self.over.push(std::mem::take(&mut self.current));
        self.has_body = false;
        let (summary, totals) = (self.summary.take(), self.totals.take());
        let Some(totals) = totals.or(summary) else {
            self.lacks_totals = true;
            return Ok(());
        };
        self.sums.resize(self.sums.len().max(totals.len()), 0);
        let sum = add_all(&mut self.sums, &totals);
        self.lacks_totals |= sum.is_none();
        sum.ok_or(CallgrindFault::Overflow)
    }
}
