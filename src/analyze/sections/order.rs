//! An order of functions or object files, for the linker.

use super::name;
use crate::analyze::order::OrderedName;
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};

/// A row for each name.
#[must_use]
pub fn order_section(order: &[OrderedName]) -> Section<'static> {
    let mut rows = RowTable::default();
    for ordered in order {
        let cell = match ordered {
            OrderedName::Symbol(id) => name(*id),
            OrderedName::Other(name) => Cell::text(name),
        };
        rows.push(RowKind::Entry, [cell]);
    }
    let columns = [Column::shown("name", Role::Name, ["", "name"])];
    Section::new(SectionId::Order, "", Layout::Gprof, columns, rows)
}
