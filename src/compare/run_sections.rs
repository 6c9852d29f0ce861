//! The sections of several runs in one report, for formats that show them next to each other.

use std::io;
use std::sync::Arc;

use super::several_names::SeveralNames;
use crate::model::Interner;
use crate::report::{
    Cell, FrameName, Metric, NameId, NameTable, Report, ReportInput, RowTable, RunLabel, Section,
    SectionId,
};

/// The sections of each run, with the names and metrics of all.
#[derive(Default)]
pub struct RunSections {
    /// Sections of a run are adjacent.
    sections: Vec<Section>,
    metrics: Vec<Metric>,
    primary: usize,
    tables: Vec<Box<dyn NameTable>>,
    /// The table and number of each name.
    names: Vec<(usize, NameId)>,
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
        let run = self.tables.len();
        let mut numbers = Interner::default();
        let names = &mut self.names;
        let mut number = |id: NameId| NameId(numbers.find(id, names, || (run, id)));
        for section in report.sections {
            let mut rows = RowTable::default();
            let stacks = section.stacks.map(|stacks| {
                let stacks = Arc::unwrap_or_clone(stacks);
                Arc::new(stacks.renamed(|_, id| FrameName::Id(number(id))))
            });
            // Formats of stacks read no rows of a call tree.
            if stacks.is_none() {
                let copied = section.rows.for_each(&mut |row| {
                    let cells = row.cells.iter().map(|cell| match cell {
                        Cell::Name(id) => Cell::Name(number(*id)),
                        other => other.clone(),
                    });
                    rows.push(row.kind, cells.collect::<Vec<_>>());
                    Ok::<_, io::Error>(())
                });
                copied.expect("rows in memory can be read");
            }
            let (run, rows) = (Some(label.clone()), Box::new(rows));
            self.sections.push(Section { run, rows, stacks, ..section });
        }
        self.tables.push(report.names);
        true
    }

    /// The report of all runs, which has these inputs.
    pub fn into_report(self, inputs: Vec<ReportInput>) -> Report {
        let Self { sections, metrics, primary, tables, names } = self;
        let place = move |id: NameId| names[id.index()];
        let names = Box::new(SeveralNames { tables, place });
        Report { inputs, metrics, primary, names, sections, ..Report::default() }
    }
}
