//! What the word for a file means: source files, and programs or libraries where there are
//! several.

use crate::filter::glob;
use crate::symbols::{FileId, Symbol, SymbolTable};

/// The files and objects of one name.
pub(super) struct Places<'a> {
    table: &'a SymbolTable,
    files: Vec<bool>,
    objects: Vec<&'a [u8]>,
}

impl<'a> Places<'a> {
    /// Those that a word fits, in which a `*` stands for anything.
    pub(super) fn new(name: &str, table: &'a SymbolTable) -> Self {
        let fits = |of: &[u8]| glob::fits(name.as_bytes(), of);
        let files = table.files();
        let objects = table.objects().iter().map(|object| &*object.name);
        Self {
            table,
            files: files
                .ids()
                .map(|id| fits(files.last_component(id)))
                .collect(),
            objects: objects.filter(|object| fits(object)).collect(),
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
        object.is_some_and(|object| self.objects.contains(&&*object.name))
    }
}
