//! Finds the callers and callees of a function in the call graph of a report.

use std::collections::HashMap;

use crate::report::{Cell, Layout, Report, RowKind, RowTable, Section, SectionId};

/// The entries of a call graph by name.
#[derive(Default)]
pub(super) struct Calls {
    /// Positions of entries; functions may share a name.
    entries: HashMap<Box<[u8]>, Vec<usize>>,
}

impl Calls {
    pub(super) fn of(report: &Report) -> Self {
        let mut calls = Self::default();
        let Some((graph, name)) = graph_of(report) else {
            return calls;
        };
        for entry in 0..graph.rows.n_entries() {
            // The callback never fails.
            let _ = graph.rows.for_each_of(entry..entry + 1, &mut |row| {
                if row.kind == RowKind::Entry {
                    let name = row.cells[name].bytes(&*report.names);
                    calls.entries.entry(name.into()).or_default().push(entry);
                }
                Ok(())
            });
        }
        calls
    }

    /// The part of the call graph about a function, if it has an entry.
    pub(super) fn entry(&self, report: &Report, name: &Cell) -> Option<Section> {
        let (graph, name_column) = graph_of(report)?;
        let found = self.entries.get(name.bytes(&*report.names))?;
        let rows_of = |entry: usize| {
            let mut rows = RowTable::default();
            let mut is_of_it = false;
            let _ = graph.rows.for_each_of(entry..entry + 1, &mut |row| {
                is_of_it |= row.kind == RowKind::Entry && row.cells[name_column] == *name;
                rows.push(row.kind, row.cells.iter().cloned());
                Ok(())
            });
            is_of_it.then_some(rows)
        };
        let rows = found.iter().find_map(|&entry| rows_of(entry))?;
        // The index number is for readers of the whole graph.
        let columns = graph.columns.iter().cloned().map(|mut column| {
            column.print = column.print.filter(|_| column.id != "index");
            column
        });
        Some(Section::new(SectionId::Graph, "", Layout::Table, columns.collect::<Vec<_>>(), rows))
    }
}

fn graph_of(report: &Report) -> Option<(&Section, usize)> {
    let mut sections = report.sections.iter();
    let graph = sections.find(|section| section.id == SectionId::Graph)?;
    Some((graph, graph.column("name")?))
}
