//! The call graph with columns in automatic width.

use std::io;

use super::Page;
use super::cells::push_cell;
use super::graph::EntryState;
use super::graph_columns::{INDENT, ScreenGraphColumns, is_entry, push_reference};
use crate::report::gprof_layout::RULE;
use crate::report::{Cell, Row, RowKind, Section, Text};

impl Page<'_> {
    pub(super) fn graph_table(&mut self, section: &Section) -> io::Result<()> {
        let is_on_screen = self.options.screen.is_some();
        let Some(mut places) = ScreenGraphColumns::of(section, self.names) else {
            return Ok(());
        };
        places.fit()?;
        if let Some(columns) = self.options.screen.filter(|_| !self.options.keeps_columns) {
            places.make_room(columns)?;
        }
        self.title(if is_on_screen { "" } else { "\t\t\t" }, &section.title);
        self.text.word("\n\n");
        self.summary(section);
        self.text.word("\n");
        let has_heat = is_on_screen && self.options.has_color;
        let plain = if has_heat { self.plain() } else { "" };
        let rule = &RULE[..RULE.len().min(self.options.screen.unwrap_or(usize::MAX))];
        push_head(&mut self.text, section, &places);
        let mut blank = Text::default();
        push_blank(&mut blank, &places);
        self.each_block(section, &[], &|text, part| {
            let mut reference = Text::default();
            let mut entry = EntryState::default();
            part.for_each(text, |text, row| {
                if entry.is_next(row.kind) {
                    text.word(rule);
                    text.word("\n");
                }
                if row.kind == RowKind::Rest {
                    places.names.push_words(text, &row.cells[places.name]);
                    text.word("\n");
                    return entry.see(row.kind);
                }
                let is_entry = is_entry(row.kind);
                if row.kind == RowKind::Entry && !entry.has_callers {
                    text.word(blank.as_bytes());
                    text.blanks(INDENT);
                    text.word("<spontaneous>\n");
                }
                if is_entry && has_heat {
                    text.word(BOLD);
                }
                // A table of possible calls may have millions of lines without numbers.
                let mut numbers = places.numbers.iter();
                if !is_entry && numbers.all(|number| row.cells[number.place].is_absent()) {
                    text.word(blank.as_bytes())
                } else {
                    places.push_numbers(text, &row)
                }
                text.blanks(if is_entry { 0 } else { INDENT });
                push_reference(&mut reference, &row, &places);
                places.names.push_before(text, &row.cells[places.name], reference.len());
                text.word(reference.as_bytes());
                reference.clear();
                text.word(if is_entry { plain } else { "" });
                text.word("\n");
                entry.see(row.kind);
            })?;
            if entry.is_open {
                text.word(rule);
                text.word("\n");
            }
            Ok(())
        })
    }
}

/// Of the row of an entry's function.
const BOLD: &str = "\x1b[1m";

fn push_head(text: &mut Text, section: &Section, places: &ScreenGraphColumns<'_>) {
    let percent =
        places.percent.map_or(&b""[..], |(percent, _)| section.columns[percent].head[1].as_bytes());
    let width = places.margins.first_width;
    // All that fits of `% seconds` on a screen is the sign.
    let percent = if percent.len() > width { b"%" } else { percent };
    text.left(b"index", 6, 6);
    text.blanks(1);
    text.right(percent, width, usize::MAX);
    for number in &places.numbers {
        text.blanks(number.gap);
        text.right(number.head[1].as_bytes(), number.width, usize::MAX);
    }
    text.blanks(places.margins.before_name);
    text.word("name\n");
}

fn push_blank(text: &mut Text, places: &ScreenGraphColumns<'_>) {
    text.blanks(6 + 1 + places.margins.first_width);
    for number in &places.numbers {
        text.blanks(number.gap + number.width);
    }
    text.blanks(places.margins.before_name);
}

impl ScreenGraphColumns<'_> {
    /// Adds the numbers of a row; an entry's own row has its index and percentage.
    fn push_numbers(&self, text: &mut Text, row: &Row<'_>) {
        let index = match &row.cells[self.index] {
            Cell::Integer(index) if is_entry(row.kind) => format!("[{index}]"),
            _ => String::new(),
        };
        text.left(index.as_bytes(), 6, usize::MAX);
        text.blanks(1);
        let start = text.len();
        if let Some((percent, print)) = self.percent.filter(|_| is_entry(row.kind)) {
            push_cell(text, &row.cells[percent], print, &self.names);
        }
        text.align_right(start, self.margins.first_width);
        for number in &self.numbers {
            text.blanks(number.gap);
            number.push(text, row, &self.names);
        }
        text.blanks(self.margins.before_name);
    }
}
