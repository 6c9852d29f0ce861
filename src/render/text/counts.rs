//! Counts of executions, a line each.

use std::borrow::Cow;
use std::io;

use super::Page;
use super::cells::{push_cell, width_of};
use super::names::NameWriter;
use crate::report::width::display_width;
use crate::report::{Cell, FittingUnit, Print, Row, RowKind, Section};

/// Width of an address and a count.
const LENGTH_BEHIND: usize = 32;

impl Page<'_> {
    pub(super) fn counts(&mut self, section: &Section) -> io::Result<()> {
        if !section.title.is_empty() {
            self.heading(section);
        }
        match self.options.screen {
            None => self.sentences_of_counts(section),
            Some(_) => self.table_of_counts(section),
        }
    }

    /// `FILE:LINE: (NAME:ADDRESS) N executions`.
    fn sentences_of_counts(&mut self, section: &Section) -> io::Result<()> {
        let names = self.names;
        self.each_row(section, |text, row| {
            let cell = |id| section.cell(*row, id);
            let (name, executions) = (cell("name"), cell("executions").as_integer());
            if row.kind == RowKind::Rest {
                names.push(text, name);
                if let Some(executions) = executions {
                    text.word(format!(": {executions} executions"));
                }
                text.word("\n");
                return;
            }
            let (file, line) = match (cell("file"), cell("line")) {
                (Cell::Text(file), Cell::Integer(line)) => (names.printable(file), *line),
                _ => {
                    let (file, line) = names.source(name);
                    (file, line.into())
                }
            };
            text.word(file);
            text.word(format!(":{line}: ("));
            names.push_linkage(text, name, LENGTH_BEHIND);
            if let Cell::Text(address) = cell("at") {
                text.word(":");
                text.word(address);
            }
            if let Some(object) = names.object(name) {
                text.word(", ");
                text.word(object);
            }
            text.word(") ");
            text.word(executions.map_or(String::new(), |number| number.to_string()));
            text.word(" executions\n");
        })
    }

    /// Counts with demangled names and locations.
    fn table_of_counts(&mut self, section: &Section) -> io::Result<()> {
        const HEAD: &str = "executions";
        const COUNT: Print = Print { unit: Some(FittingUnit::Count), ..Print::new(0, 0) };
        let names = self.names;
        let mut width = HEAD.len();
        section.rows.for_each(&mut |row| {
            width = width.max(width_of(section.cell(row, "executions"), COUNT, &names));
            Ok(())
        })?;
        self.text.right(HEAD.as_bytes(), width, usize::MAX);
        self.text.word("  name\n");
        self.each_row(section, |text, row| {
            let name = section.cell(*row, "name");
            let start = text.len();
            push_cell(text, section.cell(*row, "executions"), COUNT, &names);
            text.align_right(start, width);
            text.blanks(2);
            if row.kind == RowKind::Rest {
                names.push_words(text, name);
                text.word("\n");
                return;
            }
            let place = place_of(section, row, &names);
            names.push_bare_before(text, name, display_width(&place));
            text.word(place);
            text.word("\n");
        })
    }
}

/// Object (if there are several), source location and block address, as far as known.
fn place_of(section: &Section, row: &Row<'_>, names: &NameWriter<'_>) -> Vec<u8> {
    let cell = |id| section.cell(*row, id);
    let (file, line) = match (cell("file"), cell("line")) {
        (Cell::Text(file), Cell::Integer(line)) => (names.printable(file), line.to_string()),
        _ => match names.source(cell("name")) {
            (_, 0) => (Cow::default(), String::new()),
            (file, line) => (file, line.to_string()),
        },
    };
    let mut parts = Vec::new();
    parts.extend(names.object(cell("name")).map(Cow::into_owned));
    if !file.is_empty() {
        parts.push([names.shown_file(&file), b":", line.as_bytes()].concat());
    }
    if let (RowKind::Frame, Cell::Text(address)) = (row.kind, cell("at")) {
        parts.push(address.to_vec());
    }
    match parts.join(&b", "[..]) {
        place if place.is_empty() => place,
        place => [b" (", &*place, b")"].concat(),
    }
}
