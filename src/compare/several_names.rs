//! Names of several tables as one.

use crate::report::{Beside, NameId, NameTable, SourceLocation};

/// The names of several tables; `place` returns the table and the number there of a number here.
pub(super) struct SeveralNames<P> {
    pub(super) tables: Vec<Box<dyn NameTable>>,
    pub(super) place: P,
}

/// The names of tables of such lengths, one table after another.
pub fn names_in_turn(tables: Vec<(Box<dyn NameTable>, u32)>) -> impl NameTable {
    let mut ends = Vec::new();
    for (_, n_names) in &tables {
        ends.push(ends.last().unwrap_or(&0) + n_names);
    }
    let tables = tables.into_iter().map(|(table, _)| table).collect();
    let place = move |id: NameId| {
        let table = ends.partition_point(|end| *end <= id.0);
        let first = if table == 0 { 0 } else { ends[table - 1] };
        (table, NameId(id.0 - first))
    };
    SeveralNames { tables, place }
}

impl<P: Fn(NameId) -> (usize, NameId)> SeveralNames<P> {
    fn of(&self, id: NameId) -> (&dyn NameTable, NameId) {
        let (table, id) = (self.place)(id);
        (&*self.tables[table], id)
    }
}

impl<P: Fn(NameId) -> (usize, NameId) + Sync> NameTable for SeveralNames<P> {
    fn name(&self, id: NameId) -> &[u8] {
        let (names, id) = self.of(id);
        names.name(id)
    }

    fn linkage_name(&self, id: NameId) -> &[u8] {
        let (names, id) = self.of(id);
        names.linkage_name(id)
    }

    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        let (names, id) = self.of(id);
        names.location(id)
    }

    fn address(&self, id: NameId) -> Option<u64> {
        let (names, id) = self.of(id);
        names.address(id)
    }

    fn is_static(&self, id: NameId) -> bool {
        let (names, id) = self.of(id);
        names.is_static(id)
    }

    fn object(&self, id: NameId) -> Option<&[u8]> {
        let (names, id) = self.of(id);
        names.object(id)
    }

    fn has_objects(&self) -> bool {
        self.tables.iter().any(|names| names.has_objects())
    }

    fn beside(&self, id: NameId) -> Beside {
        let (names, id) = self.of(id);
        names.beside(id)
    }

    fn are_lines(&self) -> bool {
        self.tables.iter().any(|names| names.are_lines())
    }
}
