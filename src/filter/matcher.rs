//! Patterns of symspecs against symbols.

use super::symspec::{Pattern, Target};
use crate::symbols::{FileId, Symbol, SymbolTable};

/// A pattern with its file looked up.
#[derive(Debug)]
pub struct Matcher<'a> {
    pattern: &'a Pattern,
    table: &'a SymbolTable,
    /// `Some(None)` for a file that no symbol is in.
    file: Option<Option<FileId>>,
}

impl<'a> Matcher<'a> {
    /// Looks up the file.
    pub fn new(pattern: &'a Pattern, table: &'a SymbolTable) -> Self {
        let file = pattern.file.as_ref();
        Self {
            pattern,
            table,
            file: file.map(|name| table.files().newest_named(name.as_bytes())),
        }
    }

    /// Whether the pattern fits a symbol.
    pub fn matches(&self, symbol: &Symbol) -> bool {
        let fits_file = match self.file {
            None => true,
            Some(Some(file)) if symbol.source.is_some_and(|source| source.file == file) => true,
            Some(_) => self.is_of_object(symbol),
        };
        let fits_target = match &self.pattern.target {
            None => true,
            Some(Target::Function(name)) => &*symbol.name == name.as_bytes(),
            Some(Target::Line(line)) => symbol.source.is_some_and(|s| s.line.get() == *line),
        };
        fits_file && fits_target
    }

    /// Whether the file of the pattern is the program or library that the symbol is of.
    fn is_of_object(&self, symbol: &Symbol) -> bool {
        let object = self.table.object_of(symbol);
        let name = object.zip(self.pattern.file.as_ref());
        name.is_some_and(|(object, name)| *object.name == *name.as_bytes())
    }
}
