//! All lines of a stretch of code at once.

use std::ops::Range;

use super::index::{LineIndex, SourcePoint};

/// A stretch of code that comes from one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run<'s> {
    /// The addresses; never empty.
    pub addresses: Range<u64>,
    /// Where they come from, if file, line and function are known.
    pub point: Option<SourcePoint<'s>>,
}

impl<'s> LineIndex<'s> {
    /// What [`LineIndex::locate`] would say about each address in turn, as
    /// ascending runs without gaps; neighbours differ.
    ///
    /// An answer comes with the address where a table involved changes next, so
    /// the cost is one look-up for each such change, not for each address.
    ///
    /// gprof goes over the code twice and keeps the second answers. It gives up
    /// ("somebody miscounted") if the two passes do not find equally many lines,
    /// which happens where functions have no linkage name.
    pub(crate) fn sweep(&mut self, addresses: Range<u64>) -> Vec<Run<'s>> {
        let mut runs: Vec<Run<'s>> = Vec::new();
        let mut start = addresses.start;
        while start < addresses.end {
            let answer = self.ask(start);
            let end = answer.end.clamp(start.saturating_add(1), addresses.end);
            match runs.last_mut() {
                Some(last) if last.point == answer.point => last.addresses.end = end,
                _ => runs.push(Run {
                    addresses: start..end,
                    point: answer.point,
                }),
            }
            start = end;
        }
        runs
    }
}
