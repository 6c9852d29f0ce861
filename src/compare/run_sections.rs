//! The sections of several runs in one report, for formats that show them next to each other.

use std::collections::HashMap;
use std::io;

use foldhash::fast::RandomState;

use super::several_names::SeveralNames;
use crate::report::{
    Cell, Column, Metric, NameId, NameTable, Report, Role, RowTable, RunLabel, Section, SectionId,
};

/// The sections of each run, with the names and metrics of all.
#[derive(Default)]
pub struct RunSections {
    /// Sections of a run are adjacent.
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
        label: &RunLabel,
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
            let columns = section.columns.iter().enumerate();
            let columns = columns.filter(|(_, column)| is_read(column, section.id));
            let columns: Vec<_> = columns.map(|(place, column)| (place, column.clone())).collect();
            let mut rows = RowTable::default();
            let copied = section.rows.for_each(&mut |row| {
                let cells = columns.iter().map(|&(place, _)| match &row.cells[place] {
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
                run: Some(label.clone()),
                columns: columns.into_iter().map(|(_, column)| column).collect(),
                rows: Box::new(rows),
                ..section
            });
        }
        self.names.tables.push(report.names);
        true
    }
}

/// Returns whether formats with several runs read a column: of call trees only frames with their
/// weights.
fn is_read(column: &Column, section: SectionId) -> bool {
    section != SectionId::Tree || matches!(column.role, Role::Name | Role::Count | Role::Other)
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
