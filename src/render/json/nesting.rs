//! Nests rows in the object of the row that they belong to.
//!
//! Rows are written one by one, and an object stays open for rows that may follow. Callers
//! come before their callee; they wait in a buffer without their names, which may all be the
//! same long one.
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

use super::ObjectStyle;
use super::rows::{ColumnKey, RowKeys, separate, states_kind};
use crate::render::ordered::Write;
use crate::report::{Cell, NameTable, Row, RowKind, SectionId, Text};

pub(super) struct JsonNesting<'s> {
    keys: &'s RowKeys,
    names: &'s dyn NameTable,
    section: SectionId,
    style: ObjectStyle<'s>,
    /// Callers of the next entry: objects separated by commas, the last one open.
    callers: Vec<u8>,
    /// Names of these callers, in order.
    caller_names: Vec<HeldName<'s>>,
    /// Open groups of the last caller.
    open_caller: Vec<Open>,
    /// Open objects and groups, outermost first.
    open: Vec<Open>,
    /// Groups that the object has.
    groups: Vec<RowKind>,
}

/// A name that was not written yet.
struct HeldName<'s> {
    /// Offset among the callers.
    position: usize,
    column: &'s ColumnKey,
    cell: Cell,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A row that belongs to no other.
    Object(RowKind),
    /// A group of rows within it.
    Group(RowKind),
    /// A row within a group.
    Member,
    /// The inlined functions of a row.
    Inlines,
}

impl Open {
    fn end(self) -> u8 {
        match self {
            Self::Object(_) | Self::Member => b'}',
            Self::Group(_) | Self::Inlines => b']',
        }
    }
}

impl<'s> JsonNesting<'s> {
    pub(super) fn new(
        keys: &'s RowKeys,
        names: &'s dyn NameTable,
        section: SectionId,
        style: ObjectStyle<'s>,
    ) -> Self {
        Self {
            keys,
            names,
            section,
            style,
            callers: Vec::new(),
            caller_names: Vec::new(),
            open_caller: Vec::new(),
            open: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Adds a row; `flush` writes long texts.
    pub(super) fn push(
        &mut self,
        text: &mut Text,
        row: Row<'_>,
        flush: &mut Write<'_>,
    ) -> io::Result<()> {
        match row.kind {
            RowKind::Caller => self.push_caller(text.bytes_mut(), row),
            RowKind::Inline => return self.push_inline(text, row, flush),
            RowKind::Frame | RowKind::Member | RowKind::Callee => {
                return self.push_member(text, row, flush);
            }
            RowKind::Entry
            | RowKind::Cycle
            | RowKind::Rest
            | RowKind::Unattributed
            | RowKind::Total => return self.push_object(text, row, flush),
        }
        Ok(())
    }

    pub(super) fn finish(mut self, text: &mut Text) -> io::Result<()> {
        self.close_to(text.bytes_mut(), 0);
        self.push_stray_callers(text, &mut |_| Ok(()))
    }

    fn push_caller(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        self.close_to(text, 0);
        if !self.open_caller.is_empty() {
            self.close_caller();
            self.callers.push(b',');
        }
        self.push_open_caller(row);
        self.open_caller.push(Open::Member);
    }

    /// Adds a caller, or a function inlined into it, without names.
    fn push_open_caller(&mut self, row: Row<'_>) {
        let names = &mut self.caller_names;
        let callers = &mut self.callers;
        self.keys.push_open(callers, b"{", row, false, &mut |callers, column, cell| {
            names.push(HeldName { position: callers.len(), column, cell: cell.clone() });
        });
    }

    fn push_open(&self, text: &mut Vec<u8>, start: &[u8], row: Row<'_>, states_kind: bool) {
        let push_name = &mut |text: &mut Vec<u8>, column: &ColumnKey, cell: &Cell| {
            column.push_name(text, cell, self.names);
        };
        self.keys.push_open(text, start, row, states_kind, push_name);
    }

    fn push_inline(
        &mut self,
        text: &mut Text,
        row: Row<'_>,
        flush: &mut Write<'_>,
    ) -> io::Result<()> {
        let is_of_caller = !self.open_caller.is_empty();
        let (bytes, open) = match (is_of_caller, self.open.is_empty()) {
            (false, true) => return self.push_object(text, row, flush),
            (false, false) => (text.bytes_mut(), &mut self.open),
            (true, _) => (&mut self.callers, &mut self.open_caller),
        };
        if open.last() == Some(&Open::Inlines) {
            bytes.push(b',');
        } else {
            push_key(bytes, RowKind::Inline);
            open.push(Open::Inlines);
        }
        if is_of_caller {
            self.push_open_caller(row);
            self.callers.push(b'}');
        } else {
            self.push_open(text.bytes_mut(), b"{", row, false);
            text.word("}");
        }
        Ok(())
    }

    fn push_member(
        &mut self,
        text: &mut Text,
        row: Row<'_>,
        flush: &mut Write<'_>,
    ) -> io::Result<()> {
        let may_follow = match *self.open {
            [_, Open::Group(group), ..] => place(group) <= place(row.kind),
            [Open::Object(kind), ..] => !kind.belongs_to_another(),
            _ => false,
        };
        if !may_follow || !self.open_caller.is_empty() {
            return self.push_object(text, row, flush);
        }
        let text = text.bytes_mut();
        if self.open.get(1) == Some(&Open::Group(row.kind)) {
            self.close_to(text, 2);
            text.push(b',');
        } else {
            self.close_to(text, 1);
            push_key(text, row.kind);
            self.open.push(Open::Group(row.kind));
            self.groups.push(row.kind);
        }
        self.push_open(text, b"{", row, false);
        self.open.push(Open::Member);
        Ok(())
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
        if !self.open_caller.is_empty() {
            self.push_callers(text, flush)?;
            self.groups.push(RowKind::Caller);
        }
        Ok(())
    }

    /// Writes callers without an entry.
    fn push_stray_callers(&mut self, text: &mut Text, flush: &mut Write<'_>) -> io::Result<()> {
        if self.open_caller.is_empty() {
            return Ok(());
        }
        let bytes = text.bytes_mut();
        bytes.extend_from_slice(self.style.between);
        bytes.extend_from_slice(self.style.start);
        separate(bytes);
        bytes.extend_from_slice(b"\"kind\":\"caller\"");
        self.push_callers(text, flush)?;
        text.word("}");
        Ok(())
    }

    fn push_callers(&mut self, text: &mut Text, flush: &mut Write<'_>) -> io::Result<()> {
        self.close_caller();
        push_key(text.bytes_mut(), RowKind::Caller);
        let mut start = 0;
        for HeldName { position, column, cell } in self.caller_names.drain(..) {
            text.word(&self.callers[start..position]);
            start = position;
            column.push_name(text.bytes_mut(), &cell, self.names);
            flush(text)?;
        }
        text.word(&self.callers[start..]);
        text.word("]");
        self.callers.clear();
        Ok(())
    }

    fn close_caller(&mut self) {
        let ends = self.open_caller.drain(..).rev().map(Open::end);
        self.callers.extend(ends);
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
            text.push(open.end());
        }
    }

    /// Groups that are written even if empty, so that readers need not check for them.
    fn groups_always(&self, object: RowKind) -> &'static [RowKind] {
        match (self.section, object) {
            (SectionId::Graph, RowKind::Entry) => &[RowKind::Caller, RowKind::Callee],
            (SectionId::Graph, RowKind::Cycle) => &[RowKind::Caller, RowKind::Member],
            (SectionId::Leaks, RowKind::Entry) => &[RowKind::Frame],
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
