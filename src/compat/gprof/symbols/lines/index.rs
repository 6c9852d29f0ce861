//! Questions about single addresses.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::ahead;
use super::budget::Budget;
use super::damage::Damage;
use super::elf_symbols::CodeSymbols;
use super::functions::{Function, Name};
use super::unit_index::{Foreseen, Hit, UnitIndex};
use crate::symbols::DebugSections;
use crate::symbols::Note;
use crate::symbols::{FileId, FileNames};

/// Where code comes from. gprof counts an answer only if all of this is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SourcePoint<'s> {
    /// The source file; [`LineIndex::file_names`] has its name.
    pub file: FileId,
    /// The line, from one.
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
    files: FileNames,
    is_settled: bool,
}

/// What the index knows about an address, and up to where it is the same.
pub(super) struct Answer<'s> {
    pub(super) point: Option<SourcePoint<'s>>,
    pub(super) end: u64,
}

impl<'s> LineIndex<'s> {
    /// Prepares questions about an image.
    ///
    /// `sections` come from the image, or from its separate debug file if the
    /// image has none; symbols always come from the image itself.
    pub(crate) fn new(sections: &'s DebugSections<'_>, image: &object::File<'s>) -> LineIndex<'s> {
        LineIndex {
            units: UnitIndex::new(
                sections.dwarf(),
                Budget::for_bytes(sections.n_bytes(), sections.allowance()),
            ),
            symbols: CodeSymbols::of(image),
            files: FileNames::default(),
            is_settled: true,
        }
    }

    /// File, line and function of the code at each address, if all are known. They are
    /// asked for in turn.
    pub(crate) fn locate_all(&mut self, addresses: &[u64]) -> Vec<Option<SourcePoint<'s>>> {
        self.locate_all_if(addresses, ahead::LEAST_BYTES)
    }

    /// The same, with the units read first where they have so many bytes.
    pub(super) fn locate_all_if(
        &mut self,
        addresses: &[u64],
        least: usize,
    ) -> Vec<Option<SourcePoint<'s>>> {
        let foreseen = self.units.foresee(addresses, least);
        let asked = addresses.iter().zip(foreseen);
        let points = asked.map(|(&address, foreseen)| self.point_at(address, foreseen));
        points.collect()
    }

    /// Whether later questions about an address that was asked for get the answer that the
    /// first one got.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// From now on [`LineIndex::is_settled`] is about questions to come.
    pub(crate) fn watch(&mut self) {
        self.is_settled = true;
    }

    /// The names of all files mentioned so far, in order.
    pub(crate) fn file_names(&self) -> impl ExactSizeIterator<Item = &Arc<[u8]>> {
        self.files.names()
    }

    /// What could not be used of the debugging information seen so far.
    pub(crate) fn notes(&self) -> &[Note<Damage>] {
        self.units.notes().as_slice()
    }

    fn point_at(&mut self, address: u64, foreseen: Option<Foreseen>) -> Option<SourcePoint<'s>> {
        let n_read = self.units.n_read();
        let hit = foreseen.and_then(|foreseen| self.units.as_foreseen(foreseen));
        self.note_reading(n_read);
        let Some(hit) = hit else {
            return self.ask(address).point;
        };
        let (function, _) = self.name(hit, address);
        function.and_then(|function| self.point(hit, function))
    }

    /// Answers a question, and says up to where the answer stays the same when
    /// the next questions go upwards from here.
    pub(super) fn ask(&mut self, address: u64) -> Answer<'s> {
        let n_read = self.units.n_read();
        let (hit, end) = self.units.first_hit(address);
        self.note_reading(n_read);
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

    /// A unit that was read may have more to say about what went before.
    fn note_reading(&mut self, n_read_before: usize) {
        self.is_settled &= self.units.n_read() == n_read_before;
    }

    fn point(&mut self, hit: Hit, function: &'s [u8]) -> Option<SourcePoint<'s>> {
        let place = hit.place?;
        let line = NonZeroU32::new(place.line)?;
        let table = self.units.line_table_mut(hit)?;
        Some(SourcePoint {
            file: table.file_of(place, &mut self.files),
            line,
            function,
        })
    }

    /// The name of the function at a hit, and up to where it is sure to stay.
    fn name(&mut self, hit: Hit, address: u64) -> (Option<&'s [u8]>, u64) {
        let function = match self.units.function_mut(hit) {
            Some(&mut Function {
                name: Name::Settled(name),
                ..
            }) => return (name, u64::MAX),
            Some(function) => *function,
            None => {
                let (symbol, end) = self.symbols.nearest(address);
                self.is_settled &= !self.symbols.overlap();
                return (symbol.map(|symbol| symbol.name), end);
            }
        };
        let entry = self.units.entry_name(hit, &function);
        let mut settled = entry.name;
        let mut answer = (entry.name, u64::MAX);
        // The first question about a function without a linkage name gets the
        // symbol's name. It stays only if the symbol stands for the function.
        if !entry.is_final
            && let Some(symbol) = self.symbols.nearest(address).0
        {
            self.is_settled &= !self.symbols.overlap();
            answer.0 = Some(symbol.name);
            if symbol.address == function.start {
                settled = answer.0;
            } else {
                answer.1 = address.saturating_add(1);
                self.is_settled = false;
            }
        }
        if let Some(function) = self.units.function_mut(hit) {
            function.name = Name::Settled(settled);
        }
        answer
    }
}
