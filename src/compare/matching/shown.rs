//! Names of matched functions in a report.

use std::sync::OnceLock;

use super::FunctionName;
use crate::analyze::DisplayNames;
use crate::report::{AlikeNames, Beside, NameId, NameTable, PlacedName, SourceLocation};
use crate::symbols::Style;

/// Functions by number, demangled on first use.
#[derive(Debug)]
pub struct ShownNames {
    names: Box<[FunctionName]>,
    display: DisplayNames,
    are_lines: bool,
    has_objects: bool,
    /// What tells equal names apart; made on first use.
    alike: OnceLock<AlikeNames>,
}

impl ShownNames {
    pub fn new(names: impl IntoIterator<Item = FunctionName>, style: Style) -> Self {
        let names: Box<[FunctionName]> = names.into_iter().collect();
        Self {
            display: DisplayNames::new(names.iter().map(|one| &*one.name), style),
            are_lines: names.iter().any(|name| name.is_line),
            has_objects: names.iter().any(|name| name.object.is_some()),
            alike: OnceLock::new(),
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

    fn object(&self, id: NameId) -> Option<&[u8]> {
        self.get(id).object.as_deref()
    }

    fn has_objects(&self) -> bool {
        self.has_objects
    }

    fn beside(&self, id: NameId) -> Beside {
        let names = (0..).map(NameId).zip(&self.names).map(|(id, one)| PlacedName {
            name: &one.name,
            object: one.object.as_deref(),
            // Global functions of programs have one, but only reports with sources know it.
            location: self.location(id).filter(|_| !one.is_global),
        });
        self.alike.get_or_init(|| AlikeNames::of(names)).get(id)
    }

    fn are_lines(&self) -> bool {
        self.are_lines
    }
}
