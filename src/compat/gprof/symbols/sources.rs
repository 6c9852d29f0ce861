//! Source locations of symbols, and source lines of code.

use std::ops::Range;
use std::sync::Arc;

use super::lines::{LineIndex, PlaceRun, SourcePoint};
use crate::memory::Limits;
use crate::model::{Address, Interner, name_limit};
use crate::symbols::{DebugSections, SourceFiles, SourceLine, SymbolCandidate};

#[derive(Default)]
pub(super) struct FilesAndNotes {
    /// In order of first appearance.
    pub(super) files: SourceFiles,
    /// Notes on unusable debug information.
    pub(super) notes: Vec<String>,
}

/// Consecutive code of one line of one function.
#[derive(Clone, Debug)]
pub(super) struct FunctionLineRun {
    pub(super) addresses: Range<Address>,
    /// Index of the function's name in [`CodeLines`].
    pub(super) function: usize,
    pub(super) source: SourceLine,
}

/// Lines of code by address, and the names of their functions.
#[derive(Debug, Default)]
pub(super) struct CodeLines {
    pub(super) runs: Vec<FunctionLineRun>,
    /// Without duplicates.
    pub(super) names: Vec<Arc<[u8]>>,
}

impl FunctionLineRun {
    /// Returns whether both belong to the same function, by name and file.
    pub(super) fn shares_function(&self, other: &Self) -> bool {
        self.source.file == other.source.file && self.function == other.function
    }
}

/// Two passes over the code found different numbers of lines.
pub(super) struct Miscount;

/// Looks up addresses in order, since answers depend on it.
pub(super) struct Sources<'s> {
    index: LineIndex<'s>,
}

impl<'s> Sources<'s> {
    pub(super) fn new(sections: &'s DebugSections<'_>, image: &object::File<'s>) -> Self {
        Self { index: LineIndex::new(sections, image) }
    }

    /// The source line of every candidate, in order.
    pub(super) fn locate(&mut self, candidates: &[SymbolCandidate]) -> Vec<Option<SourceLine>> {
        let addresses: Vec<_> = candidates.iter().map(|one| one.address.0).collect();
        let points = self.index.locate_all(&addresses).into_iter();
        let line = |point: SourcePoint<'_>| SourceLine { file: point.file, line: point.line };
        points.map(|point| point.map(line)).collect()
    }

    /// The lines of a range of code in address order, without code whose line is unknown.
    ///
    /// gprof reads the range twice, and requires that both readings find equally many lines. The
    /// first lookup of a function decides its name, so the readings may differ. If no name
    /// changed in the first reading, profan skips the second.
    pub(super) fn counted_runs(&mut self, code: &Range<Address>) -> Result<CodeLines, Miscount> {
        self.index.watch();
        let first = self.read(code);
        if self.index.is_settled() {
            return Ok(first.lines());
        }
        let n_first = first.n_lines;
        drop(first);
        let second = self.read(code);
        if second.n_lines == n_first { Ok(second.lines()) } else { Err(Miscount) }
    }

    fn read(&mut self, code: &Range<Address>) -> LineReading<'s> {
        let mut reading = LineReading::default();
        self.index.sweep(code.start.0..code.end.0, |run| reading.add(run));
        reading
    }

    pub(super) fn finish(self) -> FilesAndNotes {
        FilesAndNotes {
            files: SourceFiles::new(self.index.file_names().cloned().collect()),
            notes: self.index.notes().iter().map(ToString::to_string).collect(),
        }
    }
}

/// The result of a pass over code.
#[derive(Default)]
struct LineReading<'s> {
    /// Number of known places that differ from the one before.
    n_lines: usize,
    /// Runs with a known place, with indices into `names`.
    runs: Vec<FunctionLineRun>,
    /// Consecutive names of functions.
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
            source: SourceLine { file: point.file, line: point.line },
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

/// Numbers distinct names by storage first: comparing long shared names is slow.
fn numbered(names: &[&[u8]]) -> (Vec<usize>, Vec<Arc<[u8]>>) {
    let (mut by_place, mut stored) = (Interner::default(), Vec::new());
    let names = names.iter();
    let places: Vec<_> =
        names.map(|&name| by_place.find(place_of(name), &mut stored, || name)).collect();
    let limit = name_limit(stored.iter().copied(), |n_bytes| Limits::of(n_bytes).names)
        .unwrap_or(usize::MAX);
    let (mut by_name, mut shared) = (Interner::default(), Vec::new());
    let numbers = stored.into_iter().map(|name| {
        let name = &name[..name.len().min(limit)];
        by_name.find(name, &mut shared, || Arc::from(name)) as usize
    });
    let numbers: Vec<_> = numbers.collect();
    (places.into_iter().map(|place| numbers[place as usize]).collect(), shared)
}

/// Address and length of a name in memory.
type NameSpan = (usize, usize);

fn place_of(name: &[u8]) -> NameSpan {
    (name.as_ptr().addr(), name.len())
}
