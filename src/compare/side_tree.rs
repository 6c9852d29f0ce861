//! The call tree of a side, and the names of both sides.

use std::sync::Arc;

use super::several_names::SeveralNames;
use crate::report::{
    CallStacks, FrameName, NameId, NameTable, Report, Section, SectionId, StackFrame,
};

/// A report on a side without its sections, and its call tree.
pub struct SideTree {
    pub(super) report: Report,
    pub(super) summary: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) stacks: Arc<CallStacks>,
    /// Callers are below their callees.
    pub(super) callers_below: bool,
}

impl SideTree {
    /// The call tree of a report; `None` if it has none.
    pub fn of(mut report: Report, callers_below: bool) -> Option<Self> {
        let sections = std::mem::take(&mut report.sections);
        let section = sections.into_iter().find(|section| section.id == SectionId::Tree)?;
        let Section { summary, notes, stacks, .. } = section;
        Some(Self { report, summary, notes, stacks: stacks?, callers_below })
    }

    /// The same with names as text, for a report with names of its own.
    pub fn with_texts(self) -> Self {
        let stacks = Arc::unwrap_or_clone(self.stacks);
        let names = &self.report.names;
        let stacks = Arc::new(stacks.renamed(|stacks, id| stacks.text(names.name(id))));
        Self { stacks, ..self }
    }

    pub(super) fn name(&self, frame: &StackFrame) -> &[u8] {
        match frame.name {
            FrameName::Id(id) => self.report.names.name(id),
            FrameName::Text(text) => self.stacks.texts.get(text),
        }
    }
}

/// The names of both sides in one table.
pub fn side_names(sides: [Box<dyn NameTable>; 2]) -> impl NameTable {
    SeveralNames {
        tables: sides.into(),
        place: |id: NameId| ((id.0 & 1) as usize, NameId(id.0 >> 1)),
    }
}

/// The number of a name of a side in the table of both.
pub(super) fn side_name(id: NameId, side: usize) -> NameId {
    NameId(id.0 << 1 | u32::from(side == 1))
}
