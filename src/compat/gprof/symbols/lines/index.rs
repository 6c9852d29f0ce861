//! Looks up single addresses.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use super::budget::{LineBudget, LineDamage};
use super::elf_symbols::CodeSymbols;
use super::functions::DwarfFunction;
use super::unit_index::{Hit, UnitIndex};
use crate::symbols::{DebugSections, FileId, InternedFiles, Note};

/// The origin of code. gprof uses an answer only if all of it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SourcePoint<'s> {
    /// The source file; [`LineIndex::file_names`] has its name.
    pub file: FileId,
    pub line: NonZeroU32,
    /// The function's linkage name, or the inlined function's.
    pub function: &'s [u8],
}

/// Files, lines and functions of an image, by address.
///
/// As with gprof, answers depend a little on the questions before: a function of
/// C++ or Fortran that has no linkage name takes the name of the ELF symbol found
/// by the first question about it. To agree with gprof ask as it does, first
/// about all function symbols in the order of the symbol table, then in
/// ascending order.
pub(crate) struct LineIndex<'s> {
    units: UnitIndex<'s>,
    symbols: CodeSymbols<'s>,
    files: InternedFiles,
    is_settled: bool,
}

/// An answer, and the end of the range with the same answer.
pub(super) struct Answer<'s> {
    pub(super) point: Option<SourcePoint<'s>>,
    pub(super) end: u64,
}

impl<'s> LineIndex<'s> {
    /// Prepares questions about an image.
    ///
    /// `sections` come from the image, or from its separate debug file if the image lacks them;
    /// symbols always come from the image itself.
    pub(crate) fn new(sections: &'s DebugSections<'_>, image: &object::File<'s>) -> LineIndex<'s> {
        LineIndex {
            units: UnitIndex::new(
                sections.dwarf(),
                LineBudget::for_bytes(sections.n_bytes(), sections.thread_budget()),
            ),
            symbols: CodeSymbols::of(image),
            files: InternedFiles::default(),
            is_settled: true,
        }
    }

    /// File, line and function of each address, if all are known, in order.
    pub(crate) fn locate_all(&mut self, addresses: &[u64]) -> Vec<Option<SourcePoint<'s>>> {
        let points = addresses.iter().map(|&address| self.ask(address).point);
        points.collect()
    }

    /// Returns whether later questions about the same addresses get the same answers.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// From now on [`LineIndex::is_settled`] covers later questions.
    pub(crate) fn watch(&mut self) {
        self.is_settled = true;
    }

    /// The names of all files so far, in order.
    pub(crate) fn file_names(&self) -> impl ExactSizeIterator<Item = &Arc<[u8]>> {
        self.files.names()
    }

    /// Notes on unusable debug information so far.
    pub(crate) fn notes(&self) -> &[Note<LineDamage>] {
        self.units.notes().as_slice()
    }

    /// Answers a question, with the end of the range in which ascending questions get the
    /// same answer.
    pub(super) fn ask(&mut self, address: u64) -> Answer<'s> {
        let n_read = self.units.n_read();
        let (hit, end) = self.units.first_hit(address);
        // A newly read unit may change the answers to earlier questions.
        self.is_settled &= self.units.n_read() == n_read;
        let Some(hit) = hit else {
            // gprof looks for a symbol all the same, and remembers it.
            let (_, symbol_end) = self.symbols.nearest(address);
            let end = end.min(symbol_end);
            return Answer { point: None, end };
        };
        let (function, name_end) = self.name(hit, address);
        let point = function.and_then(|function| self.point(hit, function));
        let end = end.min(name_end);
        Answer { point, end }
    }

    fn point(&mut self, hit: Hit, function: &'s [u8]) -> Option<SourcePoint<'s>> {
        let place = hit.place?;
        let line = NonZeroU32::new(place.line)?;
        let table = self.units.line_table_mut(hit)?;
        Some(SourcePoint { file: table.file_of(place, &mut self.files), line, function })
    }

    /// The name of the function at a hit, and the end of the range in which it is certain.
    fn name(&mut self, hit: Hit, address: u64) -> (Option<&'s [u8]>, u64) {
        let function = match self.units.function_mut(hit) {
            Some(&mut DwarfFunction { final_name: Some(name), .. }) => return (name, u64::MAX),
            Some(function) => *function,
            None => {
                let (symbol, end) = self.symbols.nearest(address);
                self.is_settled &= !self.symbols.overlap();
                return (symbol.map(|symbol| symbol.name), end);
            }
        };
        let entry = self.units.entry_name(hit, function.entry);
        let mut final_name = entry.name;
        let mut answer = (entry.name, u64::MAX);
        // The first question about a function without a linkage name gets the symbol's name. The
        // function keeps it only if the symbol belongs to it.
        if !entry.is_final
            && let Some(symbol) = self.symbols.nearest(address).0
        {
            self.is_settled &= !self.symbols.overlap();
            answer.0 = Some(symbol.name);
            if symbol.address == function.start {
                final_name = answer.0;
            } else {
                answer.1 = address.saturating_add(1);
                self.is_settled = false;
            }
        }
        if let Some(function) = self.units.function_mut(hit) {
            function.final_name = Some(final_name);
        }
        answer
    }
}

/// Consecutive code from one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlaceRun<'s> {
    /// Start address.
    pub start: u64,
    /// End address (exclusive).
    pub end: u64,
    /// The origin, if file, line and function are known.
    pub point: Option<SourcePoint<'s>>,
}

impl<'s> LineIndex<'s> {
    /// The answers of [`LineIndex::locate_all`] for each address in turn, as ascending runs
    /// without gaps; neighbours differ. `keep` gets each run once.
    ///
    /// An answer comes with the address where a table involved changes next, so
    /// the cost is one look-up for each such change, not for each address.
    ///
    /// gprof goes over the code twice and keeps the second answers. It gives up
    /// ("somebody miscounted") if the two passes do not find equally many lines,
    /// which happens where functions have no linkage name.
    pub(crate) fn sweep(&mut self, addresses: Range<u64>, mut keep: impl FnMut(PlaceRun<'s>)) {
        let mut open: Option<PlaceRun<'s>> = None;
        let mut start = addresses.start;
        while start < addresses.end {
            let answer = self.ask(start);
            let end = answer.end.clamp(start.saturating_add(1), addresses.end);
            let point = answer.point;
            match &mut open {
                Some(run) if is_same(run.point, point) => run.end = end,
                _ => open.replace(PlaceRun { start, end, point }).into_iter().for_each(&mut keep),
            }
            start = end;
        }
        open.into_iter().for_each(keep);
    }
}

/// Returns whether two points are equal. Usually their names are stored once.
fn is_same(one: Option<SourcePoint<'_>>, other: Option<SourcePoint<'_>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            (one.line, one.file) == (other.line, other.file)
                && (std::ptr::eq(one.function, other.function) || one.function == other.function)
        }
        (one, other) => one.is_none() && other.is_none(),
    }
}
