//! Writes a row as a JSON object. A hot path.

use std::ptr;

use super::value::{push, push_bytes, push_cell};
use crate::render::fields::{Field, FieldGroup, NAME_PARTS, fields};
use crate::report::{Beside, Cell, NameId, NameTable, Report, Row, RowKind, Section};

pub(super) struct RowKeys {
    /// Columns of the row itself, then those in groups.
    columns: Vec<ColumnKey>,
    /// Number of columns of the row itself.
    n_plain: usize,
}

struct ColumnKey {
    column: usize,
    place: FieldGroup,
    /// `"key":`
    key: Vec<u8>,
    /// Keys of the properties of a name, each after a comma.
    name: Option<[Vec<u8>; NAME_PARTS.len()]>,
}

impl RowKeys {
    pub(super) fn new(section: &Section, report: &Report) -> Self {
        let fields = fields(&section.columns, &report.metrics, report.primary);
        let of_place = |place| {
            let columns = fields.iter().enumerate();
            columns.filter(move |(_, field)| field.place == place)
        };
        let columns: Vec<_> = of_place(FieldGroup::Row)
            .chain(of_place(FieldGroup::Values))
            .chain(of_place(FieldGroup::TotalValues))
            .map(|(column, field)| ColumnKey::new(column, field))
            .collect();
        Self { n_plain: of_place(FieldGroup::Row).count(), columns }
    }

    /// Adds an object without its end, after `start`.
    pub(super) fn push_open(
        &self,
        text: &mut Vec<u8>,
        start: &[u8],
        row: Row<'_>,
        states_kind: bool,
        names: &dyn NameTable,
    ) {
        text.extend_from_slice(start);
        if states_kind {
            separate(text);
            text.extend_from_slice(b"\"kind\":\"");
            text.extend_from_slice(row.kind.id().as_bytes());
            text.push(b'"');
        }
        let (plain, grouped) = self.columns.split_at(self.n_plain);
        for column in plain {
            column.push(text, row, names);
        }
        let mut open: Option<FieldGroup> = None;
        for column in grouped {
            if row.cells[column.column].is_absent() {
                continue;
            }
            if open != Some(column.place) {
                if open.is_some() {
                    text.push(b'}');
                }
                separate(text);
                text.extend_from_slice(match column.place {
                    FieldGroup::TotalValues => b"\"total_values\":{",
                    _ => b"\"values\":{",
                });
                open = Some(column.place);
            }
            column.push(text, row, names);
        }
        if open.is_some() {
            text.push(b'}');
        }
    }
}

/// Returns whether a row of this kind states its kind outside of groups.
pub(super) fn states_kind(kind: RowKind) -> bool {
    kind != RowKind::Entry
}

/// Adds a comma, except at the start of an object.
pub(super) fn separate(text: &mut Vec<u8>) {
    if text.last() != Some(&b'{') {
        text.push(b',');
    }
}

impl ColumnKey {
    fn new(column: usize, field: &Field) -> Self {
        Self {
            column,
            place: field.place,
            key: key_text(&field.key, ""),
            name: field.name.as_ref().map(|keys| keys.each_ref().map(|key| key_text(key, ","))),
        }
    }

    /// Adds the cell of a row, a name with its properties; nothing if it is absent.
    fn push(&self, text: &mut Vec<u8>, row: Row<'_>, names: &dyn NameTable) {
        let cell = &row.cells[self.column];
        if cell.is_absent() {
            return;
        }
        separate(text);
        text.extend_from_slice(&self.key);
        push_cell(text, cell, names);
        if let (Cell::Name(id), Some(keys)) = (cell, &self.name) {
            push_parts(text, keys, *id, names);
        }
    }
}

fn push_parts(
    text: &mut Vec<u8>,
    keys: &[Vec<u8>; NAME_PARTS.len()],
    id: NameId,
    names: &dyn NameTable,
) {
    let [linkage_key, file, line, address_key, static_key, beside_key, object_key] = keys;
    let (linkage_name, name) = (names.linkage_name(id), names.name(id));
    // Nearly all are kept once, and need not be looked at.
    if !ptr::eq(linkage_name, name) && linkage_name != name {
        text.extend_from_slice(linkage_key);
        push_bytes(text, linkage_name);
    }
    if let Some(location) = names.location(id) {
        text.extend_from_slice(file);
        push_bytes(text, location.file);
        text.extend_from_slice(line);
        push(text, location.line);
    }
    if let Some(address) = names.address(id) {
        text.extend_from_slice(address_key);
        text.extend_from_slice(format!("\"{address:#x}\"").as_bytes());
    }
    if names.is_static(id) {
        text.extend_from_slice(static_key);
        text.extend_from_slice(b"true");
    }
    if let Some(object) = names.object(id) {
        text.extend_from_slice(object_key);
        push_bytes(text, object);
    }
    let beside = names.beside(id);
    if beside != Beside::default() {
        text.extend_from_slice(beside_key);
        push(text, beside.text());
    }
}

fn key_text(key: &str, before: &str) -> Vec<u8> {
    let mut text = before.as_bytes().to_vec();
    push(&mut text, key);
    text.push(b':');
    text
}
