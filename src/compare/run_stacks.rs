//! The call trees of several runs in one report, for formats that show them next to each other.

use std::collections::HashMap;
use std::io;

use foldhash::fast::RandomState;

use super::several_names::SeveralNames;
use crate::report::{Cell, Metric, NameId, NameTable, Report, RowTable, Section, SectionId};

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
        let run = self.names.tables.len();
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
        self.names.tables.push(report.names);
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
    tables: Vec<Box<dyn NameTable>>,
    /// The report and number of each name.
    own: Vec<(usize, NameId)>,
}

impl RunNames {
    pub fn into_table(self) -> Box<dyn NameTable> {
        let Self { tables, own } = self;
        Box::new(SeveralNames {
            tables,
            place: move |id: NameId| own[id.index()],
        })
    }
}
