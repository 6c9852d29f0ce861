//! All lines of a stretch of code at once.

use std::ops::Range;

use super::index::{LineIndex, SourcePoint};

/// A stretch of code that comes from one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run<'s> {
    /// The addresses from this one on.
    pub start: u64,
    /// Up to this one, which is higher.
    pub end: u64,
    /// Where they come from, if file, line and function are known.
    pub point: Option<SourcePoint<'s>>,
}

impl<'s> LineIndex<'s> {
    /// What [`LineIndex::locate_all`] would say about each address in turn, as
    /// ascending runs without gaps; neighbours differ. `keep` gets each run once.
    ///
    /// An answer comes with the address where a table involved changes next, so
    /// the cost is one look-up for each such change, not for each address.
    ///
    /// gprof goes over the code twice and keeps the second answers. It gives up
    /// ("somebody miscounted") if the two passes do not find equally many lines,
    /// which happens where functions have no linkage name.
    pub(crate) fn sweep(&mut self, addresses: Range<u64>, mut keep: impl FnMut(Run<'s>)) {
        let mut open: Option<Run<'s>> = None;
        let mut start = addresses.start;
        while start < addresses.end {
            let answer = self.ask(start);
            let end = answer.end.clamp(start.saturating_add(1), addresses.end);
            let point = answer.point;
            match &mut open {
                Some(run) if is_same(run.point, point) => run.end = end,
                _ => open
                    .replace(Run { start, end, point })
                    .into_iter()
                    .for_each(&mut keep),
            }
            start = end;
        }
        open.into_iter().for_each(keep);
    }
}

/// Whether two points are equal. Mostly they have a name in common that is stored once.
fn is_same(one: Option<SourcePoint<'_>>, other: Option<SourcePoint<'_>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            (one.line, one.file) == (other.line, other.file)
                && (std::ptr::eq(one.function, other.function) || one.function == other.function)
        }
        (one, other) => one.is_none() && other.is_none(),
    }
}
