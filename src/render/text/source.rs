//! Source with numbers.

use std::borrow::Cow;
use std::io;

use super::Page;
use super::cells::{head_on_screen, push_cell, width_of};
use super::color::{HeatScale, PLAIN};
use super::names::NameWriter;
use super::room::{self, Number, make_room};
use crate::render::RenderOptions;
use crate::report::escape::{escape_line, printable};
use crate::report::gprof_layout::{
    BESIDE_SOURCE, SourceMark, push_beside_source, push_summary_line, push_top_heads, push_top_line,
};
use crate::report::number::{fixed, grouped};
use crate::report::width::cut_middle;
use crate::report::{Cell, Column, Layout, Print, Role, Row, RowKind, Section, SectionId, Text};

impl Page<'_> {
    pub(super) fn source(&mut self, section: &Section) -> io::Result<()> {
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

    /// Sixteen columns; cut at the end.
    fn executed_source(&mut self, section: &Section) -> io::Result<()> {
        if !section.title.is_empty() {
            self.file_title(section);
            self.text.word("\n");
        }
        let is_on_screen = self.options.screen.is_some();
        self.source_lines(section, BESIDE_SOURCE, |text, row| {
            let only = match &row.cells[0] {
                Cell::Counts(counts) if is_on_screen && counts.len() == 1 => {
                    grouped_beside(counts[0])
                }
                _ => None,
            };
            let mark = match (&only, &row.cells[0]) {
                (Some(one), _) => SourceMark::Word(one),
                (None, Cell::Counts(counts)) => SourceMark::Counts(counts),
                (None, Cell::Text(mark)) => SourceMark::Word(mark),
                _ => SourceMark::Nothing,
            };
            push_beside_source(text, mark);
        })
    }

    /// Adds the lines of a source, each after numbers of a width.
    fn source_lines(
        &mut self,
        section: &Section,
        width: usize,
        push_numbers: impl Fn(&mut Text, &Row<'_>),
    ) -> io::Result<()> {
        let Some(source) = section.column("text") else {
            return Ok(());
        };
        let gutter = Gutter::of(section, &self.options);
        let escapes = self.options.escapes_controls;
        let inlined = section.column("inlined").zip(section.column("inlined_time"));
        let names = self.names;
        // The colour that git has for the line above some lines of a source.
        let [cyan, plain] = if self.options.has_color { ["\x1b[36m", PLAIN] } else { [""; 2] };
        let decimals = section.time_decimals();
        self.each_row(section, |text, row| {
            if row.kind == RowKind::Rest {
                let heading = row.cells[source].bytes(names.table).trim_ascii_end();
                return text.word([cyan.as_bytes(), heading, plain.as_bytes(), b"\n"].concat());
            }
            if let (RowKind::Inline, Some((name, time))) = (row.kind, inlined) {
                let time = (&row.cells[time], decimals);
                return push_inlined(text, width, &names, &row.cells[name], time);
            }
            push_numbers(text, row);
            gutter.push(text, row);
            push_line(text, &row.cells[source], escapes);
        })
    }

    /// The title of a source. On a terminal, file names are coloured, and lose their middle
    /// if too long.
    fn file_title(&mut self, section: &Section) {
        let (options, title) = (&self.options, section.title.as_bytes());
        let title = printable(title, options.escapes_controls);
        let title = match options.line_length() {
            Some(columns) => Cow::Owned(cut_middle(&title, columns)),
            None => title,
        };
        let has_magenta = options.screen.is_some() && options.has_color;
        self.text.word(if has_magenta { "\x1b[35m" } else { "" });
        self.text.word(self.bold());
        self.text.word(title);
        self.text.word(self.plain());
    }

    fn top_lines(&mut self, section: &Section) -> io::Result<()> {
        push_top_heads(&mut self.text, &section.title);
        let is_on_screen = self.options.screen.is_some();
        self.each_row(section, |text, row| match row.cells {
            [line, count] if is_on_screen => {
                text.word(format!(
                    "{:9} {:>10}\n",
                    line.as_count(),
                    grouped(count.as_count().into())
                ));
            }
            [line, count] => push_top_line(text, line.as_count(), count.as_count()),
            _ => {}
        })
    }

    fn source_summary(&mut self, section: &Section) -> io::Result<()> {
        self.text.word(format!("\n{}\n\n", section.title));
        let mut n_rows = 0;
        self.each_row(section, |text, row| {
            if let [value, Cell::Text(what)] = row.cells {
                push_summary_line(text, n_rows, value, what);
            }
            n_rows += 1;
        })
    }

    /// Number columns in automatic width, then the source.
    fn source_table(&mut self, section: &Section) -> io::Result<()> {
        self.file_title(section);
        self.text.word("\n\n");
        self.summary(section);
        let mut numbers = self.numbers_beside(section);
        let gutter = Gutter::of(section, &self.options).width();
        let has_heat = self.options.screen.is_some() && self.options.has_color;
        let share = section.shown_column(Role::Share).filter(|_| has_heat);
        let scale = HeatScale::new(section, share)?;
        let (plain, screen) = (self.plain(), self.options.screen);
        let (text, names) = (&mut self.text, self.names);
        // Visiting a long source takes time; with known widths, one visit is enough.
        if numbers.iter().any(|number| number.print.width == 0) {
            section.rows.for_each(&mut |row| {
                for number in &mut numbers {
                    let width = width_beside(&row.cells[number.place], number.print, &names);
                    number.width = width.max(number.width);
                }
                Ok(())
            })?;
        }
        if let Some(columns) = screen {
            make_room(&mut numbers, columns.saturating_sub(gutter), usize::MAX);
        }
        for line in 0..2 {
            for (index, number) in numbers.iter().enumerate() {
                text.blanks(if index > 0 { 2 } else { 0 });
                let head = &*number.head[line];
                let head = if screen.is_some() { head_on_screen(head) } else { head };
                text.right(head.as_bytes(), number.width, usize::MAX);
            }
            text.word("\n");
        }
        self.source_lines(section, room::width_of(&numbers), |text, row| {
            let color = scale.of_row(row).color();
            text.word(color);
            for number in &numbers {
                let start = text.len();
                push_beside(text, &row.cells[number.place], number.print, &names);
                text.align_right(start, number.width);
                text.blanks(2);
            }
            text.word(if color.is_empty() { "" } else { plain });
        })
    }
}

impl Page<'_> {
    /// The number columns, as wide as in files; on a screen, as their numbers.
    fn numbers_beside<'s>(&self, section: &'s Section) -> Vec<Number<'s>> {
        let columns = section.columns.iter().enumerate();
        let columns = columns.filter(|(_, column)| column.role != Role::Source);
        let number = |(place, column): (usize, &'s Column)| {
            let print = self.names.abbreviated(column.print?, column);
            let print = match self.options.screen {
                Some(_) => Print { width: 0, ..print },
                None => print,
            };
            let heads = column.head.iter().map(|head| head.len());
            let width = heads.fold(usize::from(print.width), usize::max);
            Some(Number { width, ..Number::new(place, column, print) })
        };
        columns.filter_map(number).collect()
    }
}

/// Functions inlined into the line above, with their time, which belongs to other lines.
fn push_inlined(
    text: &mut Text,
    margin: usize,
    names: &NameWriter<'_>,
    name: &Cell,
    (time, decimals): (&Cell, u8),
) {
    if let Cell::Real(time) = time {
        let time = format!("{} in    ", fixed(*time, decimals.into()));
        text.right(time.as_bytes(), margin, margin);
    }
    names.push(text, name);
    text.word(" (inlined)\n");
}

fn push_beside(text: &mut Text, cell: &Cell, print: Print, names: &NameWriter<'_>) {
    match cell {
        Cell::Counts(counts) => text.word(counts_text(counts)),
        cell => push_cell(text, cell, print, names),
    }
}

fn width_beside(cell: &Cell, print: Print, names: &NameWriter<'_>) -> usize {
    match cell {
        Cell::Counts(counts) => counts_text(counts).len(),
        cell => width_of(cell, print, names),
    }
}

/// A count with a comma after thousands, if that fits beside source. Commas also separate the
/// counts of several blocks, which have none of their own.
fn grouped_beside(count: u64) -> Option<Vec<u8>> {
    let text = grouped(count.into());
    (text.len() + " -> ".len() <= BESIDE_SOURCE).then(|| text.into())
}

/// As many counts as fit, at least one.
fn counts_text(counts: &[u64]) -> String {
    let words: Vec<_> = counts.iter().map(u64::to_string).collect();
    let whole = words.join(",");
    if whole.len() <= BESIDE_SOURCE {
        return whole;
    }
    let with_some = |n_shown: usize| format!("{},...", words[..n_shown].join(","));
    let fits = |n_shown: &usize| with_some(*n_shown).len() <= BESIDE_SOURCE;
    match (1..words.len()).take_while(fits).last() {
        Some(n_shown) => with_some(n_shown),
        None => words[0].clone(),
    }
}

fn push_line(text: &mut Text, cell: &Cell, escapes: bool) {
    if let Cell::Text(line) = cell {
        if escapes { text.word(escape_line(line)) } else { text.word(line) }
    }
}

/// Width of a line number, before a blank.
const GUTTER: usize = 5;

/// Separates numbers and source.
struct Gutter {
    line: Option<usize>,
    has_color: bool,
}

impl Gutter {
    fn of(section: &Section, options: &RenderOptions) -> Self {
        Self {
            line: section.column("line").filter(|_| options.screen.is_some()),
            has_color: options.has_color,
        }
    }

    fn width(&self) -> usize {
        self.line.map_or(0, |_| GUTTER + 1)
    }

    fn push(&self, text: &mut Text, row: &Row<'_>) {
        let Some(Cell::Integer(line)) = self.line.map(|line| &row.cells[line]) else {
            return;
        };
        let [green, plain] = if self.has_color { ["\x1b[32m", PLAIN] } else { [""; 2] };
        text.word(green);
        text.right(line.to_string().as_bytes(), GUTTER, usize::MAX);
        text.word(plain);
        text.blanks(1);
    }
}
