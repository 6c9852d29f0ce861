//! Names of functions as they are printed.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use crate::report::escape::printable;
use crate::symbols::{
    Demangler, FileId, Granularity, SourceLine, Style, Symbol, SymbolId, SymbolTable,
};

/// What is said behind a name about where it is in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationStyle {
    /// Names only.
    Nowhere,
    /// File and line.
    Lines,
}

/// How names are printed.
#[derive(Clone, Copy, Debug)]
pub struct NameOptions {
    /// How to demangle.
    pub demangle: Style,
    /// Escape control characters, as for a terminal.
    pub escapes_controls: bool,
    /// Whole file names instead of their last component.
    pub shows_paths: bool,
    /// What is said about the source. By line it is always file, line and address.
    pub locations: LocationStyle,
}

/// The names of a table, made when they are first asked for.
#[derive(Debug)]
pub struct Names<'a> {
    table: &'a SymbolTable,
    options: NameOptions,
    demangler: Demangler,
    made: Box<[OnceCell<Arc<[u8]>>]>,
}

impl<'a> Names<'a> {
    /// Names of `table`.
    #[must_use]
    pub fn new(table: &'a SymbolTable, options: NameOptions) -> Self {
        Self {
            table,
            options,
            demangler: Demangler::new(options.demangle),
            made: vec![OnceCell::new(); table.symbols().len()].into(),
        }
    }

    /// The name that is printed in normal style, with its place in the source.
    #[must_use]
    pub fn name(&self, id: SymbolId) -> Cow<'_, [u8]> {
        let name = self.made[id.index()].get_or_init(|| {
            let raw = &self.table.get(id).name;
            let all = || self.table.symbols().iter().map(|symbol| &symbol.name);
            let demangled = self.demangler.spell(raw, all);
            demangled.unwrap_or_else(|| Arc::clone(raw))
        });
        self.with_place(self.printable(name), id)
    }

    /// The name in the executable.
    #[must_use]
    pub fn raw(&self, id: SymbolId) -> Cow<'_, [u8]> {
        self.printable(&self.table.get(id).name)
    }

    /// The name in the executable, with its place in the source.
    #[must_use]
    pub fn raw_with_place(&self, id: SymbolId) -> Cow<'_, [u8]> {
        self.with_place(self.raw(id), id)
    }

    /// The whole name of the file that a symbol is in, and the line there; the line
    /// is 0 where nothing is known.
    #[must_use]
    pub fn source(&self, id: SymbolId) -> (Cow<'_, [u8]>, u32) {
        match self.table.get(id).source {
            Some(source) => (self.file(source.file), source.line.get()),
            None => (Cow::Borrowed(b"<unknown>"), 0),
        }
    }

    /// The whole name of a source file.
    #[must_use]
    pub fn file(&self, id: FileId) -> Cow<'_, [u8]> {
        self.printable(self.table.files().name(id))
    }

    /// Whether control characters are escaped.
    pub fn escapes_controls(&self) -> bool {
        self.options.escapes_controls
    }

    /// The file of a static function, when it is known and not said with the name.
    #[must_use]
    pub fn file_of_static(&self, id: SymbolId) -> Option<Cow<'_, [u8]>> {
        let Symbol {
            is_static, source, ..
        } = self.table.get(id);
        if self.is_by_line() {
            return None;
        }
        let source = source.filter(|_| *is_static)?;
        Some(self.printable(self.shown_file(source.file)))
    }

    fn with_place<'n>(&self, name: Cow<'n, [u8]>, id: SymbolId) -> Cow<'n, [u8]> {
        let symbol = self.table.get(id);
        let Some(SourceLine { file, line }) = symbol.source else {
            return name;
        };
        let address = symbol.range.start.0;
        let end = match self.options.locations {
            _ if self.is_by_line() => format!(":{line} @ {address:x})"),
            LocationStyle::Lines => format!(":{line})"),
            LocationStyle::Nowhere => return name,
        };
        let file = self.printable(self.shown_file(file));
        Cow::Owned([&*name, b" (", &*file, end.as_bytes()].concat())
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
    #[must_use]
    pub fn printable<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        printable(name, self.options.escapes_controls)
    }
}
