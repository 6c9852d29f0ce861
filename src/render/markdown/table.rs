//! Tables in GitHub's Markdown.

use std::io::{self, Write};

use super::escape::{Within, code, prose};
use crate::render::text::{
    InlinePlaces, NameWriter, depth_column, depth_of, push_bound, push_cell,
};
use crate::report::{
    Cell, LOWER_BOUND, Print, Role, Row, RowKind, Section, SectionId, Text, escape_controls,
};

struct ShownColumn {
    place: usize,
    print: Print,
    head: String,
    has_cells: bool,
    has_words: bool,
}

/// Writes the columns that text shows and that are not empty, except bars. Writes nothing without
/// such columns.
pub(super) fn write_table(
    section: &Section,
    names: &NameWriter<'_>,
    text: &mut Text,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = columns_of(section, names)?;
    if columns.is_empty() {
        return Ok(());
    }
    text.word("\n|");
    for column in &columns {
        text.word(format!(" {} |", column.head));
    }
    text.word("\n|");
    for column in &columns {
        text.word(if column.has_words { "---|" } else { "--:|" });
    }
    text.word("\n");
    let name = columns.last().map(|column| column.place);
    let bound = section.column(LOWER_BOUND);
    let cells = Cells { section, names };
    let mut cell = Text::default();
    section.rows.for_each(&mut |row| {
        text.word("|");
        for column in &columns {
            cells.push(&mut cell, &row, column);
            if Some(column.place) == name {
                push_bound(&mut cell, &row, bound);
            }
            let is_empty = cell.is_empty();
            text.word(if is_empty { "" } else { " " });
            text.word(cell.as_bytes());
            text.word(" |");
            cell.clear();
        }
        text.word("\n");
        text.write_piece(out)
    })
}

/// The columns of a table. Visits all rows.
fn columns_of(section: &Section, names: &NameWriter<'_>) -> io::Result<Vec<ShownColumn>> {
    let shown = |(place, column): (usize, &crate::report::Column)| {
        let print = names.print_of(section, place)?;
        let head = column.head.each_ref().map(|line| line.trim()).join(" ");
        Some(ShownColumn {
            place,
            print,
            head: prose(head.as_bytes(), Within::Cell),
            has_cells: false,
            has_words: false,
        })
    };
    let columns = section.columns.iter().enumerate();
    let columns = columns.filter(|(_, column)| column.role != Role::Bar);
    let mut columns: Vec<ShownColumn> = columns.filter_map(shown).collect();
    section.rows.for_each(&mut |row| {
        for column in &mut columns {
            let cell = &row.cells[column.place];
            column.has_cells |= !cell.is_absent();
            column.has_words |= matches!(cell, Cell::Name(_) | Cell::Text(_));
        }
        Ok(())
    })?;
    columns.retain(|column| column.has_cells);
    Ok(columns)
}

/// Adds cells of the rows of a section.
struct Cells<'a> {
    section: &'a Section,
    names: &'a NameWriter<'a>,
}

impl Cells<'_> {
    fn push(&self, text: &mut Text, row: &Row<'_>, column: &ShownColumn) {
        let cell = &row.cells[column.place];
        let role = self.section.columns[column.place].role;
        match (cell, role) {
            (Cell::Name(_) | Cell::Text(_), Role::Name) if !says_in_words(row, cell) => {
                self.push_name(text, row, cell);
            }
            (Cell::Text(place), Role::Source) if row.kind == RowKind::Entry => {
                text.word(code(place, Within::Cell));
            }
            (Cell::Text(words), _) => text.word(prose(words, Within::Cell)),
            _ => push_cell(text, cell, column.print, self.names),
        }
    }

    /// Adds a name with the text around it. Entries of a call graph are bold, since no empty line
    /// separates them.
    fn push_name(&self, text: &mut Text, row: &Row<'_>, cell: &Cell) {
        let mut name = Text::default();
        match row.kind {
            RowKind::Inline => {
                InlinePlaces::of(self.section).push(&mut name, row, self.names);
            }
            _ => self.names.push(&mut name, cell),
        }
        let name = escape_controls(name.as_bytes().trim_ascii_start());
        let name = code(&name, Within::Cell);
        let is_head = matches!(row.kind, RowKind::Entry | RowKind::Cycle);
        if self.section.id == SectionId::Graph && is_head && !name.is_empty() {
            text.word(format!("**{name}**"));
            return;
        }
        let depth = depth_of(row, depth_column(self.section)).unwrap_or(0);
        text.word("&nbsp;&nbsp;".repeat(depth.min(20)));
        text.word(row.kind.relation());
        text.word(name);
    }
}

/// Returns whether a name cell contains a sentence.
fn says_in_words(row: &Row<'_>, cell: &Cell) -> bool {
    let is_of_many = matches!(row.kind, RowKind::Rest | RowKind::Total | RowKind::Unattributed);
    is_of_many && matches!(cell, Cell::Text(_))
}
