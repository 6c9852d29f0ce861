//! The sections of several runs in one report, for formats that show them next to each other.

use std::collections::HashMap;
use std::io;

use foldhash::fast::RandomState;

use super::several_names::SeveralNames;
use crate::report::{Cell, Metric, NameId, NameTable, Report, RowTable, Section, SectionId};

/// The sections of each run, with the names and metrics of all.
#[derive(Default)]
pub struct RunSections {
    /// The title of each is the name of its run, whose sections are adjacent.
    pub sections: Vec<Section>,
    pub metrics: Vec<Metric>,
    pub primary: usize,
    pub names: RunNames,
}

impl RunSections {
    /// Adds the sections of a run that are shown. Returns whether it has the metrics of
    /// those before it; a run without such sections has no costs and is omitted.
    pub fn add(
        &mut self,
        title: &str,
        mut report: Report,
        is_shown: impl Fn(SectionId) -> bool,
    ) -> bool {
        report.sections.retain(|section| is_shown(section.id));
        if report.sections.is_empty() {
            return true;
        }
        if self.sections.is_empty() {
            self.metrics = report.metrics;
            self.primary = report.primary;
        } else if self.metrics != report.metrics {
            return false;
        }
        let run = self.names.tables.len();
        let mut numbers = HashMap::<NameId, NameId, RandomState>::default();
        let own = &mut self.names.own;
        for section in report.sections {
            let mut rows = RowTable::default();
            let copied = section.rows.for_each(&mut |row| {
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
            self.sections.push(Section {
                title: title.to_owned().into(),
                rows: Box::new(rows),
                ..section
            });
        }
        self.names.tables.push(report.names);
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
        Box::new(SeveralNames { tables, place: move |id: NameId| own[id.index()] })
    }
}
