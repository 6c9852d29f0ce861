//! What rows and nodes are called.

use std::borrow::Cow;

use crate::model::{Function, RecordedCosts};

/// The names and positions of functions.
#[derive(Debug)]
pub struct Labels<'a> {
    table: &'a RecordedCosts,
    has_long_names: bool,
}

impl<'a> Labels<'a> {
    pub(super) fn new(table: &'a RecordedCosts, has_long_names: bool) -> Self {
        Self {
            table,
            has_long_names,
        }
    }

    pub fn len(&self) -> usize {
        self.table.functions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.table.functions.is_empty()
    }

    /// The name; a short one is what stands behind the last dot that has something
    /// behind it.
    pub fn name(&self, label: usize) -> &'a [u8] {
        let Function { name, .. } = &self.table.functions[label];
        if self.has_long_names {
            return name;
        }
        let mut parts = name.split(|&byte| byte == b'.');
        parts.rfind(|part| !part.is_empty()).unwrap_or(name)
    }

    /// Where it stands in the source.
    pub fn position(&self, label: usize) -> Option<Cow<'a, [u8]>> {
        let location = self.table.functions[label].location?;
        let location = &self.table.locations[location.index()];
        Some(match location.line {
            None => Cow::Borrowed(&*location.file),
            Some(line) => Cow::Owned([&location.file, format!(": {line}").as_bytes()].concat()),
        })
    }

    /// Both, with two blanks between them.
    pub fn whole(&self, label: usize) -> Cow<'a, [u8]> {
        let name = self.name(label);
        match self.position(label) {
            None => Cow::Borrowed(name),
            Some(position) => Cow::Owned([name, b"  ", &position].concat()),
        }
    }
}
