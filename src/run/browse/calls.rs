//! Finds the callers and callees of a function in the call graph of a report.

use std::collections::HashMap;

use crate::report::{
    Cell, Column, IN_CYCLE, Layout, Print, Report, Role, RowKind, RowTable, Section, SectionId,
};

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
            let mut rows: Vec<(RowKind, Vec<Cell>)> = Vec::new();
            let mut is_of_it = false;
            let _ = graph.rows.for_each_of(entry..entry + 1, &mut |row| {
                is_of_it |= row.kind == RowKind::Entry && row.cells[name_column] == *name;
                rows.push((row.kind, row.cells.to_vec()));
                Ok(())
            });
            is_of_it.then_some(rows)
        };
        let mut found = found.iter().find_map(|&entry| rows_of(entry))?;
        for side in found.chunk_by_mut(|(one, _), (other, _)| one == other) {
            let cost = |cells: &[Cell]| cost_of_call(graph, cells);
            side.sort_by(|(_, one), (_, other)| cost(other).total_cmp(&cost(one)));
        }
        let is_known = |column: &usize| found.iter().any(|(_, cells)| !cells[*column].is_absent());
        let in_cycle = graph.column(IN_CYCLE).filter(is_known);
        let in_cycle = in_cycle.filter(|column| *column > name_column);
        let mut columns = graph.columns.to_vec();
        for column in &mut columns {
            // The index number is for readers of the whole graph.
            column.print = column.print.filter(|_| column.id != "index");
        }
        if let Some(place) = in_cycle {
            columns[place].print = Some(Print::new(0, 0));
            columns[place].head = ["within".into(), "cycle".into()];
            // Numbers are before names.
            columns[name_column..=place].rotate_right(1);
            for (_, cells) in &mut found {
                cells[name_column..=place].rotate_right(1);
            }
        }
        let mut rows = RowTable::default();
        for (kind, cells) in found {
            rows.push(kind, cells);
        }
        Some(Section::new(SectionId::Graph, "", Layout::Table, columns, rows))
    }
}

/// The cost of a call: self cost and children, or what was recorded within a cycle.
fn cost_of_call(graph: &Section, cells: &[Cell]) -> f64 {
    let is_part = |column: &Column| match column.role {
        Role::SelfValue | Role::Children => column.print.is_some(),
        _ => column.id == IN_CYCLE,
    };
    let parts = graph.columns.iter().zip(cells).filter(|(column, _)| is_part(column));
    let costs = parts.filter_map(|(_, cell)| match cell {
        Cell::Integer(cost) => Some(*cost as f64),
        Cell::Real(cost) => Some(*cost),
        _ => None,
    });
    costs.sum()
}

fn graph_of(report: &Report) -> Option<(&Section, usize)> {
    let mut sections = report.sections.iter();
    let graph = sections.find(|section| section.id == SectionId::Graph)?;
    Some((graph, graph.column("name")?))
}
