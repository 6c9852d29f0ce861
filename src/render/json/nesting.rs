//! Nests rows in the object of the row that they belong to, and takes them out again.
//!
//! Rows are written one by one, and an object stays open for rows that may follow. Callers
//! come before their callee, and wait for it.
//!
//! ```text
//! caller, caller, entry, callee, inline   =>   {entry, callers: [{}, {}],
//!                                               callees: [{inlines: [{}]}]}
//! ```
//!
//! Within an object, groups have a fixed order: callers, inlines, frames, members, callees. A
//! row in another order, or without a row that it belongs to, is a separate object with its
//! kind; callers without an entry are in one of kind `caller`. So the order of rows can be
//! restored.

use std::io;
use std::mem::take;

use super::ObjectStyle;
use super::rows::{RowKeys, separate, states_kind};
use crate::report::in_blocks::Write;
use crate::report::{Cell, NameTable, Row, RowKind, RowTable, SectionId, Text};

pub(super) struct JsonNesting<'s> {
    keys: &'s RowKeys,
    names: &'s dyn NameTable,
    section: SectionId,
    style: ObjectStyle<'s>,
    /// Callers of the next entry, with the functions inlined into them, and the cells of all.
    callers: Vec<RowKind>,
    cells: Vec<Cell>,
    /// Open objects and groups, outermost first.
    open: Vec<Open>,
    /// Groups that the object has.
    groups: Vec<RowKind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A row that belongs to no other.
    Object(RowKind),
    /// A group of rows within it.
    Group(RowKind),
    /// A row within a group.
    Member,
}

impl<'s> JsonNesting<'s> {
    pub(super) fn new(
        keys: &'s RowKeys,
        names: &'s dyn NameTable,
        section: SectionId,
        style: ObjectStyle<'s>,
    ) -> Self {
        let (callers, cells) = (Vec::new(), Vec::new());
        Self { keys, names, section, style, callers, cells, open: Vec::new(), groups: Vec::new() }
    }

    /// Adds a row; `flush` writes long texts.
    pub(super) fn push(
        &mut self,
        text: &mut Text,
        row: Row<'_>,
        flush: &mut Write<'_>,
    ) -> io::Result<()> {
        let is_inline = row.kind == RowKind::Inline;
        if row.kind == RowKind::Caller || is_inline && !self.callers.is_empty() {
            self.close_to(text.bytes_mut(), 0);
            self.callers.push(row.kind);
            self.cells.extend_from_slice(row.cells);
            return Ok(());
        }
        let may_follow = match *self.open {
            [] => false,
            [Open::Object(kind), ..] if kind.belongs_to_another() => is_inline,
            [_, Open::Group(group), ..] => is_inline || place(group) <= place(row.kind),
            _ => true,
        };
        if may_follow && place(row.kind).is_some() {
            self.push_member(text.bytes_mut(), row, 1);
            return Ok(());
        }
        self.push_object(text, row, flush)
    }

    pub(super) fn finish(mut self, text: &mut Text) -> io::Result<()> {
        self.close_to(text.bytes_mut(), 0);
        self.push_stray_callers(text, &mut |_| Ok(()))
    }

    fn push_open(&self, text: &mut Vec<u8>, start: &[u8], row: Row<'_>, states_kind: bool) {
        self.keys.push_open(text, start, row, states_kind, self.names);
    }

    /// Adds a row to its group within the object, the innermost of `n_open`. An inlined function
    /// is in a group of the last row.
    fn push_member(&mut self, text: &mut Vec<u8>, row: Row<'_>, n_open: usize) {
        let n_open = match self.open.get(n_open) {
            Some(Open::Group(of)) if row.kind == RowKind::Inline && *of != row.kind => n_open + 2,
            _ => n_open,
        };
        if self.open.get(n_open) == Some(&Open::Group(row.kind)) {
            self.close_to(text, n_open + 1);
            text.push(b',');
        } else {
            self.close_to(text, n_open);
            push_key(text, row.kind);
            self.open.push(Open::Group(row.kind));
            self.groups.push(row.kind);
        }
        self.push_open(text, b"{", row, false);
        self.open.push(Open::Member);
    }

    fn push_object(
        &mut self,
        text: &mut Text,
        row: Row<'_>,
        flush: &mut Write<'_>,
    ) -> io::Result<()> {
        self.close_to(text.bytes_mut(), 0);
        if row.kind.belongs_to_another() {
            self.push_stray_callers(text, flush)?;
        }
        let bytes = text.bytes_mut();
        bytes.extend_from_slice(self.style.between);
        self.push_open(bytes, self.style.start, row, states_kind(row.kind));
        self.open.push(Open::Object(row.kind));
        self.push_callers(text, flush)
    }

    /// Writes callers without an entry.
    fn push_stray_callers(&mut self, text: &mut Text, flush: &mut Write<'_>) -> io::Result<()> {
        if self.callers.is_empty() {
            return Ok(());
        }
        let bytes = text.bytes_mut();
        bytes.extend_from_slice(self.style.between);
        bytes.extend_from_slice(self.style.start);
        separate(bytes);
        bytes.extend_from_slice(b"\"kind\":\"caller\"");
        self.push_callers(text, flush)?;
        self.groups.clear();
        text.word("}");
        Ok(())
    }

    fn push_callers(&mut self, text: &mut Text, flush: &mut Write<'_>) -> io::Result<()> {
        let n_open = self.open.len();
        let (mut callers, mut cells) = (take(&mut self.callers), take(&mut self.cells));
        let n_cells = cells.len().checked_div(callers.len()).unwrap_or(0);
        for (row, &kind) in callers.iter().enumerate() {
            let cells = &cells[row * n_cells..(row + 1) * n_cells];
            self.push_member(text.bytes_mut(), Row { kind, cells }, n_open);
            flush(text)?;
        }
        self.close_to(text.bytes_mut(), n_open);
        callers.clear();
        cells.clear();
        (self.callers, self.cells) = (callers, cells);
        Ok(())
    }

    /// Closes all but `n_open` objects and groups.
    fn close_to(&mut self, text: &mut Vec<u8>, n_open: usize) {
        while self.open.len() > n_open
            && let Some(open) = self.open.pop()
        {
            if let Open::Object(kind) = open {
                for &group in self.groups_always(kind) {
                    if !self.groups.contains(&group) {
                        push_key(text, group);
                        text.push(b']');
                    }
                }
                self.groups.clear();
            }
            text.push(if matches!(open, Open::Group(_)) { b']' } else { b'}' });
        }
    }

    /// Groups that are written even if empty, so that readers need not check for them.
    fn groups_always(&self, object: RowKind) -> &'static [RowKind] {
        match (self.section, object) {
            (SectionId::Graph, RowKind::Entry) => &[RowKind::Caller, RowKind::Callee],
            (SectionId::Graph, RowKind::Cycle) => &[RowKind::Caller, RowKind::Member],
            (SectionId::Leaks | SectionId::HeapPeak, RowKind::Entry) => &[RowKind::Frame],
            _ => &[],
        }
    }
}

/// Groups of rows within an object, in order.
pub(super) const GROUPS: [(RowKind, &str); 5] = [
    (RowKind::Caller, "callers"),
    (RowKind::Inline, "inlines"),
    (RowKind::Frame, "frames"),
    (RowKind::Member, "members"),
    (RowKind::Callee, "callees"),
];

/// A row with the rows that belong to it, as they are read.
pub(super) struct NestedRow {
    pub(super) kind: RowKind,
    pub(super) cells: Vec<(u32, Cell)>,
    pub(super) groups: [Vec<Self>; GROUPS.len()],
}

impl NestedRow {
    /// Adds the rows in their original order.
    pub(super) fn push_to(self, rows: &mut RowTable) {
        let [callers, after @ ..] = self.groups;
        // Callers without an entry are in an object that is not a row itself.
        let is_row = self.kind != RowKind::Caller || callers.is_empty();
        callers.into_iter().for_each(|caller| caller.push_to(rows));
        if is_row {
            rows.push_cells(self.kind, self.cells);
        }
        after.into_iter().flatten().for_each(|row| row.push_to(rows));
    }
}

fn place(kind: RowKind) -> Option<usize> {
    GROUPS.iter().position(|(group, _)| *group == kind)
}

/// Adds the key of a group and its opening bracket.
fn push_key(text: &mut Vec<u8>, group: RowKind) {
    let place = place(group).expect("it is the kind of a group");
    separate(text);
    text.push(b'"');
    text.extend_from_slice(GROUPS[place].1.as_bytes());
    text.extend_from_slice(b"\":[");
}
