//! Patterns of symspecs against symbols.

use super::symspec::{Pattern, Target};
use crate::symbols::{FileId, Symbol, SymbolTable};

/// A pattern with its file looked up.
#[derive(Debug)]
pub struct Matcher<'a> {
    pattern: &'a Pattern,
    /// `Some(None)` for a file that no symbol is in.
    file: Option<Option<FileId>>,
}

impl<'a> Matcher<'a> {
    /// Looks up the file.
    #[must_use]
    pub fn new(pattern: &'a Pattern, table: &SymbolTable) -> Self {
        let file = pattern.file.as_ref();
        Self {
            pattern,
            file: file.map(|name| table.files().newest_named(name.as_bytes())),
        }
    }

    /// Whether the pattern fits a symbol.
    #[must_use]
    pub fn matches(&self, symbol: &Symbol) -> bool {
        let fits_file = match self.file {
            None => true,
            Some(None) => false,
            Some(file) => symbol.source.map(|source| source.file) == file,
        };
        let fits_target = match &self.pattern.target {
            None => true,
            Some(Target::Function(name)) => &*symbol.name == name.as_bytes(),
            Some(Target::Line(line)) => symbol.source.is_some_and(|s| s.line.get() == *line),
        };
        fits_file && fits_target
    }
}
