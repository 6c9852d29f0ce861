//! Names of functions of several profiles, as a report shows them.

use std::cell::OnceCell;
use std::sync::Arc;

use super::FunctionName;
use crate::report::{NameId, NameTable, SourceLocation};
use crate::symbols::{Demangler, Languages, Style};

/// Functions by their numbers, demangled when they are first asked for.
#[derive(Debug)]
pub struct ShownNames {
    names: Box<[FunctionName]>,
    demangler: Demangler,
    languages: Option<Languages>,
    made: Box<[OnceCell<Arc<[u8]>>]>,
    are_lines: bool,
    has_objects: bool,
}

impl ShownNames {
    /// These names as a style spells them; with `decodes` Fortran's and Ada's too.
    #[must_use]
    pub fn new<'n>(
        names: impl IntoIterator<Item = &'n FunctionName>,
        style: Style,
        decodes: bool,
    ) -> Self {
        let names: Box<[FunctionName]> = names.into_iter().cloned().collect();
        Self {
            languages: decodes.then(|| Languages::of(names.iter().map(|one| &*one.name))),
            are_lines: names.iter().any(|name| name.is_line),
            has_objects: names.iter().any(|name| name.object.is_some()),
            made: vec![OnceCell::new(); names.len()].into(),
            names,
            demangler: Demangler::new(style),
        }
    }

    fn get(&self, id: NameId) -> &FunctionName {
        &self.names[id.index()]
    }
}

impl NameTable for ShownNames {
    fn name(&self, id: NameId) -> &[u8] {
        self.made[id.index()].get_or_init(|| {
            let raw = &self.get(id).name;
            let spelled = || self.languages?.spell(raw);
            let all = || self.names.iter().map(|one| &one.name);
            let demangled = self.demangler.spell(raw, all);
            let spelled = demangled.or_else(|| spelled().map(Arc::from));
            spelled.unwrap_or_else(|| Arc::clone(raw))
        })
    }

    fn n_given_up(&self) -> usize {
        self.demangler.n_given_up()
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
        self.has_objects
    }

    fn are_lines(&self) -> bool {
        self.are_lines
    }
}
