//! Sections of several programs in one report.

use std::io;

use crate::report::{Cell, Column, NameId, Role, RowTable, Section};

/// The section of a program, with the program in its title and in each row. Its first name has this
/// number in the report.
///
/// # Errors
/// If rows cannot be made.
pub(super) fn section_of(section: Section, program: &str, first: u32) -> io::Result<Section> {
    let title = format!("{} of {program}:", section.title.trim_end_matches(':')).into();
    let mut rows = RowTable::default();
    section.rows.for_each(&mut |row| {
        let cells = row.cells.iter().map(|cell| match cell {
            Cell::Name(id) => Cell::Name(NameId(id.0 + first)),
            other => other.clone(),
        });
        rows.push(row.kind, cells.chain([Cell::text(program)]).collect::<Vec<_>>());
        Ok(())
    })?;
    let columns = section.columns.into_iter();
    let columns = columns.chain([Column::hidden("program", Role::Other)]).collect();
    Ok(Section { title, columns, rows: Box::new(rows), ..section })
}
