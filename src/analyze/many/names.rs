//! The names of a report on many files.

use std::cell::OnceCell;
use std::sync::Arc;

use super::super::roster::FunctionName;
use crate::report::{NameId, NameTable, SourceLocation};
use crate::symbols::{Style, demangle};

/// Functions by their numbers, demangled when they are first asked for.
#[derive(Debug)]
pub struct NumberedNames {
    names: Box<[FunctionName]>,
    style: Style,
    made: Box<[OnceCell<Arc<[u8]>>]>,
}

impl NumberedNames {
    /// These names, spelled in that style.
    #[must_use]
    pub fn new(names: &[FunctionName], style: Style) -> Self {
        Self {
            names: names.into(),
            style,
            made: vec![OnceCell::new(); names.len()].into(),
        }
    }

    fn get(&self, id: NameId) -> &FunctionName {
        &self.names[id.index()]
    }
}

impl NameTable for NumberedNames {
    fn name(&self, id: NameId) -> &[u8] {
        self.made[id.index()].get_or_init(|| {
            let raw = &self.get(id).name;
            let demangled = demangle(raw, self.style);
            demangled.map_or_else(|| Arc::clone(raw), Arc::from)
        })
    }

    fn linkage_name(&self, id: NameId) -> &[u8] {
        &self.get(id).name
    }

    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        let name = self.get(id);
        Some(SourceLocation {
            file: name.file.as_deref()?,
            line: name.line?,
        })
    }

    fn address(&self, _: NameId) -> Option<u64> {
        None
    }

    fn is_static(&self, _: NameId) -> bool {
        false
    }

    fn object(&self, id: NameId) -> Option<&[u8]> {
        self.get(id).object.as_deref()
    }

    fn has_objects(&self) -> bool {
        self.names.iter().any(|name| name.object.is_some())
    }

    fn are_lines(&self) -> bool {
        self.names.iter().any(|name| name.is_line)
    }
}
