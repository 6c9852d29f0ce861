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

/// Objects in the making.
pub(super) struct Nesting<'s> {
    keys: &'s RowKeys,
    names: &'s dyn NameTable,
    section: SectionId,
    style: Style<'s>,
    /// Callers of what comes next: objects with commas between them.
    callers: Vec<u8>,
    /// What is open of the last of them.
    caller: Option<OpenRow>,
    /// The object that is open, what it is, and its last group.
    object: Option<RowKind>,
    row: OpenRow,
    group: Option<RowKind>,
    /// All groups that it has.
    groups: Vec<RowKind>,
    /// What is open of the last row of that group.
    member: OpenRow,
}

/// A row whose object has no end yet.
#[derive(Clone, Copy, Default)]
struct OpenRow {
    has_inlines: bool,
}

impl OpenRow {
    fn push_inline(&mut self, text: &mut Vec<u8>) {
        separate(text);
        if !self.has_inlines {
            text.extend_from_slice(b"\"inlines\":[");
        }
        self.has_inlines = true;
    }

    fn close_inlines(&mut self, text: &mut Vec<u8>) {
        if std::mem::take(&mut self.has_inlines) {
            text.push(b']');
        }
    }

    fn close(&mut self, text: &mut Vec<u8>) {
        self.close_inlines(text);
        text.push(b'}');
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
            caller: None,
            object: None,
            row: OpenRow::default(),
            group: None,
            groups: Vec::new(),
            member: OpenRow::default(),
        }
    }

    /// Adds a row.
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

    /// Closes what is open.
    pub(super) fn finish(mut self, text: &mut Vec<u8>) {
        self.close(text);
        self.push_stray_callers(text);
    }

    fn push_caller(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        self.close(text);
        if let Some(mut before) = self.caller.take() {
            before.close(&mut self.callers);
            self.callers.push(b',');
        }
        let callers = &mut self.callers;
        self.keys.push_open(callers, b"{", row, self.names, false);
        self.caller = Some(OpenRow::default());
    }

    fn push_inline(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        let (text, open) = match (&mut self.caller, self.object, self.group) {
            (Some(caller), ..) => (&mut self.callers, caller),
            (None, Some(_), Some(_)) => (text, &mut self.member),
            (None, Some(_), None) => (text, &mut self.row),
            (None, None, _) => return self.push_object(text, row),
        };
        open.push_inline(text);
        self.keys.push_open(text, b"{", row, self.names, false);
        text.push(b'}');
    }

    fn push_member(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        let may_follow = match self.group {
            None => self.object.is_some_and(is_head),
            Some(group) => place(group) <= place(row.kind),
        };
        if !may_follow || self.caller.is_some() {
            return self.push_object(text, row);
        }
        if self.group == Some(row.kind) {
            self.member.close(text);
            text.push(b',');
        } else {
            self.close_group(text);
            self.row.close_inlines(text);
            self.open_group(text, row.kind);
        }
        self.keys.push_open(text, b"{", row, self.names, false);
        self.member = OpenRow::default();
    }

    fn push_object(&mut self, text: &mut Vec<u8>, row: Row<'_>) {
        self.close(text);
        if !is_head(row.kind) {
            self.push_stray_callers(text);
        }
        self.start_object(text);
        let start = self.style.start;
        self.keys
            .push_open(text, start, row, self.names, states_kind(row.kind));
        self.object = Some(row.kind);
        if let Some(mut caller) = self.caller.take() {
            caller.close(&mut self.callers);
            push_key(text, RowKind::Caller);
            text.append(&mut self.callers);
            text.push(b']');
            self.groups.push(RowKind::Caller);
        }
    }

    fn start_object(&mut self, text: &mut Vec<u8>) {
        text.extend_from_slice(self.style.between);
    }

    /// Writes callers that nothing followed.
    fn push_stray_callers(&mut self, text: &mut Vec<u8>) {
        let Some(mut caller) = self.caller.take() else {
            return;
        };
        caller.close(&mut self.callers);
        self.start_object(text);
        text.extend_from_slice(self.style.start);
        if text.last() != Some(&b'{') {
            text.push(b',');
        }
        text.extend_from_slice(b"\"kind\":\"caller\"");
        push_key(text, RowKind::Caller);
        text.append(&mut self.callers);
        text.extend_from_slice(b"]}");
    }

    fn close(&mut self, text: &mut Vec<u8>) {
        if self.object.is_none() {
            return;
        }
        self.close_group(text);
        self.row.close_inlines(text);
        for &group in self.groups_always() {
            if !self.groups.contains(&group) {
                push_key(text, group);
                text.push(b']');
            }
        }
        self.object = None;
        self.groups.clear();
        text.push(b'}');
    }

    fn open_group(&mut self, text: &mut Vec<u8>, group: RowKind) {
        push_key(text, group);
        self.group = Some(group);
        self.groups.push(group);
    }

    fn close_group(&mut self, text: &mut Vec<u8>) {
        if self.group.take().is_some() {
            self.member.close(text);
            text.push(b']');
        }
    }

    /// The groups that the object has even if they are empty, so that they need not be
    /// looked for first.
    fn groups_always(&self) -> &'static [RowKind] {
        match (self.section, self.object) {
            (SectionId::Graph, Some(RowKind::Entry)) => &[RowKind::Caller, RowKind::Callee],
            (SectionId::Graph, Some(RowKind::Cycle)) => &[RowKind::Caller, RowKind::Member],
            (SectionId::Leaks, Some(RowKind::Entry)) => &[RowKind::Frame],
            _ => &[],
        }
    }
}

/// Whether other rows belong to such a row.
fn is_head(kind: RowKind) -> bool {
    matches!(
        kind,
        RowKind::Entry | RowKind::Cycle | RowKind::Rest | RowKind::Unattributed | RowKind::Total
    )
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
