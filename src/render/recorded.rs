//! Names and stacks in memory, such as those of saved reports.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use crate::report::{
    Beside, CallStacks, Cell, Column, FrameName, Metric, MetricIndex, MetricValues, NameId,
    NameTable, NoNames, Role, Rows, SourceLocation, StackBasis, StackFrame, value_column,
};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RecordedName {
    /// Demangled.
    pub(super) name: Arc<[u8]>,
    /// Mangled, if different.
    pub(super) linkage_name: Option<Arc<[u8]>>,
    pub(super) file: Option<Arc<[u8]>>,
    pub(super) line: Option<u32>,
    pub(super) address: Option<u64>,
    pub(super) is_static: bool,
    pub(super) object: Option<Arc<[u8]>>,
    pub(super) beside: Beside,
}

impl RecordedName {
    pub(super) fn of(id: NameId, names: &dyn NameTable) -> Self {
        let name = names.name(id);
        let location = names.location(id);
        let linkage_name = names.linkage_name(id);
        Self {
            name: name.into(),
            linkage_name: (linkage_name != name).then(|| linkage_name.into()),
            file: location.map(|location| location.file.into()),
            line: location.map(|location| location.line),
            address: names.address(id),
            is_static: names.is_static(id),
            object: names.object(id).map(Into::into),
            beside: names.beside(id),
        }
    }

    /// The name if it has no properties, so that it is equivalent to text.
    pub(super) fn bare(&self) -> Option<&Arc<[u8]>> {
        let bare = Self { name: Arc::clone(&self.name), ..Self::default() };
        (bare == *self).then_some(&self.name)
    }
}

/// Numbers distinct names.
#[derive(Default)]
pub(super) struct NameInterner {
    names: IndexSet<RecordedName, RandomState>,
    texts: HashSet<Arc<[u8]>>,
}

impl NameInterner {
    /// The number of a name; `None` above the maximum.
    pub(super) fn id(&mut self, name: RecordedName) -> Option<NameId> {
        u32::try_from(self.names.insert_full(name).0).ok().map(NameId)
    }

    /// A shared copy of the bytes.
    pub(super) fn text(&mut self, bytes: &[u8]) -> Arc<[u8]> {
        if let Some(text) = self.texts.get(bytes) {
            return Arc::clone(text);
        }
        let text: Arc<[u8]> = bytes.into();
        self.texts.insert(Arc::clone(&text));
        text
    }

    pub(super) fn into_names(self, are_lines: bool) -> RecordedNames {
        RecordedNames {
            has_objects: self.names.iter().any(|name| name.object.is_some()),
            names: self.names,
            are_lines,
        }
    }
}

pub(super) struct RecordedNames {
    names: IndexSet<RecordedName, RandomState>,
    are_lines: bool,
    has_objects: bool,
}

impl NameTable for RecordedNames {
    fn name(&self, id: NameId) -> &[u8] {
        &self.names[id.index()].name
    }

    fn linkage_name(&self, id: NameId) -> &[u8] {
        let name = &self.names[id.index()];
        name.linkage_name.as_ref().unwrap_or(&name.name)
    }

    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        let name = &self.names[id.index()];
        let (file, line) = (name.file.as_deref()?, name.line?);
        Some(SourceLocation { file, line })
    }

    fn address(&self, id: NameId) -> Option<u64> {
        self.names[id.index()].address
    }

    fn is_static(&self, id: NameId) -> bool {
        self.names[id.index()].is_static
    }

    fn object(&self, id: NameId) -> Option<&[u8]> {
        self.names[id.index()].object.as_deref()
    }

    fn has_objects(&self) -> bool {
        self.has_objects
    }

    fn beside(&self, id: NameId) -> Beside {
        self.names[id.index()].beside
    }

    fn are_lines(&self) -> bool {
        self.are_lines
    }
}

/// The stacks of rows that were saved; `None` without values.
pub(super) fn stacks_of_rows(
    columns: &[Column],
    rows: &dyn Rows,
    metrics: &[Metric],
    primary: MetricIndex,
) -> Option<CallStacks> {
    let find = |id: &str| columns.iter().position(|column| column.id == id);
    let mut of_values = Vec::new();
    let mut all = CallStacks::default();
    for (index, column) in columns.iter().enumerate() {
        let Some(metric) = column.metric else { continue };
        let id = value_column(metrics, metric, primary);
        let (places, old) = match column.role {
            Role::Count if column.id == id => ([None, Some(index)], None),
            Role::Change if column.id == format!("{id}_change") => {
                (["old", "new"].map(|side| find(&format!("{id}_{side}"))), Some(Vec::new()))
            }
            _ => continue,
        };
        if old.is_some() && places.contains(&None) {
            continue;
        }
        of_values.push(places);
        let (unit, values) = (column.head[1].clone(), Vec::new());
        all.values.push(MetricValues { metric, unit, values, old });
    }
    if all.values.is_empty() {
        return None;
    }
    let [depth, name, basis] = ["depth", "name", "basis"].map(find);
    let visited = rows.for_each_head(&mut |row| {
        let cell = |column: Option<usize>| column.map_or(&Cell::Absent, |at| &row.cells[at]);
        let number = |column| cell(column).as_integer().unwrap_or(0);
        let name = match cell(name) {
            Cell::Name(id) => FrameName::Id(*id),
            cell => all.text(cell.bytes(&NoNames)),
        };
        let basis = std::str::from_utf8(cell(basis).bytes(&NoNames));
        all.frames.push(StackFrame {
            depth: u32::try_from(number(depth)).unwrap_or(0),
            name,
            kind: row.kind,
            basis: basis.ok().and_then(StackBasis::named),
        });
        for (values, places) in all.values.iter_mut().zip(&of_values) {
            values.push(places.map(number));
        }
        Ok::<(), io::Error>(())
    });
    visited.ok().map(|()| all)
}
