//! Counts of executions, a line each.

use std::borrow::Cow;
use std::io;

use super::Page;
use super::names::Names;
use super::table::width_of;
use crate::report::width::display_width;
use crate::report::{Cell, Print, Row, RowKind, Section};

/// The columns that are left for an address and a count.
const LENGTH_BEHIND: usize = 32;

struct Places {
    name: usize,
    executions: usize,
    file: Option<usize>,
    line: Option<usize>,
    address: Option<usize>,
}

impl Places {
    fn of(section: &Section<'_>) -> Option<Self> {
        let column = |id| section.column(id);
        Some(Self {
            name: column("name")?,
            executions: column("executions")?,
            file: column("file"),
            line: column("line"),
            address: column("at"),
        })
    }
}

impl Page<'_> {
    pub(super) fn counts(&mut self, section: &Section<'_>) -> io::Result<()> {
        if !section.title.is_empty() {
            self.heading(section);
        }
        match (Places::of(section), self.options.screen) {
            (None, _) => Ok(()),
            (Some(places), None) => self.sentences_of_counts(section, &places),
            (Some(places), Some(_)) => self.table_of_counts(section, &places),
        }
    }

    /// `FILE:LINE: (NAME:ADDRESS) N executions`.
    fn sentences_of_counts(&mut self, section: &Section<'_>, places: &Places) -> io::Result<()> {
        let &Places {
            name, executions, ..
        } = places;
        let (file, line, at) = (places.file, places.line, places.address);
        let names = self.names;
        self.each_row(section, |text, row| {
            if row.kind == RowKind::Rest {
                names.push(text, &row.cells[name]);
                if let Cell::Integer(executions) = &row.cells[executions] {
                    text.word(format!(": {executions} executions"));
                }
                text.word("\n");
                return;
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
            if let Some(object) = names.object(&row.cells[name]) {
                text.word(", ");
                text.word(object);
            }
            text.word(") ");
            if let Cell::Integer(executions) = &row.cells[executions] {
                text.word(executions.to_string());
            }
            text.word(" executions\n");
        })
    }

    /// Counts beside names as their language spells them, with their places.
    fn table_of_counts(&mut self, section: &Section<'_>, places: &Places) -> io::Result<()> {
        const HEAD: &str = "executions";
        const COUNT: Print = Print::new(0, 0);
        let names = self.names;
        let mut width = HEAD.len();
        section.rows.for_each(&mut |row| {
            width = width.max(width_of(&row.cells[places.executions], COUNT, &names));
            Ok(())
        })?;
        self.text.right(HEAD.as_bytes(), width, usize::MAX);
        self.text.word("  name\n");
        self.each_row(section, |text, row| {
            if let Cell::Integer(executions) = &row.cells[places.executions] {
                text.right(executions.to_string().as_bytes(), width, usize::MAX);
            }
            text.blanks(2);
            if row.kind == RowKind::Rest {
                names.push_words(text, &row.cells[places.name]);
                text.word("\n");
                return;
            }
            let place = place_of(row, places, &names);
            names.push_bare_before(text, &row.cells[places.name], display_width(&place));
            text.word(place);
            text.word("\n");
        })
    }
}

/// The object of a function where there are several, where it is in the source, and where
/// a block of it is in the program, as far as that is known.
fn place_of(row: &Row<'_>, places: &Places, names: &Names<'_>) -> Vec<u8> {
    let cell = |column: Option<usize>| column.map(|column| &row.cells[column]);
    let (file, line) = match (cell(places.file), cell(places.line)) {
        (Some(Cell::Text(file)), Some(Cell::Integer(line))) => {
            (names.printable(file), line.to_string())
        }
        _ => match names.source(&row.cells[places.name]) {
            (_, 0) => (Cow::default(), String::new()),
            (file, line) => (file, line.to_string()),
        },
    };
    let mut parts = Vec::new();
    parts.extend(names.object(&row.cells[places.name]).map(Cow::into_owned));
    if !file.is_empty() {
        parts.push([names.shown_file(&file), b":", line.as_bytes()].concat());
    }
    if let (RowKind::Frame, Some(Cell::Text(address))) = (row.kind, cell(places.address)) {
        parts.push(address.to_vec());
    }
    match parts.join(&b", "[..]) {
        place if place.is_empty() => place,
        place => [b" (", &*place, b")"].concat(),
    }
}
