//! Names and lines similar to those not found.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Finder, N_LISTED, shown_name};
use crate::filter::nearest::Nearest;
use crate::filter::parts::FunctionNameParts;
use crate::filter::word::fits_pattern;
use crate::filter::{Pattern, SymbolTarget};
use crate::sorting::ColdSort;
use crate::symbols::{FileId, Symbol, SymbolTable, last_component};

impl Finder<'_> {
    /// Names of functions, or of files, similar to a pattern.
    pub fn nearest(&self, pattern: &Pattern) -> Vec<String> {
        let file = pattern.file.as_deref();
        match (file.filter(|file| !self.has_file(file)), &pattern.target) {
            (Some(file), Some(target)) => {
                let behind = format!(":{}", shown_target(target));
                self.nearest_files(file, &behind)
            }
            (Some(word), None) => {
                let files = self.nearest_files(word, "");
                if files.is_empty() {
                    return self.nearest_functions(word.as_bytes());
                }
                files
            }
            (None, Some(SymbolTarget::Function(name))) => self.nearest_functions(name.as_bytes()),
            (None, _) => Vec::new(),
        }
    }

    fn nearest_files(&self, word: &str, behind: &str) -> Vec<String> {
        let files = self.table.files();
        let names = files.ids().map(|id| files.last_component(id));
        let objects = self.table.object_names().into_iter().map(|name| last_component(name));
        let mut nearest = Nearest::new(word.as_bytes());
        for name in names.chain(objects) {
            nearest.look_at(name, || format!("{}{behind}", shown_name(name)));
        }
        nearest.into_names()
    }

    /// The names most similar to a word, with or without namespaces.
    pub fn nearest_functions(&self, word: &[u8]) -> Vec<String> {
        let word = FunctionNameParts::of(word).bare();
        let n_parts = n_parts(&word);
        let mut nearest = Nearest::new(&word);
        self.each_demangled(|_, formatted| {
            let bare = FunctionNameParts::of(formatted).bare();
            nearest.look_at(last_parts(&bare, n_parts), || shown_name(&bare));
        });
        nearest.into_names()
    }

    pub fn nearest_lines(&self, line: u32, file: Option<&str>) -> Vec<u32> {
        let places = file.map(|file| self.places(file));
        let symbols = self.table.symbols().iter();
        let in_file = symbols.filter_map(|symbol| symbol.source).filter(|source| {
            let places = places.as_ref();
            places.is_none_or(|places| places.has(source.file))
        });
        let lines: BTreeSet<u32> = in_file.map(|source| source.line.get()).collect();
        let mut lines: Vec<u32> = lines.into_iter().collect();
        lines.cold_sort_by_key(|&one| (one.abs_diff(line), one));
        lines.truncate(N_LISTED);
        lines.sort_unstable();
        lines
    }
}

fn shown_target(target: &SymbolTarget) -> String {
    match target {
        SymbolTarget::Function(name) => name.clone(),
        SymbolTarget::Line(line) => line.to_string(),
    }
}

fn n_parts(name: &[u8]) -> usize {
    1 + name.windows(2).filter(|pair| pair == b"::").count()
}

fn last_parts(name: &[u8], n_parts: usize) -> &[u8] {
    let mut places = name.windows(2).enumerate().rev().filter(|(_, pair)| pair == b"::");
    match places.nth(n_parts - 1) {
        Some((place, _)) => &name[place + 2..],
        None => name,
    }
}

/// The files and objects with a name.
pub(super) struct FilesAndObjects<'a> {
    table: &'a SymbolTable,
    files: Vec<bool>,
    /// Sorted.
    objects: Vec<&'a Arc<[u8]>>,
}

impl<'a> FilesAndObjects<'a> {
    /// The names that match a word, in which `*` matches any text.
    pub(super) fn new(name: &str, table: &'a SymbolTable) -> Self {
        let fits = |of: &[u8]| fits_pattern(name.as_bytes(), of);
        let files = table.files();
        let objects = table.object_names().into_iter();
        Self {
            table,
            files: files.ids().map(|id| fits(files.last_component(id))).collect(),
            objects: objects.filter(|object| fits(last_component(object))).collect(),
        }
    }

    pub(super) fn are_any(&self) -> bool {
        !self.objects.is_empty() || self.files.contains(&true)
    }

    pub(super) fn hold(&self, symbol: &Symbol) -> bool {
        let is_in_file = symbol.source.is_some_and(|source| self.has(source.file));
        is_in_file || self.has_object_of(symbol)
    }

    pub(super) fn has(&self, file: FileId) -> bool {
        self.files[file.0 as usize]
    }

    fn has_object_of(&self, symbol: &Symbol) -> bool {
        if self.objects.is_empty() {
            return false;
        }
        let object = self.table.object_of(symbol);
        object.is_some_and(|object| self.objects.binary_search(&object).is_ok())
    }
}
