//! The index of functions by name, in three columns.

use std::io;

use super::Page;
use crate::report::{Cell, Layout, Section, Text};

const N_COLUMNS: usize = 3;

/// Width of a name in BSD's layout.
const BSD_NAME: usize = 19;

struct IndexEntry {
    number: String,
    name: Cell,
}

impl Page<'_> {
    pub(super) fn index(&mut self, section: &Section) -> io::Result<()> {
        self.heading(section);
        let mut entries = Vec::new();
        section.rows.for_each(&mut |row| {
            if let [Cell::Integer(number), name, ..] = row.cells {
                entries.push(IndexEntry { number: format!("[{number}]"), name: name.clone() });
            }
            Ok(())
        })?;
        let n_rows = entries.len().div_ceil(N_COLUMNS);
        for first in 0..n_rows {
            let row = entries[first..].iter().step_by(n_rows);
            match section.layout {
                Layout::Bsd => self.push_bsd_row(row),
                Layout::Gprof if self.options.screen.is_none() => self.push_row(row),
                _ => self.push_columns(row),
            }
            self.text.word("\n");
            self.text.write_piece(self.out)?;
        }
        Ok(())
    }

    fn column_width(&self) -> usize {
        self.options.width.saturating_sub(1) / N_COLUMNS
    }

    /// A name starts in its column or, after a long name, later. Brackets of numbers do not
    /// count for the position, as in gprof.
    fn push_row<'e>(&mut self, row: impl Iterator<Item = &'e IndexEntry>) {
        let width = self.column_width();
        let mut place = 0;
        for (column, entry) in row.enumerate() {
            place += entry.number.len();
            let gap = (column * width + 5).saturating_sub(place);
            self.text.blanks(gap + 1);
            place += gap;
            self.text.word(&entry.number);
            self.text.blanks(1);
            place += self.push_index_name(entry);
        }
    }

    /// Adds the name of an entry, and the file of a static function. Returns the number of
    /// bytes.
    fn push_index_name(&mut self, entry: &IndexEntry) -> usize {
        let start = self.text.len();
        self.names.push(&mut self.text, &entry.name);
        if let Cell::Name(id) = entry.name
            && let Some(file) = self.names.file_of_static(id)
        {
            self.text.word(" (");
            self.text.word(&file);
            self.text.word(")");
        }
        self.text.len() - start
    }

    fn push_bsd_row<'e>(&mut self, row: impl Iterator<Item = &'e IndexEntry>) {
        for entry in row {
            self.text.right(entry.number.as_bytes(), 6, 6);
            self.text.blanks(1);
            let mut name = Text::default();
            match self.options.line_length() {
                Some(_) => self.names.push_within(&mut name, &entry.name, BSD_NAME),
                None => self.names.push_linkage(&mut name, &entry.name, 0),
            }
            self.text.left(name.as_bytes(), BSD_NAME, BSD_NAME);
        }
    }

    /// Numbers and names in columns; names shortened on a screen.
    fn push_columns<'e>(&mut self, row: impl Iterator<Item = &'e IndexEntry>) {
        let is_on_screen = self.options.screen.is_some();
        let width = self.column_width();
        let (start, first_column) = (self.text.len(), self.text.column());
        for (column, entry) in row.enumerate() {
            let place = if is_on_screen {
                self.text.column() - first_column
            } else {
                self.text.len() - start
            };
            let gap = (width * column).saturating_sub(place);
            let least = usize::from(column > 0 && !is_on_screen);
            self.text.blanks(gap.max(least));
            self.text.right(entry.number.as_bytes(), 7, usize::MAX);
            self.text.blanks(1);
            if is_on_screen {
                let n_taken = entry.number.len().max(7) + 2;
                let room = width.saturating_sub(n_taken);
                self.names.push_within(&mut self.text, &entry.name, room);
            } else {
                self.names.push(&mut self.text, &entry.name);
            }
        }
    }
}
