//! Finds the symbols for a name that the user wrote.
//!
//! A name matches as in the executable, or demangled: with or without parameters, with or
//! without template arguments, with all namespaces. Without the outer namespaces it matches
//! if it names a single function, or a single one that took part in the run. `*` matches any
//! text.

mod near;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use self::near::FilesAndObjects;
use super::parts::FunctionNameParts;
use super::symspec::{Pattern, SymbolTarget};
use super::word::{Fit, TypedName};
use crate::symbols::{Demangler, FileId, Style, Symbol, SymbolId, SymbolTable, last_component};

/// Maximum number of functions listed for an ambiguous name.
const N_LISTED: usize = 5;

/// The names of a table.
pub struct Finder<'a> {
    table: &'a SymbolTable,
    demangler: Demangler,
    took_part: Option<&'a dyn Fn(SymbolId) -> bool>,
    finds_inlined: bool,
}

impl fmt::Debug for Finder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finder").finish_non_exhaustive()
    }
}

/// Why a pattern matches no symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    Nothing,
    /// Several functions have this name in different namespaces.
    Ambiguous {
        candidates: Vec<String>,
        n_more: usize,
    },
}

impl<'a> Finder<'a> {
    pub fn new(table: &'a SymbolTable, style: Style) -> Self {
        let demangler = Demangler::of_program(style, table.names());
        Self { table, demangler, took_part: None, finds_inlined: false }
    }

    /// Prefers functions that took part in the run among those with the same short name.
    pub fn preferring(mut self, took_part: &'a dyn Fn(SymbolId) -> bool) -> Self {
        self.took_part = Some(took_part);
        self
    }

    /// Finds code of inlined functions instead of functions, and all that have the same short name.
    pub fn finding_inlined(self) -> Self {
        Self { finds_inlined: true, ..self }
    }

    pub fn table(&self) -> &'a SymbolTable {
        self.table
    }

    /// For each symbol, whether the pattern matches it. Compares the names of all symbols if
    /// there is no exact match.
    ///
    /// # Errors
    /// If it matches nothing, or is ambiguous.
    pub fn find(&self, pattern: &Pattern) -> Result<Box<[bool]>, NotFound> {
        let exact = self.exact(pattern);
        if exact.contains(&true) {
            return Ok(exact);
        }
        let (file, name) = match (&pattern.file, &pattern.target) {
            (file, Some(SymbolTarget::Function(name))) => (file.as_deref(), name),
            // A bare word with a dot is a file, unless no file has that name.
            (Some(name), None) if !self.has_file(name) => (None, name),
            _ => return self.in_files(pattern),
        };
        if file.is_some_and(|file| !self.has_file(file)) {
            return Err(NotFound::Nothing);
        }
        match self.named(file, name.as_bytes()) {
            // A linkage name, in a profile with demangled names.
            Err(NotFound::Nothing) => {
                let shown = self.demangler.demangle(&name.as_bytes().into());
                shown.map_or(Err(NotFound::Nothing), |shown| self.named(file, &shown))
            }
            found => found,
        }
    }

    /// The symbols that gprof would find.
    pub(super) fn exact(&self, pattern: &Pattern) -> Box<[bool]> {
        let matcher = Matcher::new(pattern, self.table);
        let symbols = self.table.iter();
        symbols.map(|(id, symbol)| self.is_searched(id) && matcher.matches(symbol)).collect()
    }

    /// Returns whether a function has exactly this name, as in the executable or demangled.
    pub(super) fn is_name(&self, name: &str) -> bool {
        let mut is_name = false;
        self.each_demangled(|id, formatted| {
            let symbol = self.table.get(id);
            is_name |= formatted == name.as_bytes() || *symbol.name == *name.as_bytes();
        });
        is_name
    }

    fn has_file(&self, name: &str) -> bool {
        self.places(name).are_any()
    }

    fn places(&self, name: &str) -> FilesAndObjects<'a> {
        FilesAndObjects::new(name, self.table)
    }

    /// The symbols of a file or line, if the file name has a star.
    fn in_files(&self, pattern: &Pattern) -> Result<Box<[bool]>, NotFound> {
        let places = pattern.file.as_deref().map(|file| self.places(file));
        let fits = |(id, symbol): (SymbolId, &Symbol)| {
            let is_in = places.as_ref().is_none_or(|places| places.hold(symbol));
            let is_line = match pattern.target {
                Some(SymbolTarget::Line(line)) => {
                    symbol.source.is_some_and(|s| s.line.get() == line)
                }
                _ => true,
            };
            is_in && is_line && self.is_searched(id)
        };
        let found: Box<[bool]> = self.table.iter().map(fits).collect();
        let is_any = found.contains(&true);
        is_any.then_some(found).ok_or(NotFound::Nothing)
    }

    fn named(&self, file: Option<&str>, word: &[u8]) -> Result<Box<[bool]>, NotFound> {
        let places = file.map(|file| self.places(file));
        let is_in_file = |symbol: &Symbol| places.as_ref().is_none_or(|places| places.hold(symbol));
        let word = TypedName::new(word);
        let mut fits = vec![None; self.table.symbols().len()];
        self.each_demangled(|id, formatted| {
            let symbol = self.table.get(id);
            if is_in_file(symbol) {
                fits[id.index()] = word.fit(&symbol.name, formatted);
            }
        });
        let Some(&best) = fits.iter().max().filter(|best| best.is_some()) else {
            return Err(NotFound::Nothing);
        };
        let best = if word.has_star { Some(Fit::Tail) } else { best };
        let mut found: Box<[bool]> = fits.iter().map(|&fit| fit >= best).collect();
        if best == Some(Fit::Tail) && !word.has_star && !self.finds_inlined {
            self.settle(&mut found)?;
        }
        Ok(found)
    }

    /// Reduces matches to one function with its overloads and clones: the only one, or the
    /// only one that took part in the run.
    ///
    /// # Errors
    /// If several remain.
    fn settle(&self, found: &mut [bool]) -> Result<(), NotFound> {
        let mut all = BTreeSet::new();
        let mut used = BTreeSet::new();
        self.each_demangled(|id, formatted| {
            if found[id.index()] {
                let bare = FunctionNameParts::of(formatted).bare().into_owned();
                if self.took_part.is_some_and(|took_part| took_part(id)) {
                    used.insert(bare.clone());
                }
                all.insert(bare);
            }
        });
        if all.len() > 1 && used.len() == 1 {
            self.each_demangled(|id, formatted| {
                found[id.index()] &= used.contains(&*FunctionNameParts::of(formatted).bare());
            });
        } else if all.len() > 1 {
            let listed = if used.is_empty() { &all } else { &used };
            let shown = listed.iter().take(N_LISTED);
            return Err(NotFound::Ambiguous {
                candidates: shown.map(|name| shown_name(name)).collect(),
                n_more: listed.len().saturating_sub(N_LISTED),
            });
        }
        Ok(())
    }

    /// Returns whether a symbol is a function, or inlined code if that is searched.
    fn is_searched(&self, id: SymbolId) -> bool {
        (self.table.enclosing_function(id) == id) != self.finds_inlined
    }

    /// Passes each searched symbol with its demangled name. Consecutive lines of a function share the
    /// name.
    fn each_demangled(&self, mut visit: impl FnMut(SymbolId, &[u8])) {
        let mut last: Option<&Arc<[u8]>> = None;
        let mut formatted: Arc<[u8]> = Arc::default();
        for (id, symbol) in self.table.iter().filter(|&(id, _)| self.is_searched(id)) {
            let raw = &symbol.name;
            if !last.is_some_and(|last| Arc::ptr_eq(last, raw)) {
                formatted = self.demangler.demangle(raw).unwrap_or_else(|| Arc::clone(raw));
                last = Some(raw);
            }
            visit(id, &formatted);
        }
    }
}

/// A pattern with its file looked up.
#[derive(Debug)]
pub struct Matcher<'a> {
    pattern: &'a Pattern,
    table: &'a SymbolTable,
    /// `Some(None)` for a file without symbols.
    file: Option<Option<FileId>>,
}

impl<'a> Matcher<'a> {
    pub fn new(pattern: &'a Pattern, table: &'a SymbolTable) -> Self {
        let file = pattern.file.as_ref();
        Self { pattern, table, file: file.map(|name| table.files().newest_named(name.as_bytes())) }
    }

    pub fn matches(&self, symbol: &Symbol) -> bool {
        let fits_file = match self.file {
            None => true,
            Some(Some(file)) if symbol.source.is_some_and(|source| source.file == file) => true,
            Some(_) => self.is_of_object(symbol),
        };
        let fits_target = match &self.pattern.target {
            None => true,
            Some(SymbolTarget::Function(name)) => &*symbol.name == name.as_bytes(),
            Some(SymbolTarget::Line(line)) => symbol.source.is_some_and(|s| s.line.get() == *line),
        };
        fits_file && fits_target
    }

    /// Returns whether the file of the pattern is the object of the symbol.
    fn is_of_object(&self, symbol: &Symbol) -> bool {
        let object = self.table.object_of(symbol);
        let name = object.zip(self.pattern.file.as_ref());
        name.is_some_and(|(object, name)| last_component(object) == name.as_bytes())
    }
}

fn shown_name(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

#[cfg(test)]
mod tests;
