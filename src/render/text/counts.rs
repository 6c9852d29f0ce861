//! Counts of executions, a line each.

use std::io;

use super::Page;
use crate::report::{Cell, RowKind, Section};

/// The columns that are left for an address and a count.
const LENGTH_BEHIND: usize = 32;

impl Page<'_> {
    /// `FILE:LINE: (NAME:ADDRESS) N executions`.
    pub(super) fn counts(&mut self, section: &Section<'_>) -> io::Result<()> {
        if !section.title.is_empty() {
            self.heading(section);
        }
        let column = |id| section.column(id);
        let (Some(name), Some(executions)) = (column("name"), column("executions")) else {
            return Ok(());
        };
        let (file, line, at) = (column("file"), column("line"), column("at"));
        let Self {
            text, names, out, ..
        } = self;
        section.rows.for_each(&mut |row| {
            if row.kind == RowKind::Rest {
                names.push(text, &row.cells[name]);
                if let Cell::Integer(executions) = &row.cells[executions] {
                    text.word(format!(": {executions} executions"));
                }
                text.word("\n");
                return text.write_piece(*out);
            }
            let cell = |column: Option<usize>| column.map(|column| &row.cells[column]);
            match (cell(file), cell(line)) {
                (Some(Cell::Text(file)), Some(Cell::Integer(line))) => {
                    text.word(names.printable(file));
                    text.word(format!(":{line}"));
                }
                _ => {
                    let (file, line) = names.source(&row.cells[name]);
                    text.word(file);
                    text.word(format!(":{line}"));
                }
            }
            text.word(": (");
            names.push_linkage(text, &row.cells[name], LENGTH_BEHIND);
            if let Some(Cell::Text(address)) = cell(at) {
                text.word(":");
                text.word(address);
            }
            names.push_object(text, &row.cells[name]);
            text.word(") ");
            if let Cell::Integer(executions) = &row.cells[executions] {
                text.word(executions.to_string());
            }
            text.word(" executions\n");
            text.write_piece(*out)
        })
    }
}
