//! An order of functions or object files, for the linker.

use super::name;
use super::table::Columns;
use crate::analyze::order::OrderedName;
use crate::report::{Cell, Layout, Role, Section, SectionId};

pub fn order_section(order: &[OrderedName]) -> Section {
    let columns = Columns::<&OrderedName>::new();
    let columns = columns.named(Role::Name, "name", |row| match row {
        OrderedName::Symbol(id) => name(*id),
        OrderedName::Other(name) => Cell::text(name),
    });
    Section { layout: Layout::Gprof, ..columns.table(SectionId::Order, "", order) }
}
