//! The call graph in gprof's layouts.

use std::io;

use super::Page;
use super::cells::{push_bound, push_signs};
use super::graph_columns::push_tail_call;
use super::names::NameWriter;
use crate::report::{Cell, LOWER_BOUND, Layout, Role, Row, RowKind, Section, TAIL_CALL, Text};

/// Separates entries.
pub(super) const RULE: &str = "-----------------------------------------------";

struct GraphColumnIndices {
    index: usize,
    percent: usize,
    self_value: usize,
    children: usize,
    calls: usize,
    self_calls: usize,
    of_calls: usize,
    name: usize,
    cycle: usize,
    unlisted: usize,
    /// Limits and marks, if requested.
    error: Option<[usize; 3]>,
    lower_bound: Option<usize>,
    tail_call: Option<usize>,
    children_width: usize,
    is_bsd: bool,
}

/// Two limits of eight columns and a mark, each after a blank.
const ERROR_WIDTH: usize = 20;

/// The columns of limits and marks.
fn error_places(section: &Section) -> Option<[usize; 3]> {
    let columns = section.columns.iter().enumerate();
    let mut limits = columns.filter(|(_, column)| column.role == Role::Limit);
    let mut limit = || limits.next().map(|(place, _)| place);
    Some([limit()?, limit()?, section.column("marks")?])
}

impl GraphColumnIndices {
    fn of(section: &Section, shows_error: bool) -> Option<Self> {
        let shown = |role: Role| {
            let mut columns = section.columns.iter();
            columns.position(|column| column.role == role && column.print.is_some())
        };
        let column = |id: &str| section.column(id);
        let children = shown(Role::Children)?;
        Some(Self {
            index: column("index")?,
            percent: column("percent")?,
            self_value: shown(Role::SelfValue)?,
            children,
            calls: column("calls")?,
            self_calls: column("self_calls")?,
            of_calls: column("of_calls")?,
            name: column("name")?,
            cycle: column("cycle")?,
            unlisted: column("unlisted")?,
            error: shows_error.then(|| error_places(section)).flatten(),
            lower_bound: column(LOWER_BOUND),
            tail_call: column(TAIL_CALL),
            children_width: usize::from(section.columns[children].print?.width),
            is_bsd: section.layout == Layout::Bsd,
        })
    }

    fn no_times(&self) -> usize {
        6 + 1 + 5 + 1 + 7 + 1 + self.children_width + self.error_width()
    }

    fn error_width(&self) -> usize {
        self.error.map_or(0, |_| ERROR_WIDTH)
    }
}

impl Page<'_> {
    pub(super) fn graph(&mut self, section: &Section) -> io::Result<()> {
        let Some(places) = GraphColumnIndices::of(section, self.options.shows_error) else {
            return Ok(());
        };
        self.graph_head(section, &places);
        let (bold, plain) = (self.bold(), self.plain());
        let names = &{ self.names };
        self.each_block(section, &|text, part| {
            let mut entry = EntryState::default();
            part.for_each(text, |text, row| {
                if entry.is_next(row.kind) {
                    end_entry(text, &places);
                }
                match row.kind {
                    RowKind::Entry | RowKind::Cycle => {
                        if row.kind == RowKind::Entry && !entry.has_callers {
                            text.blanks(places.no_times() + 16);
                            text.word("     <spontaneous>\n");
                        }
                        text.word(bold);
                        push_entry(text, &row, &places, names);
                        text.word(plain);
                    }
                    RowKind::Member => push_member(text, &row, &places, names),
                    RowKind::Rest => names.push_words(text, &row.cells[places.name]),
                    _ => push_arc(text, &row, &places, names),
                }
                text.word("\n");
                entry.see(row.kind);
            })?;
            if entry.is_open {
                end_entry(text, &places);
            }
            Ok(())
        })
    }

    fn graph_head(&mut self, section: &Section, places: &GraphColumnIndices) {
        if places.is_bsd {
            self.bsd_explanation(section);
        } else {
            if self.options.explains {
                let title = format!("{} (explanation follows)", section.title);
                self.title("\t\t     ", &title);
            } else {
                self.title("\t\t\t", &section.title)
            }
            self.text.word("\n\n");
        }
        self.text.word("\n");
        self.summary(section);
        self.text.word("\n");
        if places.is_bsd {
            push_bsd_column_heads(&mut self.text, places);
        } else {
            self.text.word("index % time    self  children");
            push_error_heads(&mut self.text, places);
            self.text.word("    called     name\n");
        }
    }
}

/// Progress within an entry.
#[derive(Default)]
pub(super) struct EntryState {
    /// The entry's own row was printed.
    pub(super) is_open: bool,
    pub(super) has_callers: bool,
}

impl EntryState {
    /// Returns whether a row of this kind starts another entry.
    pub(super) fn is_next(&mut self, kind: RowKind) -> bool {
        let starts =
            matches!(kind, RowKind::Caller | RowKind::Entry | RowKind::Cycle | RowKind::Rest);
        let is_next = self.is_open && starts;
        if is_next {
            *self = Self::default();
        }
        is_next
    }

    pub(super) fn see(&mut self, kind: RowKind) {
        match kind {
            RowKind::Caller => self.has_callers = true,
            RowKind::Entry | RowKind::Cycle => self.is_open = true,
            _ => {}
        }
    }
}

fn end_entry(text: &mut Text, places: &GraphColumnIndices) {
    if places.is_bsd {
        text.word("\n");
    }
    text.word(RULE);
    text.word(if places.is_bsd { "\n\n" } else { "\n" });
}

fn push_error_heads(text: &mut Text, places: &GraphColumnIndices) {
    if places.error.is_some() {
        text.word(format!(" {:>8} {:>8}  ", "at least", "at most"));
    }
}

fn push_bsd_column_heads(text: &mut Text, places: &GraphColumnIndices) {
    let width = 33 + places.error_width();
    let mut error = Text::default();
    push_error_heads(&mut error, places);
    let error = String::from_utf8_lossy(error.as_bytes());
    let callers = format!("{:width$}{:>7}/{:<7}     parents ", "", "called", "total");
    let entry = format!("{:<6} {:>5} {:>7} {:>11}", "index", "%time", "self", "descendants");
    let entry = format!("{entry}{error} {:>7}+{:<7} {:<8}\tindex", "called", "self", "name");
    let callees = format!("{:width$}{:>7}/{:<7}     children", "", "called", "total");
    text.word(format!("{callers}\n{entry}\n{callees}\n\n"));
}

fn count(cell: &Cell) -> u64 {
    match cell {
        Cell::Integer(number) => u64::try_from(*number).unwrap_or(0),
        _ => 0,
    }
}

fn real(cell: &Cell) -> f64 {
    match cell {
        Cell::Real(number) => *number,
        _ => 0.0,
    }
}

fn push_entry(text: &mut Text, row: &Row<'_>, places: &GraphColumnIndices, names: &NameWriter<'_>) {
    let cells = row.cells;
    // Cut to six columns: a number of five digits loses its closing bracket.
    let start = text.len();
    push_number(text, row, places);
    text.cut(start + 6);
    text.align_left(start, 6);
    text.blanks(1);
    text.fixed(real(&cells[places.percent]), 1, 5);
    push_times(text, row, places, names);
    let is_cycle = row.kind == RowKind::Cycle;
    match (count(&cells[places.calls]), count(&cells[places.self_calls])) {
        (0, 0) if !is_cycle => text.blanks(17),
        (calls, self_calls) => {
            text.blanks(1);
            text.count(calls, 7);
            push_self_calls(text, self_calls);
            text.blanks(1);
        }
    }
    push_reference(text, row, places, names);
}

fn push_member(
    text: &mut Text,
    row: &Row<'_>,
    places: &GraphColumnIndices,
    names: &NameWriter<'_>,
) {
    text.blanks(12);
    push_times(text, row, places, names);
    text.blanks(1);
    text.count(count(&row.cells[places.calls]), 7);
    push_self_calls(text, count(&row.cells[places.self_calls]));
    text.blanks(5);
    push_reference(text, row, places, names);
}

/// Direct recursion after a plus; blanks without recursion.
fn push_self_calls(text: &mut Text, self_calls: u64) {
    if self_calls == 0 {
        return text.blanks(8);
    }
    text.word("+");
    text.count_left(self_calls, 7);
}

fn push_arc(text: &mut Text, row: &Row<'_>, places: &GraphColumnIndices, names: &NameWriter<'_>) {
    let calls = count(&row.cells[places.calls]);
    match &row.cells[places.of_calls] {
        Cell::Absent => {
            text.blanks(places.no_times() + 1);
            text.count(calls, 7);
            text.blanks(8);
        }
        of_calls => {
            text.blanks(12);
            push_times(text, row, places, names);
            text.blanks(1);
            text.count(calls, 7);
            text.word("/");
            text.count_left(count(of_calls), 7);
        }
    }
    text.blanks(5);
    push_reference(text, row, places, names);
}

fn push_times(text: &mut Text, row: &Row<'_>, places: &GraphColumnIndices, names: &NameWriter<'_>) {
    text.blanks(1);
    text.fixed(real(&row.cells[places.self_value]), 2, 7);
    text.blanks(1);
    text.fixed(real(&row.cells[places.children]), 2, places.children_width);
    let Some([low, high, marks]) = places.error else {
        return;
    };
    for place in [low, high] {
        text.blanks(1);
        match &row.cells[place] {
            Cell::Real(limit) => text.fixed(*limit, 2, 8),
            _ => text.blanks(8),
        }
    }
    text.blanks(1);
    push_signs(text, &row.cells[marks], 1, names);
}

/// The index number of an entry: in brackets, or in parentheses if it is not shown.
fn push_number(text: &mut Text, row: &Row<'_>, places: &GraphColumnIndices) {
    let [open, close] = match row.cells[places.unlisted] {
        Cell::Absent => ["[", "]"],
        _ => ["(", ")"],
    };
    text.word(open);
    text.count(count(&row.cells[places.index]), 0);
    text.word(close);
}

/// Name, cycle and index number: `f <cycle 1> [12]`.
fn push_reference(
    text: &mut Text,
    row: &Row<'_>,
    places: &GraphColumnIndices,
    names: &NameWriter<'_>,
) {
    let name = &row.cells[places.name];
    if !names.need_room() {
        // Text after the name does not change how much of the name fits.
        if places.is_bsd {
            names.push_linkage_before(text, name, 0)
        } else {
            names.push_before(text, name, 0)
        }
        return push_behind_name(text, row, places);
    }
    let mut reference = Text::default();
    push_behind_name(&mut reference, row, places);
    if places.is_bsd {
        names.push_linkage_before(text, name, reference.len());
    } else {
        names.push_before(text, name, reference.len());
    }
    text.word(reference.as_bytes());
}

/// Cycle and index number.
fn push_behind_name(text: &mut Text, row: &Row<'_>, places: &GraphColumnIndices) {
    if row.cells[places.index].is_absent() {
        return;
    }
    push_bound(text, row, places.lower_bound);
    if row.kind != RowKind::Cycle && !row.cells[places.cycle].is_absent() {
        text.word(" <cycle ");
        text.count(count(&row.cells[places.cycle]), 0);
        text.word(">");
    }
    text.blanks(1);
    push_number(text, row, places);
    push_tail_call(text, row, places.tail_call);
}
