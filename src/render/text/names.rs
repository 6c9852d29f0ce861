//! Names in text.

use std::borrow::Cow;

use super::room::LEAST_ROOM;
use super::screen_names::ScreenNames;
use crate::render::{NameForm, RenderOptions, name_form, name_id};
use crate::report::escape::{line_start, printable};
use crate::report::prose::push_words;
use crate::report::width::{cut_middle, display_width};
use crate::report::{
    Beside, Cell, Column, FittingUnit, LONGEST_NAME, Metric, NameId, NameTable, Print, Report,
    Role, Section, SourceLocation, Text, last_component, start_of,
};

#[derive(Clone, Copy)]
pub(in crate::render) struct NameWriter<'a> {
    pub(in crate::render) table: &'a dyn NameTable,
    pub(in crate::render) metrics: &'a [Metric],
    pub(in crate::render) options: RenderOptions,
    /// Distinct short names on a terminal.
    pub(super) short: Option<&'a ScreenNames>,
    /// The text is that of a report, whose lines names must not begin.
    pub(super) are_in_lines: bool,
}

impl<'a> NameWriter<'a> {
    pub(in crate::render) fn of(report: &'a Report, options: RenderOptions) -> Self {
        Self {
            table: &*report.names,
            metrics: &report.metrics,
            options,
            short: None,
            are_in_lines: false,
        }
    }

    /// The format of a column, if shown.
    pub(in crate::render) fn print_of(&self, section: &Section, place: usize) -> Option<Print> {
        let print = section.print_of(place, self.options.shows_error)?;
        Some(self.abbreviated(print, &section.columns[place]))
    }

    /// The format, on a screen with the unit of its numbers.
    pub(super) fn abbreviated(&self, print: Print, column: &Column) -> Print {
        let print = self.in_units(print, column);
        Print { unit: print.unit.filter(|_| self.options.screen.is_some()), ..print }
    }

    /// The format with the unit of its numbers, if they have one.
    pub(in crate::render) fn in_units(&self, print: Print, column: &Column) -> Print {
        let is_signed = print.is_signed || column.role == Role::Change;
        Print { unit: self.unit_of(column), is_signed, ..print }
    }

    /// The unit of a column is that of its metric, unless its heading states another one.
    fn unit_of(&self, column: &Column) -> Option<FittingUnit> {
        use Role as R;
        match column.role {
            R::SelfValue
            | R::Total
            | R::Children
            | R::Cumulative
            | R::Calls
            | R::Limit
            | R::Count
            | R::Old
            | R::New
            | R::Change => {}
            _ => return None,
        }
        let metric = column.metric.and_then(|index| self.metrics.get(index));
        let is_in = |unit: &str| column.head.iter().any(|line| line.trim() == unit);
        Some(match metric {
            Some(metric) if metric.unit == "bytes" => FittingUnit::Bytes,
            _ if is_in("bytes") || column.id.ends_with("_bytes") => FittingUnit::Bytes,
            _ if is_in("seconds") || column.id.ends_with("_seconds") => FittingUnit::Seconds,
            _ => FittingUnit::Count,
        })
    }

    /// Adds a demangled name, with its location if shown.
    pub(in crate::render) fn push(&self, text: &mut Text, cell: &Cell) {
        self.push_before(text, cell, 0);
    }

    /// The same, leaving `n_behind` columns of the line.
    pub(super) fn push_before(&self, text: &mut Text, cell: &Cell, n_behind: usize) {
        self.push_cell(text, cell, n_behind, true, |id| self.name(id));
    }

    /// The same without location.
    pub(super) fn push_bare_before(&self, text: &mut Text, cell: &Cell, n_behind: usize) {
        self.push_cell(text, cell, n_behind, false, |id| self.name(id));
    }

    /// Returns whether names depend on the width of the text after them.
    pub(super) fn need_room(&self) -> bool {
        let are_whole = matches!(self.options.names, NameForm::Full | NameForm::Linkage);
        self.options.screen.is_some() && !are_whole
    }

    fn name(&self, id: NameId) -> &[u8] {
        match self.options.names {
            NameForm::Linkage => self.table.linkage_name(id),
            NameForm::Full => self.table.name(id),
            _ => self.table.uncut_name(id),
        }
    }

    /// Adds a mangled name, with its location, leaving `n_behind` columns. A name that must
    /// be shortened is demangled.
    pub(super) fn push_linkage_before(&self, text: &mut Text, cell: &Cell, n_behind: usize) {
        match self.options.names {
            NameForm::Fitting | NameForm::Short | NameForm::Base => {
                self.push_before(text, cell, n_behind);
            }
            _ => self.push_cell(text, cell, n_behind, true, |id| self.table.linkage_name(id)),
        }
    }

    /// The same without location.
    pub(super) fn push_linkage(&self, text: &mut Text, cell: &Cell, n_behind: usize) {
        self.push_cell(text, cell, n_behind, false, |id| self.table.linkage_name(id));
    }

    /// The object of a name, if shown beside it.
    pub(super) fn object(&self, cell: &Cell) -> Option<Cow<'_, [u8]>> {
        self.object_of(name_id(cell)?)
    }

    fn object_of(&self, id: NameId) -> Option<Cow<'_, [u8]>> {
        let object = self.table.object(id).filter(|_| self.table.beside(id).object)?;
        Some(self.printable(self.shown_file(object)))
    }

    pub(super) fn push_within(&self, text: &mut Text, cell: &Cell, columns: usize) {
        let mut name = Text::default();
        let left = self.options.screen.map_or(0, |all| all.saturating_sub(columns));
        self.push_before(&mut name, cell, left);
        text.word(name.as_bytes());
    }

    /// Adds a source location, without its middle if it does not fit.
    pub(super) fn push_source(&self, text: &mut Text, cell: &Cell) {
        let Cell::Text(place) = cell else {
            return self.push(text, cell);
        };
        let place = self.printable(place);
        match self.options.line_length() {
            None => text.word(place),
            Some(columns) => {
                let room = columns.saturating_sub(text.column()).max(LEAST_ROOM);
                text.word(cut_middle(&place, room));
            }
        }
    }

    /// Adds a sentence, wrapped on a screen.
    pub(super) fn push_words(&self, text: &mut Text, cell: &Cell) {
        if let Cell::Text(sentence) = cell {
            let sentence = self.printable(sentence);
            match self.options.screen {
                Some(columns) => push_words(text, &sentence, columns),
                None => text.word(sentence),
            }
        }
    }

    /// Adds a name or text, with the location of a name if shown.
    fn push_cell<'n>(
        &self,
        text: &mut Text,
        cell: &Cell,
        n_behind: usize,
        with_place: bool,
        name: impl Fn(NameId) -> &'n [u8],
    ) {
        let id = match cell {
            Cell::Name(id) => *id,
            Cell::Text(word) => return self.push_formed(text, word, None, n_behind),
            _ => return,
        };
        let beside = self.table.beside(id);
        let shows_places =
            beside != Beside::default() || self.options.shows_locations || self.table.are_lines();
        if !with_place || !shows_places {
            return self.push_formed(text, name(id), Some(id), n_behind);
        }
        let place = self.place(id);
        let place = self.place_beside(id, place, text.column() + n_behind);
        self.push_formed(text, name(id), Some(id), n_behind + display_width(&place));
        text.word(place);
    }

    /// The part of a location that fits next to a name without parameters and arguments. For
    /// a line, the location identifies it, and is kept.
    fn place_beside(&self, id: NameId, place: Vec<u8>, n_taken: usize) -> Vec<u8> {
        match self.left_beside(id, n_taken) {
            None => place,
            Some(0..LEAST_ROOM) => Vec::new(),
            Some(left) => cut_middle(&place, left),
        }
    }

    /// The columns that remain next to a name without parameters and arguments, if names have to
    /// fit.
    fn left_beside(&self, id: NameId, n_taken: usize) -> Option<usize> {
        let columns = self.options.screen.filter(|_| self.need_room())?;
        if self.table.are_lines() {
            return None;
        }
        let name = display_width(&name_form::short(&self.printable(self.table.uncut_name(id))));
        Some(columns.saturating_sub(n_taken + name))
    }

    /// Adds the name of an inlined function, and its call site if it fits next to the name.
    pub(super) fn push_inlined(&self, text: &mut Text, name: &Cell, call: Option<&[u8]>) {
        const MARK: &[u8] = b" (inlined)";
        let place = call.map(|call| [b" (inlined at ", call, b")"].concat());
        let left = name_id(name).and_then(|id| self.left_beside(id, text.column()));
        let fits = |place: &Vec<u8>| left.is_none_or(|left| display_width(place) <= left);
        let mark = place.filter(fits).unwrap_or_else(|| MARK.to_vec());
        self.push_before(text, name, display_width(&mark));
        text.word(mark);
    }

    /// Adds a name in the requested form, as fits a screen.
    fn push_formed(&self, text: &mut Text, name: &[u8], id: Option<NameId>, n_behind: usize) {
        let room = |text: &Text, columns: usize| {
            columns.saturating_sub(text.column() + n_behind).max(LEAST_ROOM)
        };
        if let (Some(short), Some(id), Some(columns)) = (self.short, id, self.options.screen)
            && let Some(name) = short.fitting(id, room(text, columns))
        {
            return text.word(name);
        }
        let mut name = self.printable(name);
        if self.are_in_lines
            && let Cow::Owned(escaped) = line_start(&name)
            && text.is_line_blank()
        {
            name = Cow::Owned(escaped);
        }
        let name = match self.options.names {
            NameForm::Full | NameForm::Linkage => return text.word(name),
            NameForm::Fitting => name,
            NameForm::Short | NameForm::Base => {
                let requested = self.short.and_then(|short| short.requested(&name));
                let short = || match self.options.names {
                    NameForm::Short => name_form::short(&name),
                    _ => name_form::base(&name),
                };
                let short = requested.map_or_else(short, <[u8]>::to_vec);
                if let Some(id) = id.filter(|_| short.len() > LONGEST_NAME) {
                    // Counts the name as cut.
                    self.table.name(id);
                }
                Cow::Owned(start_of(&short).to_vec())
            }
        };
        match self.options.screen {
            None => text.word(name),
            Some(columns) => text.word(name_form::fitting(&name, room(text, columns))),
        }
    }

    /// The file and line of a name; line 0 if unknown.
    pub(super) fn source(&self, cell: &Cell) -> (Cow<'_, [u8]>, u32) {
        match name_id(cell).and_then(|id| self.table.location(id)) {
            Some(SourceLocation { file, line }) => (self.printable(file), line),
            None => (Cow::Borrowed(b"<unknown>"), 0),
        }
    }

    /// The file of a static function, if known and not part of the name.
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

    /// Object and source location of a name in parentheses, as shown.
    fn place(&self, id: NameId) -> Vec<u8> {
        let object = self.object_of(id);
        let location = self.location(id, self.table.beside(id).location);
        let between: &[u8] = match (&object, &location) {
            (None, None) => return Vec::new(),
            (Some(_), Some(_)) => b": ",
            _ => b"",
        };
        let object = object.unwrap_or_default();
        let location = location.unwrap_or_default();
        [b" (", &*object, between, &location, b")"].concat()
    }

    /// Source location of a name, if shown.
    fn location(&self, id: NameId, is_needed: bool) -> Option<Vec<u8>> {
        let are_lines = self.table.are_lines();
        if !are_lines && !self.options.shows_locations && !is_needed {
            return None;
        }
        let SourceLocation { file, line } = self.table.location(id)?;
        let file = self.printable(self.shown_file(file));
        let mut location = [&*file, b":", line.to_string().as_bytes()].concat();
        if let Some(address) = self.table.address(id).filter(|_| are_lines) {
            location.extend_from_slice(format!(" @ {address:x}").as_bytes());
        }
        Some(location)
    }

    /// The base name of a file, or the path if paths are shown.
    pub(in crate::render) fn shown_file<'f>(&self, file: &'f [u8]) -> &'f [u8] {
        if self.options.shows_paths { file } else { last_component(file) }
    }
}
