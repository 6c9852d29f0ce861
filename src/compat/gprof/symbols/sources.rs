//! Where symbols stand in the source, and which source lines code comes from.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;

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
    /// The place of the function's name among those of [`Lines`].
    pub(super) function: usize,
    pub(super) source: SourceLine,
}

/// The lines of code in address order, and what their functions are called.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) runs: Vec<LineRun>,
    /// Each once.
    pub(super) names: Vec<Arc<[u8]>>,
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
}

impl<'s> Sources<'s> {
    pub(super) fn new(sections: &'s DebugSections<'_>, image: &object::File<'s>) -> Self {
        Self {
            index: LineIndex::new(sections, image),
        }
    }

    /// Looks up the source line of every candidate, in their order.
    pub(super) fn locate(&mut self, candidates: &mut [Candidate]) {
        let addresses = candidates.iter().map(|candidate| candidate.address.0);
        self.index.expect(addresses);
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
    /// insists that both readings find as many lines. Where nothing settled that the first
    /// reading had told otherwise, the second one is the same.
    pub(super) fn counted_runs(&mut self, code: &Range<Address>) -> Result<Lines, Miscount> {
        self.index.watch();
        let first = self.index.sweep(code.start.0..code.end.0);
        if self.index.is_settled() {
            return Ok(known(&first));
        }
        let n_first = n_lines(&first);
        drop(first);
        let runs = self.index.sweep(code.start.0..code.end.0);
        if n_lines(&runs) == n_first {
            Ok(known(&runs))
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
}

/// The runs whose place is known.
fn known(runs: &[Run<'_>]) -> Lines {
    let points = runs.iter().filter_map(|run| run.point);
    let mut numbers = Numbers::of(points.map(|point| point.function));
    let known = runs.iter().filter_map(|run| {
        let point = run.point?;
        Some(LineRun {
            addresses: Address(run.addresses.start)..Address(run.addresses.end),
            function: numbers.of_name(point.function),
            source: SourceLine {
                file: point.file,
                line: point.line,
            },
        })
    });
    Lines {
        runs: known.collect(),
        names: numbers.names,
    }
}

/// Names with a number each.
struct Numbers {
    names: Vec<Arc<[u8]>>,
    /// By where they are stored.
    by_place: HashMap<Place, usize, RandomState>,
    last: Option<(Place, usize)>,
}

impl Numbers {
    /// Those of functions as they follow each other in code, each looked at once: many may
    /// share a name that takes long to look at.
    fn of<'s>(functions: impl Iterator<Item = &'s [u8]>) -> Self {
        let mut stored: Vec<&[u8]> = Vec::new();
        let mut by_place = HashMap::default();
        let mut last = None;
        for name in functions {
            let place = place_of(name);
            if last != Some(place) {
                last = Some(place);
                by_place.entry(place).or_insert_with(|| {
                    stored.push(name);
                    stored.len() - 1
                });
            }
        }
        let limit = name_limit(stored.iter().copied()).unwrap_or(usize::MAX);
        let mut names = Vec::new();
        let mut by_name: HashMap<&[u8], usize, RandomState> = HashMap::default();
        let numbers: Vec<_> = stored
            .into_iter()
            .map(|name| {
                let name = &name[..name.len().min(limit)];
                *by_name.entry(name).or_insert_with(|| {
                    names.push(name.into());
                    names.len() - 1
                })
            })
            .collect();
        for number in by_place.values_mut() {
            *number = numbers[*number];
        }
        Self {
            names,
            by_place,
            last: None,
        }
    }

    fn of_name(&mut self, name: &[u8]) -> usize {
        let place = place_of(name);
        match self.last {
            Some((last, number)) if last == place => number,
            _ => {
                let number = self.by_place[&place];
                self.last = Some((place, number));
                number
            }
        }
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
