//! The call trees of several runs in one report, for formats that show them next to each other.

use std::collections::HashMap;
use std::io;

use foldhash::fast::RandomState;

use crate::report::{
    Cell, Metric, NameId, NameTable, Report, RowTable, Section, SectionId, SourceLocation,
};

/// A call tree for each run, with the names and metrics of all.
#[derive(Default)]
pub struct RunStacks {
    /// The title of each is the name of its run.
    pub sections: Vec<Section<'static>>,
    pub metrics: Vec<Metric>,
    pub primary: usize,
    pub names: RunNames,
}

impl RunStacks {
    /// Adds the call tree of a run. Returns whether it has the metrics of those before it; a
    /// run without call tree has no costs and is omitted.
    pub fn add(&mut self, title: String, mut report: Report<'static>) -> bool {
        let is_tree = |section: &Section<'_>| section.id == SectionId::Tree;
        let Some(index) = report.sections.iter().position(is_tree) else {
            return true;
        };
        let tree = report.sections.swap_remove(index);
        let is_first = self.sections.is_empty();
        if is_first {
            self.metrics = report.metrics;
            self.primary = report.primary;
        } else if self.metrics != report.metrics {
            return false;
        }
        let mut rows = RowTable::default();
        let run = self.names.runs.len();
        let mut numbers = HashMap::<NameId, NameId, RandomState>::default();
        let own = &mut self.names.own;
        let copied = tree.rows.for_each(&mut |row| {
            let cells = row.cells.iter().map(|cell| match cell {
                Cell::Name(id) => Cell::Name(*numbers.entry(*id).or_insert_with(|| {
                    own.push((run, *id));
                    NameId(u32::try_from(own.len() - 1).expect("rows have such numbers"))
                })),
                other => other.clone(),
            });
            rows.push(row.kind, cells.collect::<Vec<_>>());
            Ok::<_, io::Error>(())
        });
        copied.expect("rows in memory can be read");
        self.names.runs.push(report.names);
        self.sections.push(Section {
            title: title.into(),
            rows: Box::new(rows),
            ..tree
        });
        true
    }
}

/// The names of several reports.
#[derive(Default)]
pub struct RunNames {
    runs: Vec<Box<dyn NameTable>>,
    /// The report and number of each name.
    own: Vec<(usize, NameId)>,
}

impl RunNames {
    fn of(&self, id: NameId) -> (&dyn NameTable, NameId) {
        let (run, own) = self.own[id.index()];
        (&*self.runs[run], own)
    }
}

impl NameTable for RunNames {
    fn name(&self, id: NameId) -> &[u8] {
        let (names, id) = self.of(id);
        names.name(id)
    }

    fn linkage_name(&self, id: NameId) -> &[u8] {
        let (names, id) = self.of(id);
        names.linkage_name(id)
    }

    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        let (names, id) = self.of(id);
        names.location(id)
    }

    fn address(&self, id: NameId) -> Option<u64> {
        let (names, id) = self.of(id);
        names.address(id)
    }

    fn is_static(&self, id: NameId) -> bool {
        let (names, id) = self.of(id);
        names.is_static(id)
    }

    fn object(&self, id: NameId) -> Option<&[u8]> {
        let (names, id) = self.of(id);
        names.object(id)
    }

    fn has_objects(&self) -> bool {
        self.runs.iter().any(|names| names.has_objects())
    }

    fn are_lines(&self) -> bool {
        self.runs.iter().any(|names| names.are_lines())
    }
}
