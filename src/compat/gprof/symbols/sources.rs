//! Where symbols stand in the source, and which source lines code comes from.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::lines::{LineIndex, PlaceRun, SourcePoint};
use crate::model::{Address, name_limit};
use crate::symbols::{DebugSections, SourceFiles, SourceLine, SymbolCandidate};

#[derive(Default)]
pub(super) struct FilesAndNotes {
    /// The source files, in the order in which they were first mentioned.
    pub(super) files: SourceFiles,
    /// What could not be used of the debugging information.
    pub(super) notes: Vec<String>,
}

/// A stretch of code from one line of one function.
#[derive(Clone, Debug)]
pub(super) struct FunctionLineRun {
    pub(super) addresses: Range<Address>,
    /// The place of the function's name among those of [`CodeLines`].
    pub(super) function: usize,
    pub(super) source: SourceLine,
}

/// The lines of code in address order, and what their functions are called.
#[derive(Debug, Default)]
pub(super) struct CodeLines {
    pub(super) runs: Vec<FunctionLineRun>,
    /// Each once.
    pub(super) names: Vec<Arc<[u8]>>,
}

impl FunctionLineRun {
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

    /// The source line of every candidate, looked up in their order.
    pub(super) fn locate(&mut self, candidates: &[SymbolCandidate]) -> Vec<Option<SourceLine>> {
        let addresses: Vec<_> = candidates.iter().map(|one| one.address.0).collect();
        let points = self.index.locate_all(&addresses).into_iter();
        let line = |point: SourcePoint<'_>| SourceLine {
            file: point.file,
            line: point.line,
        };
        points.map(|point| point.map(line)).collect()
    }

    /// The lines of a stretch of code in address order. Code whose line is not
    /// known is left out.
    ///
    /// gprof reads it twice, since names settle at the first question about them, and
    /// insists that both readings find as many lines. Where nothing settled that the first
    /// reading had told otherwise, the second one is the same.
    pub(super) fn counted_runs(&mut self, code: &Range<Address>) -> Result<CodeLines, Miscount> {
        self.index.watch();
        let first = self.read(code);
        if self.index.is_settled() {
            return Ok(first.lines());
        }
        let n_first = first.n_lines;
        drop(first);
        let second = self.read(code);
        if second.n_lines == n_first {
            Ok(second.lines())
        } else {
            Err(Miscount)
        }
    }

    fn read(&mut self, code: &Range<Address>) -> LineReading<'s> {
        let mut reading = LineReading::default();
        self.index
            .sweep(code.start.0..code.end.0, |run| reading.add(run));
        reading
    }

    pub(super) fn finish(self) -> FilesAndNotes {
        FilesAndNotes {
            files: SourceFiles::new(self.index.file_names().cloned().collect()),
            notes: self.index.notes().iter().map(ToString::to_string).collect(),
        }
    }
}

/// What one reading of code has found.
#[derive(Default)]
struct LineReading<'s> {
    /// Known places that differ from the one before.
    n_lines: usize,
    /// The runs whose place is known, with the places of names in `names`.
    runs: Vec<FunctionLineRun>,
    /// Names of functions as they follow each other.
    names: Vec<&'s [u8]>,
    last: Option<SourcePoint<'s>>,
}

impl<'s> LineReading<'s> {
    fn add(&mut self, run: PlaceRun<'s>) {
        let Some(point) = run.point else {
            return;
        };
        self.n_lines += usize::from(self.last != Some(point));
        let is_known =
            self.names.last().map(|name| place_of(name)) == Some(place_of(point.function));
        if !is_known {
            self.names.push(point.function);
        }
        self.last = Some(point);
        self.runs.push(FunctionLineRun {
            addresses: Address(run.start)..Address(run.end),
            function: self.names.len() - 1,
            source: SourceLine {
                file: point.file,
                line: point.line,
            },
        });
    }

    /// The lines, with each name once.
    fn lines(self) -> CodeLines {
        let (numbers, names) = numbered(&self.names);
        let mut runs = self.runs;
        for run in &mut runs {
            run.function = numbers[run.function];
        }
        CodeLines { runs, names }
    }
}

/// The numbers of names, each looked at once: many functions may share a name that takes
/// long to look at.
fn numbered(names: &[&[u8]]) -> (Vec<usize>, Vec<Arc<[u8]>>) {
    let mut stored: Vec<&[u8]> = Vec::new();
    let mut by_place: HashMap<NameSpan, usize, RandomState> =
        HashMap::with_capacity_and_hasher(names.len(), RandomState::default());
    let places: Vec<_> = names
        .iter()
        .map(|name| {
            *by_place.entry(place_of(name)).or_insert_with(|| {
                stored.push(name);
                stored.len() - 1
            })
        })
        .collect();
    let limit = name_limit(stored.iter().copied()).unwrap_or(usize::MAX);
    let mut shared: Vec<Arc<[u8]>> = Vec::with_capacity(stored.len());
    let mut by_name: HashMap<&[u8], usize, RandomState> =
        HashMap::with_capacity_and_hasher(stored.len(), RandomState::default());
    let numbers: Vec<_> = stored
        .into_iter()
        .map(|name| {
            let name = &name[..name.len().min(limit)];
            *by_name.entry(name).or_insert_with(|| {
                shared.push(name.into());
                shared.len() - 1
            })
        })
        .collect();
    (
        places.into_iter().map(|place| numbers[place]).collect(),
        shared,
    )
}

/// Where a name starts in memory, and how long it is.
type NameSpan = (usize, usize);

fn place_of(name: &[u8]) -> NameSpan {
    (name.as_ptr().addr(), name.len())
}
