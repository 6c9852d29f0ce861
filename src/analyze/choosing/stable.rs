//! The flat profile for text comparisons: rows by name, in columns of constant width.

use std::cmp::Ordering;

use super::rows::put_rows;
use super::unit::{RowGroup, units};
use crate::report::{
    Beside, Cell, Layout, NameId, NameTable, NoNames, Report, Role, Section, SourceLocation,
};
use crate::sorting::ColdSort;

/// Width of number columns.
const WIDTH: u8 = 14;

/// Sorts rows by name, source location and address, which do not depend on measurements.
pub(super) fn sort_by_name(section: &mut Section, names: &dyn NameTable) {
    let mut units = units(section, None, names);
    units.cold_sort_by(|a, b| compare(a, b, names));
    put_rows(section, &units, None, None, None);
}

fn compare(a: &RowGroup, b: &RowGroup, names: &dyn NameTable) -> Ordering {
    let place = |unit: &RowGroup| match unit.about {
        Cell::Name(id) => Some((names.location(id), names.address(id))),
        _ => None,
    };
    let by_name = formatted(a, names).cmp(formatted(b, names));
    a.standing().cmp(&b.standing()).then(by_name).then_with(|| place(a).cmp(&place(b)))
}

fn formatted<'u>(unit: &'u RowGroup, names: &'u dyn NameTable) -> &'u [u8] {
    match &unit.about {
        Cell::Name(id) => names.name(*id),
        Cell::Text(text) => text,
        _ => b"",
    }
}

/// Default columns: self cost and calls. Totals change with callees.
pub(super) fn usual_columns(section: &Section) -> Box<[String]> {
    let columns = section.columns.iter();
    let shown = columns.filter(|column| {
        let is_wanted = matches!(column.role, Role::SelfValue | Role::Calls);
        is_wanted && column.print.is_some()
    });
    shown.map(|column| column.id.clone().into_owned()).collect()
}

pub(super) fn fix_widths(section: &mut Section) {
    section.layout = Layout::Gprof;
    for column in &mut section.columns {
        if let Some(print) = &mut column.print {
            print.width = WIDTH;
        }
    }
}

/// Removes addresses from the names of a report, since each build changes them.
pub(super) fn forget_addresses(report: &mut Report) {
    let names = std::mem::replace(&mut report.names, Box::new(NoNames));
    report.names = Box::new(WithoutAddresses(names));
}

struct WithoutAddresses(Box<dyn NameTable>);

impl NameTable for WithoutAddresses {
    fn name(&self, id: NameId) -> &[u8] {
        self.0.name(id)
    }

    fn linkage_name(&self, id: NameId) -> &[u8] {
        self.0.linkage_name(id)
    }

    fn location(&self, id: NameId) -> Option<SourceLocation<'_>> {
        self.0.location(id)
    }

    fn is_static(&self, id: NameId) -> bool {
        self.0.is_static(id)
    }

    fn object(&self, id: NameId) -> Option<&[u8]> {
        self.0.object(id)
    }

    fn n_given_up(&self) -> usize {
        self.0.n_given_up()
    }

    fn has_objects(&self) -> bool {
        self.0.has_objects()
    }

    fn beside(&self, id: NameId) -> Beside {
        self.0.beside(id)
    }

    fn are_lines(&self) -> bool {
        self.0.are_lines()
    }
}
