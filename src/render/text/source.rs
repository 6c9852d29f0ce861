//! Source with numbers beside its lines.

use std::io;

use super::Page;
use super::gutter::Gutter;
use super::heat::{Heat, share_column};
use super::names::Names;
use super::table::{push_cell, width_of};
use crate::report::escape::escape_line;
use crate::report::number::fixed;
use crate::report::{Cell, Layout, Print, Role, RowKind, Section, SectionId, Text};

/// Columns beside the source in gprof's layout.
const WIDTH: usize = 16;

impl Page<'_> {
    pub(super) fn source(&mut self, section: &Section<'_>) -> io::Result<()> {
        match (section.id, section.layout) {
            _ if section.columns.is_empty() => {
                self.summary(section);
                Ok(())
            }
            (SectionId::SourceTop, _) => self.top_lines(section),
            (SectionId::SourceSummary, _) => self.source_summary(section),
            (_, Layout::Table) => self.source_table(section),
            _ => self.executed_source(section),
        }
    }

    /// Sixteen columns; what does not fit is cut at its end.
    fn executed_source(&mut self, section: &Section<'_>) -> io::Result<()> {
        if !section.title.is_empty() {
            self.file_title(section);
            self.text.word("\n");
        }
        let Some(source) = section.column("text") else {
            return Ok(());
        };
        let gutter = Gutter::of(section, &self.options);
        let escapes = self.options.escapes_controls;
        let inlined = section
            .column("inlined")
            .zip(section.column("inlined_time"));
        let Self {
            text, names, out, ..
        } = self;
        section.rows.for_each(&mut |row| {
            if let (RowKind::Inline, Some((name, time))) = (row.kind, inlined) {
                push_inlined(text, WIDTH, names, &row.cells[name], &row.cells[time]);
                return text.write_piece(*out);
            }
            let counts = match &row.cells[0] {
                Cell::Counts(counts) => {
                    let counts: Vec<_> = counts.iter().map(u64::to_string).collect();
                    format!("{} -> ", counts.join(","))
                }
                Cell::Text(mark) => format!("{} -> ", String::from_utf8_lossy(mark)),
                _ => String::new(),
            };
            text.right(counts.as_bytes(), WIDTH, WIDTH);
            gutter.push(text, &row);
            push_line(text, &row.cells[source], escapes);
            text.write_piece(*out)
        })
    }

    /// The title of a source. In a terminal names of files have a colour of their own.
    fn file_title(&mut self, section: &Section<'_>) {
        let has_color = self.options.screen.is_some() && self.options.has_color;
        self.text.word(if has_color { "\x1b[35m" } else { "" });
        self.title("", &section.title);
    }

    fn top_lines(&mut self, section: &Section<'_>) -> io::Result<()> {
        let title = &section.title;
        let heads = format!("\n\n{title}\n\n     Line      Count\n\n");
        self.text.word(heads);
        let text = &mut self.text;
        section.rows.for_each(&mut |row| {
            if let [Cell::Integer(line), Cell::Integer(count)] = row.cells {
                text.word(format!("{line:>9} {count:>10}\n"));
            }
            Ok(())
        })
    }

    fn source_summary(&mut self, section: &Section<'_>) -> io::Result<()> {
        self.text.word(format!("\n{}\n\n", section.title));
        let text = &mut self.text;
        let mut n_rows = 0;
        section.rows.for_each(&mut |row| {
            if let [value, Cell::Text(what)] = row.cells {
                let value = match value {
                    Cell::Real(number) => fixed(*number, 2),
                    Cell::Integer(number) => number.to_string(),
                    _ => String::new(),
                };
                // Shares of lines stand first, then those of executions.
                if n_rows == 3 {
                    text.word("\n");
                }
                text.right(value.as_bytes(), 9, usize::MAX);
                text.blanks(3);
                text.word(what);
                text.word("\n");
            }
            n_rows += 1;
            Ok(())
        })
    }

    /// Columns of numbers as wide as they have to be, then the source.
    fn source_table(&mut self, section: &Section<'_>) -> io::Result<()> {
        self.file_title(section);
        self.text.word("\n\n");
        self.summary(section);
        let Some(source) = section.column("text") else {
            return Ok(());
        };
        let inlined = section
            .column("inlined")
            .zip(section.column("inlined_time"));
        let columns = section.columns.iter().enumerate();
        let numbers: Vec<(usize, Print)> = columns
            .filter(|(_, column)| column.role != Role::Source)
            .filter_map(|(place, column)| Some((place, self.sizes.spelled(column.print?, column))))
            .collect();
        let heads = |place: usize| &section.columns[place].head;
        let mut widths: Vec<usize> = numbers
            .iter()
            .map(|&(place, print)| {
                heads(place)
                    .iter()
                    .map(|head| head.len())
                    .max()
                    .unwrap_or(0)
                    .max(usize::from(print.width))
            })
            .collect();
        let escapes = self.options.escapes_controls;
        let gutter = Gutter::of(section, &self.options);
        let has_heat = self.options.screen.is_some() && self.options.has_color;
        let share = share_column(section).filter(|_| has_heat);
        let plain = self.plain();
        let Self {
            text, names, out, ..
        } = self;
        // A source is long: where it is known how wide its columns are, it is shown once.
        if numbers.iter().any(|(_, print)| print.width == 0) {
            section.rows.for_each(&mut |row| {
                for (width, &(place, print)) in widths.iter_mut().zip(&numbers) {
                    *width = width_of(&row.cells[place], print, names).max(*width);
                }
                Ok(())
            })?;
        }
        let margin = widths.iter().map(|width| width + 2).sum();
        for line in 0..2 {
            for (index, (width, &(place, _))) in widths.iter().zip(&numbers).enumerate() {
                text.blanks(if index > 0 { 2 } else { 0 });
                text.right(heads(place)[line].as_bytes(), *width, usize::MAX);
            }
            text.word("\n");
        }
        section.rows.for_each(&mut |row| {
            if let (RowKind::Inline, Some((name, time))) = (row.kind, inlined) {
                push_inlined(text, margin, names, &row.cells[name], &row.cells[time]);
                return text.write_piece(*out);
            }
            let color = Heat::of_row(&row, share).color();
            text.word(color);
            for (&width, &(place, print)) in widths.iter().zip(&numbers) {
                match &row.cells[place] {
                    Cell::Absent => text.blanks(width),
                    cell => {
                        let start = text.len();
                        push_beside(text, cell, print, names);
                        text.align_right(start, width);
                    }
                }
                text.blanks(2);
            }
            text.word(if color.is_empty() { "" } else { plain });
            gutter.push(text, &row);
            push_line(text, &row.cells[source], escapes);
            text.write_piece(*out)
        })
    }
}

/// What is inlined into the line above, with its time, which is that of other lines.
fn push_inlined(text: &mut Text, margin: usize, names: &Names<'_>, name: &Cell, time: &Cell) {
    if let Cell::Real(time) = time {
        let time = format!("{} in    ", fixed(*time, 2));
        text.right(time.as_bytes(), margin, margin);
    }
    names.push(text, name);
    text.word(" (inlined)\n");
}

/// A cell beside the source.
fn push_beside(text: &mut Text, cell: &Cell, print: Print, names: &Names<'_>) {
    match cell {
        Cell::Counts(counts) => text.word(counts_text(counts)),
        cell => push_cell(text, cell, print, names),
    }
}

/// As many counts as there is room for, the first one in any case.
fn counts_text(counts: &[u64]) -> String {
    let words: Vec<_> = counts.iter().map(u64::to_string).collect();
    let whole = words.join(",");
    if whole.len() <= WIDTH {
        return whole;
    }
    let with_some = |n_shown: usize| format!("{},...", words[..n_shown].join(","));
    let fits = |n_shown: &usize| with_some(*n_shown).len() <= WIDTH;
    match (1..words.len()).take_while(fits).last() {
        Some(n_shown) => with_some(n_shown),
        None => words[0].clone(),
    }
}

/// A line of source with its end, if it has one.
fn push_line(text: &mut Text, cell: &Cell, escapes: bool) {
    if let Cell::Text(line) = cell {
        if escapes {
            text.word(escape_line(line))
        } else {
            text.word(line)
        }
    }
}
