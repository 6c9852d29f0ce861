//! Names of matched functions in a report.

use super::FunctionName;
use crate::analyze::DisplayNames;
use crate::report::{NameId, NameTable, SourceLocation};
use crate::symbols::Style;

/// Functions by number, demangled on first use.
#[derive(Debug)]
pub struct ShownNames {
    names: Box<[FunctionName]>,
    display: DisplayNames,
    are_lines: bool,
    has_objects: bool,
}

impl ShownNames {
    pub fn new(names: impl IntoIterator<Item = FunctionName>, style: Style) -> Self {
        let names: Box<[FunctionName]> = names.into_iter().collect();
        Self {
            display: DisplayNames::new(names.iter().map(|one| &*one.name), style),
            are_lines: names.iter().any(|name| name.is_line),
            has_objects: names.iter().any(|name| name.object.is_some()),
            names,
        }
    }

    fn get(&self, id: NameId) -> &FunctionName {
        &self.names[id.index()]
    }
}

impl NameTable for ShownNames {
    fn name(&self, id: NameId) -> &[u8] {
        self.display.get(id.index(), &self.get(id).name)
    }

    fn n_given_up(&self) -> usize {
        self.display.n_given_up()
    }

    fn linkage_name(&self, id: NameId) -> &[u8] {
        &self.get(id).name
    }

    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        let name = self.get(id);
        Some(SourceLocation { file: name.file.as_deref()?, line: name.line? })
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
