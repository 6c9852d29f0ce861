//! The layout of a table: number columns, and a name at the end of each row. Measures the rows,
//! fits the columns to the screen if there is one, and paints headings and rows.

use std::io;

use super::Page;
use super::cells::{
    DEEP_INDENT, InlinePlaces, depth_column, depth_of, head_on_screen, push_bound, push_cell,
    push_number, push_signs, width_of,
};
use super::color::{PLAIN, Tint};
use super::names::NameWriter;
use super::room::{Number, make_room};
use crate::render::ordered::greatest;
use crate::report::prose::push_words;
use crate::report::width::display_width;
use crate::report::{
    Cell, Column, LOWER_BOUND, Layout, Role, Row, RowKind, Section, SectionId, Text,
};

/// Maximum width of padded columns, so that a single long word does not lengthen all rows.
const WIDEST: usize = 1024;

/// Length of the longest bar in the last column, and after a percentage.
const LONG_BAR: usize = 20;
const BAR: usize = 10;

/// Sufficient length of bars without names.
const ENOUGH_OF_BAR: usize = 10;

impl Page<'_> {
    pub(super) fn table(&mut self, section: &Section) -> io::Result<()> {
        let Some(table) = TableLayout::of(section, self.names)? else {
            return Ok(());
        };
        self.shown = table.numbers.iter().map(|number| number.place).collect();
        self.shown.push(table.last.place);
        table.push_heads(&mut self.text);
        self.each_block(section, &[], &|text, part| {
            let mut line = Text::default();
            part.for_each(text, |text, row| table.push_row(text, &row, &mut line))
        })
    }
}

/// How wide columns are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// As their format says, wider for long numbers.
    Fixed,
    /// As their widest cell.
    Widest,
    /// The same on a screen of this width, without the least important columns if names need
    /// room.
    Screen(usize),
}

pub(super) struct TableLayout<'s> {
    section: &'s Section,
    names: NameWriter<'s>,
    fit: Fit,
    /// All but the last column.
    pub(super) numbers: Vec<Number<'s>>,
    /// A name of any length, a bar or words.
    pub(super) last: Number<'s>,
    /// The columns before the last one, with those that the screen has no room for.
    all_numbers: Vec<usize>,
    /// The column with the depth of the last one, if any.
    depth: Option<usize>,
    /// The column that marks lower bounds, if any.
    bound: Option<usize>,
    inlined: InlinePlaces,
    /// In BSD's layout, the columns of the number and cycle of an entry.
    bsd_reference: Option<[Option<usize>; 2]>,
    tint: Tint,
}

impl<'s> TableLayout<'s> {
    /// Measures all rows; `None` if there is nothing to show.
    pub(super) fn of(section: &'s Section, names: NameWriter<'s>) -> io::Result<Option<Self>> {
        let is_flat = section.id == SectionId::Flat;
        let is_bsd = section.layout == Layout::Bsd;
        let fit = match names.options.screen {
            Some(columns) if !is_bsd => Fit::Screen(columns),
            _ if is_flat && section.layout != Layout::Table => Fit::Fixed,
            _ => Fit::Widest,
        };
        let shown = |(place, column): (usize, &'s Column)| {
            let number = Number::new(place, column, names.print_of(section, place)?);
            Some(Number { role: role_of(column, section), ..number })
        };
        let columns = section.columns.iter().enumerate();
        let mut numbers: Vec<_> = columns.filter_map(shown).collect();
        let Some(last) = numbers.pop() else {
            return Ok(None);
        };
        for place in 1..numbers.len() {
            if section.columns[numbers[place].place].is_guess() {
                (numbers[place - 1].gap, numbers[place].gap) = (1, 1);
            }
        }
        let mut table = Self {
            section,
            names,
            fit,
            all_numbers: numbers.iter().map(|number| number.place).collect(),
            numbers,
            last,
            depth: depth_column(section),
            bound: section.column(LOWER_BOUND),
            inlined: InlinePlaces::of(section),
            bsd_reference: is_bsd.then(|| ["index", "cycle"].map(|id| section.column(id))),
            tint: if names.options.has_color { Tint::of(section)? } else { Tint::None },
        };
        let is_shown = fit == Fit::Fixed || table.measure()?;
        Ok(is_shown.then_some(table))
    }

    /// Makes columns as wide as their widest cell or heading. Returns whether there are rows to
    /// show.
    fn measure(&mut self) -> io::Result<bool> {
        let is_on_screen = matches!(self.fit, Fit::Screen(_));
        // Whether there are rows, the longest name, and the widths of cells, from 1.
        let measure = |row: &Row<'_>, greatest: &mut [usize]| {
            let [has_rows, longest_name, widths @ ..] = greatest else { return };
            if self.sentence(row).is_some() {
                return;
            }
            *has_rows = 1;
            for (width, number) in widths.iter_mut().zip(&self.numbers) {
                let cell = &row.cells[number.place];
                if !cell.is_absent() {
                    *width = (1 + width_of(cell, number.print, &self.names)).max(*width);
                }
            }
            if is_on_screen {
                let mut name = Text::default();
                match row.kind {
                    RowKind::Inline => self.inlined.push(&mut name, row, &self.names),
                    _ => self.push_name(&mut name, row),
                }
                *longest_name = display_width(name.as_bytes()).max(*longest_name);
            }
        };
        let widths = greatest(&*self.section.rows, 2 + self.numbers.len(), &measure)?;
        for (number, &width) in self.numbers.iter_mut().zip(&widths[2..]) {
            let heads = number.head.iter().map(|line| self.fit.head(line).len());
            number.width = heads.fold(width.saturating_sub(1).min(WIDEST), usize::max);
            if is_on_screen && number.role == Role::Bar {
                number.width = BAR;
            }
        }
        if let Fit::Screen(columns) = self.fit {
            let mut found = widths[2..].iter();
            self.numbers.retain(|_| found.next() != Some(&0));
            let heads = self.last.head.iter().map(|head| head.len());
            let longest_name = heads.fold(widths[1], usize::max);
            let is_bar = self.last.role == Role::Bar;
            let longest_name = if is_bar { longest_name.min(ENOUGH_OF_BAR) } else { longest_name };
            if !self.names.options.keeps_columns {
                make_room(&mut self.numbers, columns, longest_name);
            }
        }
        // A sentence says that nothing differs.
        let needs_rows = is_on_screen || self.section.id == SectionId::Difference;
        Ok(widths[0] > 0 || !needs_rows)
    }

    pub(super) fn push_heads(&self, text: &mut Text) {
        let mut line = Text::default();
        for (head, last) in self.last.head.iter().enumerate() {
            let heads = self.numbers.iter().map(|number| self.fit.head(&number.head[head]));
            if self.fit == Fit::Fixed {
                for (place, (head, number)) in heads.zip(&self.numbers).enumerate() {
                    // The first word of the widest heading may touch the column before it.
                    let width = number.width + usize::from(place > 0);
                    text.right(head.as_bytes(), width, width);
                }
                text.blanks(2);
                text.left(last.as_bytes(), 8, 8);
                text.word("\n");
                continue;
            }
            if last.is_empty() && heads.clone().all(str::is_empty) {
                continue;
            }
            for (head, number) in heads.zip(&self.numbers) {
                let start = line.len();
                line.word(head);
                number.align(&mut line, start);
                line.blanks(number.gap);
            }
            line.word(last.as_bytes());
            text.word(line.as_bytes().trim_ascii_end());
            text.word("\n");
            line.clear();
        }
    }

    /// Adds a row with its line ends: one line, unless it is a sentence on a screen. `line` is
    /// empty before and after.
    pub(super) fn push_row(&self, text: &mut Text, row: &Row<'_>, line: &mut Text) {
        let Fit::Screen(columns) = self.fit else {
            return self.push_listed(text, row, line);
        };
        let color = self.tint.color(row);
        if let Some(words) = self.sentence(row) {
            let (dots, words) = words.split_at(words.len().min(4));
            // The rest of the line continues below the words.
            line.word(dots);
            push_words(line, &self.names.printable(words), columns);
        } else {
            self.push_numbers(line, row);
            self.push_last(line, row, columns);
        }
        let plain = if color.is_empty() { "" } else { PLAIN };
        for line in line.as_bytes().split(|&byte| byte == b'\n') {
            text.word(color);
            text.word(line.trim_ascii_end());
            text.word(plain);
            text.word("\n");
        }
        line.clear();
    }

    /// Adds a row of text that nobody fits to a screen.
    fn push_listed(&self, text: &mut Text, row: &Row<'_>, line: &mut Text) {
        if self.fit == Fit::Fixed {
            for (place, number) in self.numbers.iter().enumerate() {
                text.blanks(usize::from(place > 0));
                match &row.cells[number.place] {
                    signs @ Cell::Text(_) => {
                        push_signs(text, signs, number.print.width, &self.names)
                    }
                    cell => push_number(text, cell, number.print),
                }
            }
            text.blanks(2);
            self.push_fixed_name(text, row);
            push_bound(text, row, self.bound);
            return text.word("\n");
        }
        for number in &self.numbers {
            let start = line.len();
            push_cell(line, &row.cells[number.place], number.print, &self.names);
            number.align(line, start);
            line.blanks(number.gap);
        }
        self.push_name(line, row);
        text.word(line.as_bytes().trim_ascii_end());
        text.word("\n");
        line.clear();
    }

    /// Adds a name; in BSD's layout the mangled one, with the number of the entry.
    fn push_fixed_name(&self, text: &mut Text, row: &Row<'_>) {
        let name = &row.cells[self.last.place];
        let Some(places) = self.bsd_reference else {
            return match row.kind {
                RowKind::Inline => self.inlined.push(text, row, &self.names),
                _ => self.names.push(text, name),
            };
        };
        let [index, cycle] = places.map(|place| row.cells[place?].as_integer());
        let cycle = cycle.map_or(String::new(), |cycle| format!(" <cycle {cycle}>"));
        let reference = index.map_or(String::new(), |index| format!("{cycle} [{index}]"));
        self.names.push_linkage_before(text, name, reference.len());
        text.word(reference);
    }

    fn push_numbers(&self, line: &mut Text, row: &Row<'_>) {
        for number in &self.numbers {
            let (start, from) = (line.column(), line.len());
            match (&row.cells[number.place], number.role) {
                (Cell::Real(share), Role::Bar) => {
                    line.word("#".repeat(length_of_rounded_bar(*share, number.width)));
                    line.align_left(from, number.width);
                }
                (cell, _) => {
                    push_cell(line, cell, number.print, &self.names);
                    number.align(line, from);
                }
            }
            let width = line.column() - start;
            line.blanks((number.width + number.gap).saturating_sub(width));
        }
    }

    /// The last column on a screen: a name, a bar, or a sentence, possibly on several lines.
    fn push_last(&self, line: &mut Text, row: &Row<'_>, columns: usize) {
        match (&row.cells[self.last.place], self.last.role) {
            _ if row.kind == RowKind::Inline => self.inlined.push(line, row, &self.names),
            (Cell::Real(share), Role::Bar) => {
                let room = columns.saturating_sub(line.column());
                line.word("#".repeat(length_of_bar(*share, LONG_BAR.min(room))));
            }
            (sentence @ Cell::Text(_), Role::Other) => self.names.push_words(line, sentence),
            (rest, _) if row.kind == RowKind::Rest => self.names.push_words(line, rest),
            _ => self.push_name(line, row),
        }
    }

    fn push_name(&self, line: &mut Text, row: &Row<'_>) {
        if let Some(depth) = depth_of(row, self.depth) {
            line.blanks(2 * depth.min(DEEP_INDENT));
            if depth > DEEP_INDENT {
                line.word(format!("({depth}) "));
            }
        }
        match (&row.cells[self.last.place], self.last.role) {
            (Cell::Real(share), Role::Bar) => {
                line.word("#".repeat(length_of_bar(*share, LONG_BAR)));
            }
            (cell, Role::Source) => self.names.push_source(line, cell),
            (cell, _) => {
                match row.kind {
                    RowKind::Frame => line.word("  by "),
                    RowKind::Caller | RowKind::Callee | RowKind::Member => line.blanks(4),
                    _ => {}
                }
                self.names.push(line, cell);
            }
        }
        push_bound(line, row, self.bound);
    }

    /// The sentence of a row that consists of one, which starts at the left of a screen.
    fn sentence<'r>(&self, row: &Row<'r>) -> Option<&'r [u8]> {
        let is_on_screen = matches!(self.fit, Fit::Screen(_));
        match &row.cells[self.last.place] {
            Cell::Text(words) if row.kind == RowKind::Rest && is_on_screen => {
                let mut numbers = self.all_numbers.iter();
                numbers.all(|&place| row.cells[place].is_absent()).then_some(words)
            }
            _ => None,
        }
    }
}

impl Fit {
    fn head(self, line: &str) -> &str {
        if matches!(self, Self::Screen(_)) { head_on_screen(line.trim()) } else { line }
    }
}

impl Number<'_> {
    /// Aligns the text from `start` within the column: words follow their heading.
    fn align(&self, text: &mut Text, start: usize) {
        if matches!(self.role, Role::Verdict | Role::Failure | Role::Name) {
            text.align_left(start, self.width);
        } else {
            text.align_right(start, self.width);
        }
    }
}

/// The role of a column for its priority: in a comparison, calls of either side count as
/// calls.
fn role_of(column: &Column, section: &Section) -> Role {
    let is_of_calls = |column: &Column| column.id.starts_with("calls_");
    let is_change = |column: &&Column| column.role == Role::Change && column.print.is_some();
    let mut changes = section.columns.iter().filter(is_change);
    match column.role {
        Role::Old | Role::New | Role::Change
            if is_of_calls(column) && !changes.all(is_of_calls) =>
        {
            Role::Calls
        }
        role => role,
    }
}

/// A bar for a share of the longest; at least one unit for any positive share.
fn length_of_bar(share: f64, longest: usize) -> usize {
    whole((share.clamp(0.0, 1.0) * longest as f64).ceil())
}

/// A bar of rounded length, next to its number; empty for small shares.
fn length_of_rounded_bar(share: f64, longest: usize) -> usize {
    whole((share.clamp(0.0, 1.0) * longest as f64).round())
}

#[expect(clippy::cast_possible_truncation, reason = "bars are short")]
#[expect(clippy::cast_sign_loss, reason = "nothing is less than never")]
fn whole(length: f64) -> usize {
    length as usize
}
