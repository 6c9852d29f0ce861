//! Names of functions as they are printed.

use std::borrow::Cow;
use std::sync::Arc;

use crate::report::Text;
use crate::report::escape::printable;
use crate::symbols::{
    Demangler, FileId, Granularity, SourceLine, Style, Symbol, SymbolId, SymbolTable,
};

/// What is said behind a name about where it is in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationStyle {
    /// Names only.
    Nowhere,
    Lines,
}

#[derive(Clone, Copy, Debug)]
pub struct NameOptions {
    pub demangle: Style,
    pub escapes_controls: bool,
    /// Whole file names instead of their last component.
    pub shows_paths: bool,
    /// What is said about the source. By line it is always file, line and address.
    pub locations: LocationStyle,
}

#[derive(Debug)]
pub struct Names<'a> {
    table: &'a SymbolTable,
    options: NameOptions,
    demangler: Demangler,
}

impl<'a> Names<'a> {
    /// Names of `table`.
    pub fn new(table: &'a SymbolTable, options: NameOptions) -> Self {
        Self {
            table,
            options,
            demangler: Demangler::new(options.demangle),
        }
    }

    pub(super) fn n_symbols(&self) -> usize {
        self.table.symbols().len()
    }

    /// The name as its source has it; `None` for one that is printed raw.
    pub(super) fn demangled(&self, id: SymbolId) -> Option<Arc<[u8]>> {
        self.demangler.demangle(&self.table.get(id).name)
    }

    /// Adds a name as it is spelled, or else that in the executable, with its place in the
    /// source. Returns how many bytes that were.
    pub(super) fn push(&self, text: &mut Text, id: SymbolId, spelled: Option<&[u8]>) -> usize {
        let start = text.len();
        match spelled {
            Some(name) => text.word(self.printable(name)),
            None => text.word(self.raw(id)),
        }
        self.push_place(text, id);
        text.len() - start
    }

    /// The name in the executable.
    pub fn raw(&self, id: SymbolId) -> Cow<'_, [u8]> {
        self.printable(&self.table.get(id).name)
    }

    /// The whole name of the file that a symbol is in, and the line there; the line
    /// is 0 where nothing is known.
    pub fn source(&self, id: SymbolId) -> (Cow<'_, [u8]>, u32) {
        match self.table.get(id).source {
            Some(source) => (self.file(source.file), source.line.get()),
            None => (Cow::Borrowed(b"<unknown>"), 0),
        }
    }

    pub fn file(&self, id: FileId) -> Cow<'_, [u8]> {
        self.printable(self.table.files().name(id))
    }

    pub fn escapes_controls(&self) -> bool {
        self.options.escapes_controls
    }

    pub(super) fn file_of_static(&self, id: SymbolId) -> Option<Cow<'_, [u8]>> {
        let Symbol {
            is_static, source, ..
        } = self.table.get(id);
        if self.is_by_line() {
            return None;
        }
        let source = source.filter(|_| *is_static)?;
        Some(self.printable(self.shown_file(source.file)))
    }

    fn push_place(&self, text: &mut Text, id: SymbolId) {
        let symbol = self.table.get(id);
        let Some(SourceLine { file, line }) = symbol.source else {
            return;
        };
        if !self.is_by_line() && self.options.locations == LocationStyle::Nowhere {
            return;
        }
        text.word(" (");
        text.word(self.printable(self.shown_file(file)));
        text.word(":");
        text.count(line.get().into(), 0);
        if self.is_by_line() {
            text.word(format!(" @ {:x}", symbol.range.start.0));
        }
        text.word(")");
    }

    fn is_by_line(&self) -> bool {
        self.table.granularity() == Granularity::Lines
    }

    fn shown_file(&self, id: FileId) -> &[u8] {
        let files = self.table.files();
        if self.options.shows_paths {
            files.name(id)
        } else {
            files.last_component(id)
        }
    }

    /// A name as it may be printed: without control characters where a terminal shows it.
    pub fn printable<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        printable(name, self.options.escapes_controls)
    }
}
