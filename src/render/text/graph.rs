//! The call graph in gprof's layouts.

use std::io;

use super::Page;
use super::cells::{push_bound, push_signs};
use super::graph_columns::push_tail_call;
use super::names::NameWriter;
use crate::report::gprof_layout::{
    AfterCalls, Flavor, GraphLayout, GraphNumbers, IndexNumber,
    push_reference as push_cycle_and_number,
};
use crate::report::{Cell, LOWER_BOUND, Layout, Role, Row, RowKind, Section, TAIL_CALL, Text};

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
    layout: GraphLayout,
    decimals: usize,
    is_bsd: bool,
}

/// Heads of two limits, as wide as [`push_error`] writes them, and of a mark.
fn error_heads(decimals: usize) -> String {
    let width = 7 + decimals;
    format!("{:>width$}{:>width$}  ", "at least", "at most")
}

/// The columns of limits and marks.
fn error_places(section: &Section) -> Option<[usize; 3]> {
    let columns = section.columns.iter().enumerate();
    let mut limits = columns.filter(|(_, column)| column.role == Role::Limit);
    let mut limit = || limits.next().map(|(place, _)| place);
    Some([limit()?, limit()?, section.column("marks")?])
}

impl GraphColumnIndices {
    fn of(section: &Section, shows_error: bool) -> Option<Self> {
        let column = |id: &str| section.column(id);
        let error = shows_error.then(|| error_places(section)).flatten();
        let is_bsd = section.layout == Layout::Bsd;
        let flavor = if is_bsd { Flavor::Bsd } else { Flavor::Gnu };
        let decimals = section.time_decimals().into();
        let heads = error.map(|_| error_heads(decimals)).unwrap_or_default();
        Some(Self {
            index: column("index")?,
            percent: column("percent")?,
            self_value: section.shown_column(Role::SelfValue)?,
            children: section.shown_column(Role::Children)?,
            calls: column("calls")?,
            self_calls: column("self_calls")?,
            of_calls: column("of_calls")?,
            name: column("name")?,
            cycle: column("cycle")?,
            unlisted: column("unlisted")?,
            error,
            lower_bound: column(LOWER_BOUND),
            tail_call: column(TAIL_CALL),
            layout: GraphLayout::new(flavor, heads).with_decimals(decimals),
            decimals,
            is_bsd,
        })
    }
}

impl GraphColumnIndices {
    /// The columns that a line shows.
    fn wanted(&self) -> Vec<usize> {
        let numbers = [self.index, self.percent, self.self_value, self.children, self.calls];
        let others = [self.self_calls, self.of_calls, self.name, self.cycle, self.unlisted];
        let marks = [self.lower_bound, self.tail_call].into_iter().flatten();
        let all = numbers.into_iter().chain(others).chain(self.error.into_iter().flatten());
        all.chain(marks).collect()
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
        let rows = GraphRows { places: &places, names };
        self.each_block(section, &places.wanted(), &|text, part| {
            let mut entry = EntryState::default();
            part.for_each(text, |text, row| {
                if entry.is_next(row.kind) {
                    places.layout.push_rule(text);
                }
                match row.kind {
                    RowKind::Entry | RowKind::Cycle => {
                        if row.kind == RowKind::Entry && !entry.has_callers {
                            places.layout.push_no_callers(text);
                        }
                        text.word(bold);
                        rows.push_entry(text, &row);
                        text.word(plain);
                    }
                    RowKind::Member => rows.push_member(text, &row),
                    RowKind::Rest => names.push_words(text, &row.cells[places.name]),
                    _ => rows.push_arc(text, &row),
                }
                text.word("\n");
                entry.see(row.kind);
            })?;
            if entry.is_open {
                places.layout.push_rule(text);
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
        places.layout.push_heads(&mut self.text);
    }
}

/// Adds rows in the columns of a call graph.
struct GraphRows<'a> {
    places: &'a GraphColumnIndices,
    names: &'a NameWriter<'a>,
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

fn real(cell: &Cell) -> f64 {
    match cell {
        Cell::Real(number) => *number,
        _ => 0.0,
    }
}

impl GraphRows<'_> {
    fn push_entry(&self, text: &mut Text, row: &Row<'_>) {
        let places = self.places;
        let count = |place: usize| row.cells[place].as_count();
        let calls = (count(places.calls), count(places.self_calls));
        let is_said = row.kind == RowKind::Cycle || calls != (0, 0);
        let numbers = GraphNumbers {
            percent: Some(real(&row.cells[places.percent])),
            calls: is_said.then_some((calls.0, AfterCalls::Itself(calls.1))),
            ..GraphNumbers::NONE
        };
        self.push_numbers(text, Some(self.number_of(row)), row, numbers);
    }

    fn push_member(&self, text: &mut Text, row: &Row<'_>) {
        let count = |place: usize| row.cells[place].as_count();
        let itself = AfterCalls::Itself(count(self.places.self_calls));
        let calls = Some((count(self.places.calls), itself));
        self.push_numbers(text, None, row, GraphNumbers { calls, ..GraphNumbers::NONE });
    }

    fn push_arc(&self, text: &mut Text, row: &Row<'_>) {
        let cell = |column: usize| Some(&row.cells[column]).filter(|cell| !cell.is_absent());
        let calls = cell(self.places.calls).map(Cell::as_count);
        let of_calls = cell(self.places.of_calls).map(Cell::as_count);
        // Calls within a cycle have no times.
        if of_calls.is_none() && cell(self.places.self_value).is_none() {
            self.places.layout.push_count(text, calls);
            return self.push_reference(text, row);
        }
        let calls = calls.zip(of_calls.map(AfterCalls::All));
        self.push_numbers(text, None, row, GraphNumbers { calls, ..GraphNumbers::NONE });
    }

    /// Adds a whole line: `numbers` with times and limits, and the name.
    fn push_numbers(
        &self,
        text: &mut Text,
        number: Option<IndexNumber>,
        row: &Row<'_>,
        numbers: GraphNumbers<'_>,
    ) {
        let mut further = Text::default();
        if let Some(error) = self.places.error {
            self.push_error(&mut further, row, error);
        }
        let numbers = GraphNumbers {
            self_time: real(&row.cells[self.places.self_value]),
            children: real(&row.cells[self.places.children]),
            further: further.as_bytes(),
            ..numbers
        };
        self.places.layout.push(text, number, &numbers);
        self.push_reference(text, row);
    }

    fn push_error(&self, text: &mut Text, row: &Row<'_>, [low, high, marks]: [usize; 3]) {
        let decimals = self.places.decimals;
        for place in [low, high] {
            text.blanks(1);
            match &row.cells[place] {
                Cell::Real(limit) => text.fixed(*limit, decimals, 6 + decimals),
                _ => text.blanks(6 + decimals),
            }
        }
        text.blanks(1);
        push_signs(text, &row.cells[marks], 1, self.names);
    }

    fn number_of(&self, row: &Row<'_>) -> IndexNumber {
        let is_shown = row.cells[self.places.unlisted].is_absent();
        IndexNumber { number: row.cells[self.places.index].as_count(), is_shown }
    }

    /// Name, cycle and index number: `f <cycle 1> [12]`.
    fn push_reference(&self, text: &mut Text, row: &Row<'_>) {
        if !self.names.need_room() {
            // Text after the name does not change how much of the name fits.
            self.push_name(text, row, 0);
            return self.push_behind_name(text, row);
        }
        let mut reference = Text::default();
        self.push_behind_name(&mut reference, row);
        self.push_name(text, row, reference.len());
        text.word(reference.as_bytes());
    }

    /// Adds the name, leaving `n_behind` columns.
    fn push_name(&self, text: &mut Text, row: &Row<'_>, n_behind: usize) {
        let name = &row.cells[self.places.name];
        if self.places.is_bsd {
            self.names.push_linkage_before(text, name, n_behind);
        } else {
            self.names.push_before(text, name, n_behind);
        }
    }

    /// Cycle and index number.
    fn push_behind_name(&self, text: &mut Text, row: &Row<'_>) {
        let places = self.places;
        if row.cells[places.index].is_absent() {
            return;
        }
        push_bound(text, row, places.lower_bound);
        let cycle = &row.cells[places.cycle];
        let is_member = row.kind != RowKind::Cycle && !cycle.is_absent();
        push_cycle_and_number(text, is_member.then(|| cycle.as_count()), self.number_of(row));
        push_tail_call(text, row, places.tail_call);
    }
}
