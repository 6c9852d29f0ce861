//! Reads rows from JSON, one by one.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::nesting::{GROUPS, NestedRow};
use super::value::bytes_of_hex;
use crate::render::fields::{FieldGroup, NAME_PARTS, NamePart, fields};
use crate::render::recorded::{NameInterner, RecordedName};
use crate::report::{Beside, Cell, Column, LONGEST_NAME, Report, RowKind, RowTable};

/// Reads the array of rows of a section.
///
/// # Errors
/// If it is malformed; positions are relative to its start.
pub(super) fn read_rows(
    text: &str,
    columns: &[Column],
    report: &Report,
    names: &mut NameInterner,
) -> Result<RowTable, serde_json::Error> {
    let keys = FieldKeys::new(columns, report);
    let mut rows = RowTable::with_columns(columns.len());
    let seed = RowsSeed {
        keys: &keys,
        names,
        kind: RowKind::Entry,
        push: &mut |row| row.push_to(&mut rows),
    };
    seed.deserialize(&mut serde_json::Deserializer::from_str(text))?;
    Ok(rows)
}

struct FieldKeys {
    of_row: HashMap<String, FieldKey>,
    /// Columns by key within `values` and `total_values`.
    of_values: [HashMap<String, u32>; 2],
    /// Columns of names.
    of_names: Vec<u32>,
}

#[derive(Clone, Copy)]
enum FieldKey {
    Cell(u32),
    Name(u32, NamePart),
    /// Rows that belong to this one; index of the group.
    Group(usize),
    Kind,
    /// Index into [`FieldKeys::of_values`].
    Values(usize),
}

impl FieldKeys {
    fn new(columns: &[Column], report: &Report) -> Self {
        let mut keys =
            Self { of_row: HashMap::new(), of_values: Default::default(), of_names: Vec::new() };
        let of_row = &mut keys.of_row;
        for (place, (_, key)) in GROUPS.iter().enumerate() {
            of_row.insert((*key).to_owned(), FieldKey::Group(place));
        }
        of_row.insert("kind".to_owned(), FieldKey::Kind);
        of_row.insert("values".to_owned(), FieldKey::Values(0));
        of_row.insert("total_values".to_owned(), FieldKey::Values(1));
        let fields = fields(columns, &report.metrics, report.primary);
        for (column, field) in (0..).zip(fields) {
            if let Some(name) = field.name {
                keys.of_names.push(column);
                for (key, (part, _)) in name.into_iter().zip(NAME_PARTS) {
                    of_row.insert(key, FieldKey::Name(column, part));
                }
            }
            match field.place {
                FieldGroup::Row => drop(of_row.insert(field.key, FieldKey::Cell(column))),
                FieldGroup::Values => drop(keys.of_values[0].insert(field.key, column)),
                FieldGroup::TotalValues => drop(keys.of_values[1].insert(field.key, column)),
            }
        }
        keys
    }
}

/// Reads rows; `kind` is the kind of rows without one.
struct RowsSeed<'s> {
    keys: &'s FieldKeys,
    names: &'s mut NameInterner,
    kind: RowKind,
    push: &'s mut dyn FnMut(NestedRow),
}

impl<'de> DeserializeSeed<'de> for RowsSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for RowsSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
        let (keys, kind) = (self.keys, self.kind);
        loop {
            let names = &mut *self.names;
            match array.next_element_seed(RowSeed { keys, names, kind })? {
                Some(row) => (self.push)(row),
                None => return Ok(()),
            }
        }
    }
}

struct RowSeed<'s> {
    keys: &'s FieldKeys,
    names: &'s mut NameInterner,
    kind: RowKind,
}

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = NestedRow;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<NestedRow, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = NestedRow;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NestedRow, A::Error> {
        let keys = self.keys;
        let mut row = NestedRow { kind: self.kind, cells: Vec::new(), groups: Default::default() };
        let mut named: Vec<(u32, RecordedName)> = Vec::new();
        while let Some(key) = map.next_key::<CowText<'de>>()? {
            let Some(&key) = keys.of_row.get(&*key.0) else {
                map.next_value::<serde::de::IgnoredAny>()?;
                continue;
            };
            match key {
                FieldKey::Kind => row.kind = map.next_value()?,
                FieldKey::Cell(column) => {
                    let cell = cell(map.next_value()?, self.names)?;
                    // Other formats cut long names, but not text.
                    let is_long = matches!(&cell, Cell::Text(text) if text.len() > LONGEST_NAME);
                    let is_known = || named.iter().any(|(one, _)| *one == column);
                    if is_long && keys.of_names.contains(&column) && !is_known() {
                        named.push((column, RecordedName::default()));
                    }
                    row.cells.push((column, cell));
                }
                FieldKey::Name(column, part) => {
                    let known = named.iter().position(|(one, _)| *one == column);
                    let place = known.unwrap_or_else(|| {
                        named.push((column, RecordedName::default()));
                        named.len() - 1
                    });
                    set_part(&mut named[place].1, part, map.next_value()?, self.names)?;
                }
                FieldKey::Group(place) => {
                    map.next_value_seed(RowsSeed {
                        keys,
                        names: &mut *self.names,
                        kind: GROUPS[place].0,
                        push: &mut |member| row.groups[place].push(member),
                    })?;
                }
                FieldKey::Values(columns) => {
                    let values: HashMap<Cow<'_, str>, &RawValue> = map.next_value()?;
                    for (key, value) in values {
                        if let Some(&column) = keys.of_values[columns].get(&*key) {
                            row.cells.push((column, cell(value, self.names)?));
                        }
                    }
                }
            }
        }
        for (column, cell) in &mut row.cells {
            let known = named.iter().find(|(one, _)| one == column);
            if let (Some((_, known)), Cell::Text(name)) = (known, &*cell) {
                let named = name_cell(known, name, self.names);
                *cell = named.ok_or_else(|| A::Error::custom("too many names"))?;
            }
        }
        Ok(row)
    }
}

/// Borrowed unless it contains escapes.
#[derive(Deserialize)]
struct CowText<'t>(#[serde(borrow)] Cow<'t, str>);

fn set_part<E: Error>(
    name: &mut RecordedName,
    part: NamePart,
    value: &RawValue,
    names: &mut NameInterner,
) -> Result<(), E> {
    let mut text = || Ok(Some(names.text(&bytes(value)?)));
    match part {
        NamePart::LinkageName => name.linkage_name = text()?,
        NamePart::File => name.file = text()?,
        NamePart::Line => name.line = Some(parse(value)?),
        NamePart::Static => name.is_static = parse(value)?,
        NamePart::Object => name.object = text()?,
        NamePart::Beside => {
            let beside = Beside::of_text(&parse::<CowText<'_>, E>(value)?.0);
            name.beside = beside.unwrap_or_default();
        }
        NamePart::Address => {
            let text: Cow<'_, str> = parse::<CowText<'_>, E>(value)?.0;
            let digits = text.strip_prefix("0x");
            let address = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
            let wrong = || E::custom(format_args!("`{text}` is not an address"));
            name.address = Some(address.ok_or_else(wrong)?);
        }
    }
    Ok(())
}

/// The cell of a name with properties; `None` above the maximum of names.
fn name_cell(known: &RecordedName, name: &Arc<[u8]>, names: &mut NameInterner) -> Option<Cell> {
    let mut name = RecordedName { name: Arc::clone(name), ..known.clone() };
    // A place is a file and a line.
    if name.file.is_none() || name.line.is_none() {
        (name.file, name.line) = (None, None);
    }
    match name.bare() {
        Some(text) if text.len() <= LONGEST_NAME => Some(Cell::Text(Arc::clone(text))),
        _ => names.id(name).map(Cell::Name),
    }
}

fn cell<E: Error>(value: &RawValue, names: &mut NameInterner) -> Result<Cell, E> {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'n') => Ok(Cell::Absent),
        Some(b'"' | b'{') => Ok(Cell::Text(names.text(&bytes(value)?))),
        Some(b'[') => Ok(Cell::Counts(parse(value)?)),
        Some(b'-' | b'0'..=b'9') => number(text),
        _ => Err(E::custom(format_args!("`{text}` is not a cell"))),
    }
}

fn number<E: Error>(text: &str) -> Result<Cell, E> {
    if let Ok(number) = text.parse::<i64>() {
        return Ok(Cell::Integer(number.into()));
    }
    let is_whole = !text.contains(['.', 'e', 'E']);
    let number = if is_whole {
        text.parse().ok().map(Cell::Integer)
    } else {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Cell::Real)
    };
    number.ok_or_else(|| E::custom("number too large"))
}

/// Bytes that are not UTF-8.
#[derive(Deserialize)]
struct BytesText<'t> {
    #[serde(borrow)]
    bytes: Cow<'t, str>,
}

fn bytes<E: Error>(value: &RawValue) -> Result<Cow<'_, [u8]>, E> {
    if value.get().starts_with('{') {
        let digits = parse::<BytesText<'_>, E>(value)?.bytes;
        let bytes = bytes_of_hex(&digits).ok_or_else(|| E::custom("`bytes` is not hexadecimal"))?;
        return Ok(Cow::Owned(bytes));
    }
    Ok(match parse::<CowText<'_>, E>(value)?.0 {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    })
}

fn parse<'v, T: Deserialize<'v>, E: Error>(value: &'v RawValue) -> Result<T, E> {
    serde_json::from_str(value.get()).map_err(|error| {
        let what = error.to_string();
        let end = what.rfind(" at line ").unwrap_or(what.len());
        E::custom(&what[..end])
    })
}
