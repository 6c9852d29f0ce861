//! The index of functions by name, in three columns.

use std::io;

use super::Page;
use super::names::NameWriter;
use crate::report::gprof_layout::{
    BSD_NAME, Flavor, IndexNumber, index_column, index_rows, write_index,
};
use crate::report::{Cell, Layout, Section, Text};

type IndexEntry = (IndexNumber, Cell);
type PushName<'n> = dyn Fn(&mut Text, &Cell) + 'n;

impl Page<'_> {
    pub(super) fn index(&mut self, section: &Section) -> io::Result<()> {
        self.heading(section);
        let mut entries: Vec<IndexEntry> = Vec::new();
        section.rows.for_each(&mut |row| {
            if let [number @ Cell::Integer(_), name, ..] = row.cells {
                let number = IndexNumber { number: number.as_count(), is_shown: true };
                entries.push((number, name.clone()));
            }
            Ok(())
        })?;
        let (names, width) = (self.names, self.options.width);
        let fits_line = self.options.line_length().is_some();
        let (flavor, push_name): (_, &PushName<'_>) = match section.layout {
            Layout::Bsd if fits_line => {
                (Flavor::Bsd, &|text, name| names.push_within(text, name, BSD_NAME))
            }
            Layout::Bsd => (Flavor::Bsd, &|text, name| names.push_linkage(text, name, 0)),
            Layout::Gprof if self.options.screen.is_none() => {
                (Flavor::Gnu, &|text, name| push_index_name(text, &names, name))
            }
            _ => return self.index_columns(&entries),
        };
        write_index(flavor, width, &entries, &mut self.text, self.out, push_name)
    }

    fn index_columns(&mut self, entries: &[IndexEntry]) -> io::Result<()> {
        for row in index_rows(entries) {
            self.push_columns(row);
            self.text.word("\n");
            self.text.write_piece(self.out)?;
        }
        Ok(())
    }

    /// Numbers and names in columns; names shortened on a screen.
    fn push_columns<'e>(&mut self, row: impl Iterator<Item = &'e IndexEntry>) {
        let is_on_screen = self.options.screen.is_some();
        let width = index_column(self.options.width);
        let (start, first_column) = (self.text.len(), self.text.column());
        for (column, (number, name)) in row.enumerate() {
            let place = if is_on_screen {
                self.text.column() - first_column
            } else {
                self.text.len() - start
            };
            let gap = (width * column).saturating_sub(place);
            let least = usize::from(column > 0 && !is_on_screen);
            self.text.blanks(gap.max(least));
            let number_start = self.text.len();
            number.push(&mut self.text);
            let n_taken = self.text.len() - number_start;
            self.text.align_right(number_start, 7);
            self.text.blanks(1);
            if is_on_screen {
                let room = width.saturating_sub(n_taken.max(7) + 2);
                self.names.push_within(&mut self.text, name, room);
            } else {
                self.names.push(&mut self.text, name);
            }
        }
    }
}

/// Adds the name of an entry, and the file of a static function.
fn push_index_name(text: &mut Text, names: &NameWriter<'_>, name: &Cell) {
    names.push(text, name);
    if let Cell::Name(id) = name
        && let Some(file) = names.file_of_static(*id)
    {
        text.word(" (");
        text.word(&file);
        text.word(")");
    }
}
