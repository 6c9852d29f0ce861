//! The names of what two sides, or many runs, have.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::analyze::roster::{FunctionName, Joined};
use crate::report::{NameId, NameTable, SourceLocation};
use crate::symbols::{Languages, Style, demangle};

/// Names of the rows of a roster, demangled when they are first asked for.
#[derive(Debug)]
pub struct RosterNames<'a> {
    joined: &'a Joined,
    style: Style,
    languages: Option<Languages>,
    made: Box<[OnceCell<Arc<[u8]>>]>,
    are_lines: bool,
    has_objects: bool,
}

impl<'a> RosterNames<'a> {
    /// Names as a style spells them; with `decodes` Fortran's and Ada's too.
    #[must_use]
    pub fn new(joined: &'a Joined, style: Style, decodes: bool) -> Self {
        let shown = || joined.rows.iter().map(|row| &row.shown);
        Self {
            style,
            languages: decodes.then(|| Languages::of(shown().map(|one| &*one.name))),
            made: vec![OnceCell::new(); joined.rows.len()].into(),
            are_lines: shown().any(|one| one.is_line),
            has_objects: shown().any(|one| one.object.is_some()),
            joined,
        }
    }

    fn shown(&self, id: NameId) -> &'a FunctionName {
        &self.joined.rows[id.index()].shown
    }
}

impl NameTable for RosterNames<'_> {
    fn name(&self, id: NameId) -> &[u8] {
        self.made[id.index()].get_or_init(|| {
            let raw = &self.shown(id).name;
            let spelled = || self.languages?.spell(raw);
            let demangled = demangle(raw, self.style).or_else(spelled);
            demangled.map_or_else(|| Arc::clone(raw), Arc::from)
        })
    }

    fn linkage_name(&self, id: NameId) -> &[u8] {
        &self.shown(id).name
    }

    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        let shown = self.shown(id);
        Some(SourceLocation {
            file: shown.file.as_deref()?,
            line: shown.line?,
        })
    }

    fn address(&self, _: NameId) -> Option<u64> {
        None
    }

    fn object(&self, id: NameId) -> Option<&[u8]> {
        self.shown(id).object.as_deref()
    }

    fn has_objects(&self) -> bool {
        self.has_objects
    }

    fn is_static(&self, id: NameId) -> bool {
        !self.shown(id).is_global && self.shown(id).file.is_some()
    }

    fn are_lines(&self) -> bool {
        self.are_lines
    }
}
