//! Where symbols stand in the source, and which source lines code comes from.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::lines::{LineIndex, Run};
use crate::model::{Address, name_limit};
use crate::symbols::{Candidate, DebugSections, SourceFiles, SourceLine};

/// What was met on the way to source lines.
#[derive(Default)]
pub(super) struct Met {
    /// The source files, in the order in which they were first mentioned.
    pub(super) files: SourceFiles,
    /// What could not be used of the debugging information.
    pub(super) notes: Vec<String>,
}

/// A stretch of code from one line of one function.
#[derive(Clone, Debug)]
pub(super) struct LineRun {
    pub(super) addresses: Range<Address>,
    pub(super) function: Arc<[u8]>,
    pub(super) source: SourceLine,
}

impl LineRun {
    /// Whether both come from one function, as far as its name and file tell.
    pub(super) fn shares_function(&self, other: &Self) -> bool {
        self.source.file == other.source.file && self.function == other.function
    }
}

/// Code was read twice, and did not have the same lines both times.
pub(super) struct Miscount;

/// Answers questions in their order, on which answers depend a little.
pub(super) struct Sources<'s> {
    index: LineIndex<'s>,
    /// The names of functions, each once.
    names: HashMap<&'s [u8], Arc<[u8]>>,
}

impl<'s> Sources<'s> {
    pub(super) fn new(sections: &'s DebugSections<'_>, image: &object::File<'s>) -> Self {
        Self {
            index: LineIndex::new(sections, image),
            names: HashMap::new(),
        }
    }

    /// Looks up the source line of every candidate, in their order.
    pub(super) fn locate(&mut self, candidates: &mut [Candidate]) {
        for candidate in candidates {
            let point = self.index.locate(candidate.address.0);
            candidate.source = point.map(|point| SourceLine {
                file: point.file,
                line: point.line,
            });
        }
    }

    /// The lines of a stretch of code in address order. Code whose line is not
    /// known is left out.
    ///
    /// gprof reads it twice, since names settle at the first question about them, and
    /// insists that both readings find as many lines.
    pub(super) fn counted_runs(&mut self, code: &Range<Address>) -> Result<Vec<LineRun>, Miscount> {
        let first = n_lines(&self.index.sweep(code.start.0..code.end.0));
        let runs = self.index.sweep(code.start.0..code.end.0);
        if n_lines(&runs) == first {
            Ok(self.known(runs))
        } else {
            Err(Miscount)
        }
    }

    pub(super) fn finish(self) -> Met {
        Met {
            files: SourceFiles::new(self.index.file_names().cloned().collect()),
            notes: self.index.notes().iter().map(ToString::to_string).collect(),
        }
    }

    fn known(&mut self, runs: Vec<Run<'s>>) -> Vec<LineRun> {
        let by_place = self.names_by_place(&runs);
        let known = runs.into_iter().filter_map(|run| {
            let point = run.point?;
            Some(LineRun {
                addresses: Address(run.addresses.start)..Address(run.addresses.end),
                function: Arc::clone(&by_place[&place_of(point.function)]),
                source: SourceLine {
                    file: point.file,
                    line: point.line,
                },
            })
        });
        known.collect()
    }

    /// The names of functions by where they are stored, each looked at once.
    fn names_by_place(&mut self, runs: &[Run<'s>]) -> HashMap<Place, Arc<[u8]>> {
        let names = runs.iter().filter_map(|run| Some(run.point?.function));
        let stored: HashMap<_, _> = names.map(|name| (place_of(name), name)).collect();
        let limit = name_limit(stored.values().copied()).unwrap_or(usize::MAX);
        let shared = stored.into_iter().map(|(place, name)| {
            let name = &name[..name.len().min(limit)];
            let shared = self.names.entry(name).or_insert_with(|| name.into());
            (place, Arc::clone(shared))
        });
        shared.collect()
    }
}

/// Where a name starts in memory, and how long it is.
type Place = (usize, usize);

fn place_of(name: &[u8]) -> Place {
    (name.as_ptr().addr(), name.len())
}

/// How many lines start in code: known places that differ from the one before.
fn n_lines(runs: &[Run<'_>]) -> usize {
    let mut points: Vec<_> = runs.iter().filter_map(|run| run.point).collect();
    points.dedup();
    points.len()
}
