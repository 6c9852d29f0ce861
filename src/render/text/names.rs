//! Names as text shows them.

use std::borrow::Cow;

use crate::render::RenderOptions;
use crate::report::escape::printable;
use crate::report::{Cell, NameId, NameTable, SourceLocation, Text};

/// The names of a report, and how they are shown.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) table: &'a dyn NameTable,
    pub(super) options: RenderOptions,
}

impl Names<'_> {
    /// Adds the name in a cell as its language spells it, with its place where that is
    /// shown.
    pub(super) fn push(&self, text: &mut Text, cell: &Cell) {
        match cell {
            Cell::Name(id) => {
                text.word(self.printable(self.table.name(*id)));
                self.push_place(text, *id);
            }
            cell => self.push_plain(text, cell),
        }
    }

    /// Adds the name in a cell as the linker knows it, with its place.
    pub(super) fn push_linkage_with_place(&self, text: &mut Text, cell: &Cell) {
        self.push_linkage(text, cell);
        if let Cell::Name(id) = cell {
            self.push_place(text, *id);
        }
    }

    /// Adds the name in a cell as the linker knows it.
    pub(super) fn push_linkage(&self, text: &mut Text, cell: &Cell) {
        match cell {
            Cell::Name(id) => text.word(self.printable(self.table.linkage_name(*id))),
            cell => self.push_plain(text, cell),
        }
    }

    /// Adds the object that a name is of, where there are several.
    pub(super) fn push_object(&self, text: &mut Text, cell: &Cell) {
        if let Cell::Name(id) = cell
            && let Some(object) = self.table.object(*id)
        {
            text.word(", ");
            text.word(self.printable(object));
        }
    }

    fn push_plain(&self, text: &mut Text, cell: &Cell) {
        if let Cell::Text(word) = cell {
            text.word(self.printable(word));
        }
    }

    /// The whole name of the file that a name is in, and the line there; the line is 0
    /// where nothing is known.
    pub(super) fn source(&self, cell: &Cell) -> (Cow<'_, [u8]>, u32) {
        let location = match cell {
            Cell::Name(id) => self.table.location(*id),
            _ => None,
        };
        match location {
            Some(SourceLocation { file, line }) => (self.printable(file), line),
            None => (Cow::Borrowed(b"<unknown>"), 0),
        }
    }

    /// The file of a static function, where it is known and not said with the name.
    pub(super) fn file_of_static(&self, id: NameId) -> Option<Cow<'_, [u8]>> {
        if self.table.are_lines() || !self.table.is_static(id) {
            return None;
        }
        let location = self.table.location(id)?;
        Some(self.printable(self.shown_file(location.file)))
    }

    pub(super) fn printable<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        printable(name, self.options.escapes_controls)
    }

    /// Adds in parentheses what else is shown of a name: its object where there are
    /// several, and its place.
    fn push_place(&self, text: &mut Text, id: NameId) {
        let object = self.table.object(id);
        let are_lines = self.table.are_lines();
        let is_placed = are_lines || self.options.shows_locations;
        let location = self.table.location(id).filter(|_| is_placed);
        if object.is_none() && location.is_none() {
            return;
        }
        text.word(" (");
        if let Some(object) = object {
            text.word(self.printable(object));
        }
        if object.is_some() && location.is_some() {
            text.word(": ");
        }
        if let Some(SourceLocation { file, line }) = location {
            text.word(self.printable(self.shown_file(file)));
            text.word(":");
            text.count(line.into(), 0);
            if let Some(address) = self.table.address(id).filter(|_| are_lines) {
                text.word(format!(" @ {address:x}"));
            }
        }
        text.word(")");
    }

    /// The last component of a file, or all of it where paths are shown.
    pub(super) fn shown_file<'f>(&self, file: &'f [u8]) -> &'f [u8] {
        match file.rsplit(|&byte| byte == b'/').next() {
            Some(last) if !self.options.shows_paths => last,
            _ => file,
        }
    }
}
