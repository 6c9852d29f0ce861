//! Names as they were read.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::report::{NameId, NameTable, SourceLocation};

/// What was read of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RecordedName {
    /// As its language spells it.
    pub(super) name: Arc<[u8]>,
    /// As the linker knows it, where that differs.
    pub(super) linkage_name: Option<Arc<[u8]>>,
    pub(super) location: Option<(Arc<[u8]>, u32)>,
    pub(super) address: Option<u64>,
    pub(super) is_static: bool,
    pub(super) object: Option<Arc<[u8]>>,
}

impl RecordedName {
    /// Whether nothing is known but the name, so that it is as good as text.
    pub(super) fn is_bare(&self) -> bool {
        let Self {
            name: _,
            linkage_name,
            location,
            address,
            is_static,
            object,
        } = self;
        let is_plain = linkage_name.is_none() && location.is_none() && object.is_none();
        is_plain && address.is_none() && !is_static
    }
}

/// Names in the making, one for each that differs.
#[derive(Default)]
pub(super) struct NameInterner {
    names: Vec<Arc<RecordedName>>,
    ids: HashMap<Arc<RecordedName>, NameId>,
    texts: HashSet<Arc<[u8]>>,
}

impl NameInterner {
    /// The number of a name; `None` where there are too many.
    pub(super) fn id(&mut self, name: RecordedName) -> Option<NameId> {
        if let Some(&id) = self.ids.get(&name) {
            return Some(id);
        }
        let id = NameId(u32::try_from(self.names.len()).ok()?);
        let name = Arc::new(name);
        self.names.push(Arc::clone(&name));
        self.ids.insert(name, id);
        Some(id)
    }

    /// Bytes that are kept once.
    pub(super) fn text(&mut self, bytes: &[u8]) -> Arc<[u8]> {
        if let Some(text) = self.texts.get(bytes) {
            return Arc::clone(text);
        }
        let text: Arc<[u8]> = bytes.into();
        self.texts.insert(Arc::clone(&text));
        text
    }

    /// The names, finished.
    pub(super) fn into_names(self, are_lines: bool) -> RecordedNames {
        RecordedNames {
            has_objects: self.names.iter().any(|name| name.object.is_some()),
            names: self.names.into(),
            are_lines,
        }
    }
}

/// The names of a report that was read.
pub(super) struct RecordedNames {
    names: Box<[Arc<RecordedName>]>,
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
        let (file, line) = self.names[id.index()].location.as_ref()?;
        Some(SourceLocation { file, line: *line })
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

    fn are_lines(&self) -> bool {
        self.are_lines
    }
}
