//! Printed names of functions.

use std::sync::Arc;

use crate::compat::gprof::plan::{GprofPlan, LocationStyle};
use crate::report::Text;
use crate::symbols::{Demangler, FileId, Granularity, SourceLine, Symbol, SymbolId, SymbolTable};
use crate::threads;

/// Number of names worth several threads.
const DEMANGLED_ALONE: usize = 1 << 12;

#[derive(Debug)]
pub struct PrintedNames<'a> {
    table: &'a SymbolTable,
    plan: &'a GprofPlan,
    /// For each symbol its demangled name; `None` for a mangled one.
    demangled: Box<[Option<Arc<[u8]>>]>,
}

impl<'a> PrintedNames<'a> {
    pub fn new(table: &'a SymbolTable, plan: &'a GprofPlan) -> Self {
        Self { table, plan, demangled: vec![None; table.symbols().len()].into() }
    }

    /// Demangles the names of some symbols.
    pub(super) fn demangle(&mut self, symbols: &[SymbolId]) {
        let demangler = Demangler::like_libiberty(self.plan.demangle);
        let of = |index: usize| demangler.demangle(&self.table.get(symbols[index]).name);
        let demangled = threads::numbered(symbols.len(), DEMANGLED_ALONE, of);
        for (symbol, name) in symbols.iter().zip(demangled) {
            self.demangled[symbol.index()] = name;
        }
    }

    /// Adds a name with its source location.
    pub(super) fn push(&self, text: &mut Text, id: SymbolId) {
        match &self.demangled[id.index()] {
            Some(name) => text.word(name),
            None => text.word(self.raw(id)),
        }
        self.push_place(text, id);
    }

    /// The name in the executable.
    pub fn raw(&self, id: SymbolId) -> &[u8] {
        &self.table.get(id).name
    }

    /// File and line of a symbol; line 0 if unknown.
    pub fn source(&self, id: SymbolId) -> (&[u8], u32) {
        match self.table.get(id).source {
            Some(source) => (self.file(source.file), source.line.get()),
            None => (b"<unknown>", 0),
        }
    }

    pub fn file(&self, id: FileId) -> &[u8] {
        self.table.files().name(id)
    }

    /// The file of a static function, if known and not part of the name.
    pub(super) fn file_of_static(&self, id: SymbolId) -> Option<&[u8]> {
        let Symbol { is_static, source, .. } = self.table.get(id);
        if self.is_by_line() {
            return None;
        }
        let source = source.filter(|_| *is_static)?;
        Some(self.shown_file(source.file))
    }

    fn push_place(&self, text: &mut Text, id: SymbolId) {
        let symbol = self.table.get(id);
        let Some(SourceLine { file, line }) = symbol.source else {
            return;
        };
        if !self.is_by_line() && self.plan.locations == LocationStyle::Nowhere {
            return;
        }
        text.word(" (");
        text.word(self.shown_file(file));
        text.word(":");
        text.count(line.get().into(), 0);
        if self.is_by_line() {
            text.word(" @ ");
            text.hex(symbol.range.start.0, 1, b"0123456789abcdef");
        }
        text.word(")");
    }

    fn is_by_line(&self) -> bool {
        self.table.granularity() == Granularity::Lines
    }

    fn shown_file(&self, id: FileId) -> &[u8] {
        let files = self.table.files();
        if self.plan.shows_paths { files.name(id) } else { files.last_component(id) }
    }
}
