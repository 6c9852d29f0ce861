//! Rows that belong to another one, within its object.
//!
//! Rows come one by one, and each is written when it comes, its object open for what
//! may follow. Callers come before what they call; they wait in a buffer.
//!
//! ```text
//! caller, caller, entry, callee, inline   =>   {entry, callers: [{}, {}],
//!                                               callees: [{inlines: [{}]}]}
//! ```
//!
//! Within an object the groups have one order: callers, inlines, frames, members,
//! callees. A row that comes in another order, or belongs to no row, is an object of
//! its own with its kind, and callers of nothing are in one whose kind is `caller`; so
//! the rows can always be told in their order again.

use super::Style;
use super::rows::{RowKeys, separate, states_kind};
use crate::report::{NameTable, Row, RowKind, SectionId};

pub(super) struct Nesting<'s> {
    keys: &'s RowKeys,
    names: &'s dyn NameTable,
    section: SectionId,
    style: Style<'s>,
    /// Callers of what comes next: objects with commas between them, the last one open.
    callers: Vec<u8>,
    /// What is open of the last of them.
    open_caller: Vec<Open>,
    /// What is open, the outermost first.
    open: Vec<Open>,
    /// All groups that the object has.
    groups: Vec<RowKind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// The object of a row that belongs to no other.
    Object(RowKind),
    /// A group of rows within it.
    Group(RowKind),
    /// The object of a row within a group.
    Member,
    /// The group of inlined functions of a row.
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

impl<'s> Nesting<'s> {
    pub(super) fn new(
        keys: &'s RowKeys,
        names: &'s dyn NameTable,
        section: SectionId,
        style: Style<'s>,
    ) -> Self {
        Self {
            keys,
            names,
            section,
            style,
            callers: Vec::new(),
            open_caller: Vec::new(),
            open: Vec::new(),
            groups: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        match row.kind {
            RowKind::Caller => self.push_caller(text, row),
            RowKind::Inline => self.push_inline(text, row),
            RowKind::Frame | RowKind::Member | RowKind::Callee => self.push_member(text, row),
            RowKind::Entry
            | RowKind::Cycle
            | RowKind::Rest
            | RowKind::Unattributed
            | RowKind::Total => self.push_object(text, row),
        }
    }

    pub(super) fn finish(mut self, text: &mut Vec<u8>) {
        self.close_to(text, 0);
        self.push_stray_callers(text);
    }

    fn push_caller(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        self.close_to(text, 0);
        if !self.open_caller.is_empty() {
            self.close_caller();
            self.callers.push(b',');
        }
        let callers = &mut self.callers;
        self.keys.push_open(callers, b"{", row, self.names, false);
        self.open_caller.push(Open::Member);
    }

    fn push_inline(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        let (text, open) = match (&*self.open_caller, &*self.open) {
            ([], []) => return self.push_object(text, row),
            ([], _) => (text, &mut self.open),
            _ => (&mut self.callers, &mut self.open_caller),
        };
        if open.last() == Some(&Open::Inlines) {
            text.push(b',');
        } else {
            push_key(text, RowKind::Inline);
            open.push(Open::Inlines);
        }
        self.keys.push_open(text, b"{", row, self.names, false);
        text.push(b'}');
    }

    fn push_member(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        let may_follow = match *self.open {
            [_, Open::Group(group), ..] => place(group) <= place(row.kind),
            [Open::Object(kind), ..] => !kind.belongs_to_another(),
            _ => false,
        };
        if !may_follow || !self.open_caller.is_empty() {
            return self.push_object(text, row);
        }
        if self.open.get(1) == Some(&Open::Group(row.kind)) {
            self.close_to(text, 2);
            text.push(b',');
        } else {
            self.close_to(text, 1);
            push_key(text, row.kind);
            self.open.push(Open::Group(row.kind));
            self.groups.push(row.kind);
        }
        self.keys.push_open(text, b"{", row, self.names, false);
        self.open.push(Open::Member);
    }

    fn push_object(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        self.close_to(text, 0);
        if row.kind.belongs_to_another() {
            self.push_stray_callers(text);
        }
        text.extend_from_slice(self.style.between);
        let start = self.style.start;
        self.keys
            .push_open(text, start, row, self.names, states_kind(row.kind));
        self.open.push(Open::Object(row.kind));
        if !self.open_caller.is_empty() {
            self.push_callers(text);
            self.groups.push(RowKind::Caller);
        }
    }

    /// Writes callers that nothing followed.
    fn push_stray_callers(&mut self, text: &mut Vec<u8>) {
        if self.open_caller.is_empty() {
            return;
        }
        text.extend_from_slice(self.style.between);
        text.extend_from_slice(self.style.start);
        separate(text);
        text.extend_from_slice(b"\"kind\":\"caller\"");
        self.push_callers(text);
        text.push(b'}');
    }

    fn push_callers(&mut self, text: &mut Vec<u8>) {
        self.close_caller();
        push_key(text, RowKind::Caller);
        text.append(&mut self.callers);
        text.push(b']');
    }

    fn close_caller(&mut self) {
        let ends = self.open_caller.drain(..).rev().map(Open::end);
        self.callers.extend(ends);
    }

    /// Closes all that is open but for so much.
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

    /// The groups that the object has even if they are empty, so that they need not be
    /// looked for first.
    fn groups_always(&self, object: RowKind) -> &'static [RowKind] {
        match (self.section, object) {
            (SectionId::Graph, RowKind::Entry) => &[RowKind::Caller, RowKind::Callee],
            (SectionId::Graph, RowKind::Cycle) => &[RowKind::Caller, RowKind::Member],
            (SectionId::Leaks, RowKind::Entry) => &[RowKind::Frame],
            _ => &[],
        }
    }
}

/// Groups of rows within an object, in their order.
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

/// Adds the key of a group and the start of its rows.
fn push_key(text: &mut Vec<u8>, group: RowKind) {
    let place = place(group).expect("it is the kind of a group");
    separate(text);
    text.push(b'"');
    text.extend_from_slice(GROUPS[place].1.as_bytes());
    text.extend_from_slice(b"\":[");
}
