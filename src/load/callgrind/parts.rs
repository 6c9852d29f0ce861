//! The parts of a file, each with a header and totals of its own.

use super::CallgrindFault;
use crate::model::{RecordedCosts, RunPart, add_all};

/// The parts of a file: those that are over, and the one that is being read.
#[derive(Debug, Default)]
pub(super) struct ProfileParts {
    over: Vec<RunPart>,
    /// The sums of the totals of all of them that have some.
    sums: Vec<u64>,
    /// Some have none.
    lacks_totals: bool,
    /// The part that is being read.
    pub(super) current: RunPart,
    /// What its header says that it sums up to.
    pub(super) summary: Option<Vec<u64>>,
    /// What its end says that it sums up to.
    pub(super) totals: Option<Vec<u64>>,
    has_body: bool,
}

impl ProfileParts {
    /// Takes note of a line of a header, with which a new part may start. Only the
    /// first one of a file says what command it was, and in which process.
    pub(super) fn meet_header(&mut self) -> Result<(), CallgrindFault> {
        if self.has_body || self.totals.is_some() {
            let next = RunPart {
                number: None,
                thread: None,
                ..self.current.clone()
            };
            self.end_current()?;
            self.current = next;
        }
        Ok(())
    }

    /// Takes note of a line that is none of a header.
    pub(super) fn meet_body(&mut self) {
        self.has_body = true;
    }

    /// Ends the last part, and says in `costs` what there were.
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
