//! Source with numbers beside its lines.

use std::io;

use super::Page;
use super::names::Names;
use super::table::{push_cell, width_of};
use crate::report::escape::escape_line;
use crate::report::number::fixed;
use crate::report::{Cell, Layout, Print, Role, RowKind, Section, SectionId, Text};

/// Columns from one tab stop to the next.
const TAB_WIDTH: usize = 8;

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
            self.title("", &section.title);
            self.text.word("\n");
        }
        let Some(source) = section.column("text") else {
            return Ok(());
        };
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
            push_line(text, &row.cells[source], escapes);
            text.write_piece(*out)
        })
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
        self.heading(section);
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
            .filter_map(|(place, column)| Some((place, column.print?)))
            .collect();
        let heads = |place: usize| &section.columns[place].head;
        let mut widths: Vec<usize> = numbers
            .iter()
            .map(|&(place, _)| {
                heads(place)
                    .iter()
                    .map(|head| head.len())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let escapes = self.options.escapes_controls;
        let mut has_tabs = false;
        let Self {
            text, names, out, ..
        } = self;
        section.rows.for_each(&mut |row| {
            for (width, &(place, print)) in widths.iter_mut().zip(&numbers) {
                *width = width_of(&row.cells[place], print, names).max(*width);
            }
            has_tabs |= matches!(&row.cells[source], Cell::Text(line) if line.contains(&b'\t'));
            Ok(())
        })?;
        let mut margin: usize = widths.iter().map(|width| width + 2).sum();
        if has_tabs && let Some(first) = widths.first_mut() {
            // Tabs reach as far as they do in the source itself.
            *first += margin.next_multiple_of(TAB_WIDTH) - margin;
            margin = margin.next_multiple_of(TAB_WIDTH);
        }
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
            for (&width, &(place, print)) in widths.iter().zip(&numbers) {
                let start = text.len();
                push_cell(text, &row.cells[place], print, names);
                text.align_right(start, width);
                text.blanks(2);
            }
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
