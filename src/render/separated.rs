//! One section as a table of separated values, quoted as RFC 4180 says.
//!
//! The first line has the ids of the columns, behind one that says what a row is. What
//! is known of a name has columns of its own. Bytes are written as they are.

use std::cell::RefCell;
use std::io::{self, Write};

use super::error::section_ids;
use super::fields::{Field, Place, fields};
use super::json::value::{push, push_integer};
use super::side_by_side::write_rows;
use super::{RenderError, RenderOptions, Renderer};
use crate::report::{Cell, Column, NameId, NameTable, Report, Row, Section, SectionId};

/// Values separated by commas.
pub(super) static CSV: Separated = Separated {
    name: "csv",
    extensions: &["csv"],
    separator: b',',
};

/// Values separated by tabs.
pub(super) static TSV: Separated = Separated {
    name: "tsv",
    extensions: &["tsv"],
    separator: b'\t',
};

/// A section as separated values.
pub(super) struct Separated {
    name: &'static str,
    extensions: &'static [&'static str],
    separator: u8,
}

impl Renderer for Separated {
    fn name(&self) -> &'static str {
        self.name
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn shows_sources(&self) -> bool {
        true
    }

    fn shows_error(&self) -> bool {
        true
    }

    fn accepts(&self, _section: SectionId) -> bool {
        true
    }

    fn render(
        &self,
        report: &Report<'_>,
        options: &RenderOptions,
        out: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let section = chosen_section(self.name, report, options.section)?;
        let sections = of_all_files(section, report);
        let fields = fields(&section.columns, &report.metrics, report.primary);
        let has_objects = report.names.has_objects();
        let mut head = self.table(&mut *out);
        write_head(&mut head, section, &fields, has_objects)?;
        head.flush()?;
        drop(head);
        for section in sections {
            self.write_rows(section, &fields, &*report.names, out)?;
        }
        Ok(())
    }
}

impl Separated {
    fn table<W: Write>(&self, out: W) -> csv::Writer<W> {
        let mut builder = csv::WriterBuilder::new();
        builder.delimiter(self.separator).from_writer(out)
    }

    fn write_rows(
        &self,
        section: &Section<'_>,
        fields: &[Field],
        names: &dyn NameTable,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let write = &mut |text: &mut Vec<u8>| {
            out.write_all(text)?;
            text.clear();
            Ok(())
        };
        write_rows(&*section.rows, names, write, &|text, part| {
            let lines = RefCell::new(Vec::new());
            let mut table = self.table(Lines(&lines));
            let mut number = Vec::new();
            part.for_each(text, |text: &mut Vec<u8>, row| {
                // Memory takes everything.
                let _ = write_row(&mut table, &row, fields, names, &mut number);
                let _ = table.flush();
                text.append(&mut lines.borrow_mut());
            })
        })
    }
}

/// Lines that are taken as they come.
struct Lines<'l>(&'l RefCell<Vec<u8>>);

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The section that is asked for; else the flat profile, or the only one.
fn chosen_section<'r, 'a>(
    format: &'static str,
    report: &'r Report<'a>,
    chosen: Option<SectionId>,
) -> Result<&'r Section<'a>, RenderError> {
    let with_id = |id| report.sections.iter().find(|section| section.id == id);
    if let Some(section) = chosen {
        let sections = section_ids(report);
        return with_id(section).ok_or(RenderError::NoSuchSection { section, sections });
    }
    match &*report.sections {
        [] => Err(RenderError::Nothing { format }),
        [section] => Ok(section),
        _ => with_id(SectionId::Flat).ok_or_else(|| RenderError::ManySections {
            format,
            sections: section_ids(report),
        }),
    }
}

/// Sources name their file in each row, so that all of them are one table; any other
/// section is one by itself.
fn of_all_files<'r, 'a>(section: &'r Section<'a>, report: &'r Report<'a>) -> Vec<&'r Section<'a>> {
    if section.id != SectionId::Source || section.column("file").is_none() {
        return vec![section];
    }
    // They are as wide as each file needs them.
    let is_same = |(a, b): (&Column, &Column)| a.id == b.id;
    let has_same = |other: &&Section<'_>| {
        other.columns.len() == section.columns.len()
            && other.columns.iter().zip(&section.columns).all(is_same)
    };
    let all = report.sections.iter();
    all.filter(|other| other.id == section.id)
        .filter(has_same)
        .collect()
}

fn write_head(
    table: &mut csv::Writer<impl Write>,
    section: &Section<'_>,
    fields: &[Field],
    has_objects: bool,
) -> io::Result<()> {
    write_cell(table, "kind")?;
    for (field, column) in fields.iter().zip(&section.columns) {
        // Here everything is in one group, where ids tell columns apart.
        let head = match field.place {
            Place::Row => &*field.key,
            Place::Values | Place::TotalValues => &*column.id,
        };
        write_cell(table, head)?;
        if let Some(keys) = &field.name {
            for key in [&keys.linkage_name, &keys.file, &keys.line, &keys.address] {
                write_cell(table, key)?;
            }
            if has_objects {
                write_cell(table, &keys.object)?;
            }
        }
    }
    end_line(table)
}

fn write_row(
    table: &mut csv::Writer<impl Write>,
    row: &Row<'_>,
    fields: &[Field],
    names: &dyn NameTable,
    number: &mut Vec<u8>,
) -> io::Result<()> {
    write_cell(table, row.kind.id())?;
    for (cell, field) in row.cells.iter().zip(fields) {
        match cell {
            Cell::Name(id) => write_cell(table, names.name(*id))?,
            Cell::Text(bytes) => write_cell(table, bytes)?,
            Cell::Absent | Cell::Integer(_) | Cell::Real(_) | Cell::Counts(_) => {
                number.clear();
                push_number(number, cell);
                write_cell(table, &*number)?;
            }
        }
        if field.name.is_some() {
            match cell {
                Cell::Name(id) => write_what_is_known(table, names, *id)?,
                _ => write_nothing(table, names.has_objects())?,
            }
        }
    }
    end_line(table)
}

fn push_number(text: &mut Vec<u8>, cell: &Cell) {
    match cell {
        Cell::Integer(number) => push_integer(text, *number),
        Cell::Real(number) if number.is_finite() => push(text, number),
        Cell::Counts(counts) => {
            for (index, count) in counts.iter().enumerate() {
                text.extend_from_slice(if index == 0 { b"" } else { b" " });
                push(text, count);
            }
        }
        _ => {}
    }
}

fn write_what_is_known(
    table: &mut csv::Writer<impl Write>,
    names: &dyn NameTable,
    id: NameId,
) -> io::Result<()> {
    let linkage_name = names.linkage_name(id);
    write_cell(
        table,
        if linkage_name == names.name(id) {
            b""
        } else {
            linkage_name
        },
    )?;
    let location = names.location(id);
    write_cell(table, location.map_or(&b""[..], |location| location.file))?;
    write_cell(
        table,
        location.map_or(String::new(), |location| location.line.to_string()),
    )?;
    let address = names.address(id);
    write_cell(
        table,
        address.map_or(String::new(), |address| format!("{address:#x}")),
    )?;
    if names.has_objects() {
        write_cell(table, names.object(id).unwrap_or_default())?;
    }
    Ok(())
}

/// The cells of what is known of a name, where there is none.
fn write_nothing(table: &mut csv::Writer<impl Write>, has_objects: bool) -> io::Result<()> {
    for _ in ["linkage_name", "file", "line", "address"] {
        write_cell(table, "")?;
    }
    if has_objects {
        write_cell(table, "")?;
    }
    Ok(())
}

fn write_cell(table: &mut csv::Writer<impl Write>, cell: impl AsRef<[u8]>) -> io::Result<()> {
    table.write_field(cell).map_err(io::Error::from)
}

fn end_line(table: &mut csv::Writer<impl Write>) -> io::Result<()> {
    let no_fields: [&[u8]; 0] = [];
    table.write_record(no_fields).map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing::{hostile_report, rendered, sample_report};

    #[test]
    fn a_table_has_a_line_of_ids_and_one_for_each_row() {
        let report = sample_report();
        let expected = "\
kind,self,self_bytes,total,percent,calls,name,linkage_name,file,line,address
entry,30,4096,100,75.0,3,ns::work(int),_ZN2ns4workEi,src/work.cc,12,0x401000
entry,10,,,25.0,,main,,,,0x401100
unattributed,5,,,,,<unattributed>,,,,
";
        let text = rendered(&CSV, &report, &RenderOptions::default());
        assert_eq!(String::from_utf8_lossy(&text), expected);
        let text = rendered(&TSV, &report, &RenderOptions::default());
        assert_eq!(String::from_utf8_lossy(&text), expected.replace(',', "\t"));
    }

    #[test]
    fn what_is_quoted_reads_back_as_it_was() {
        let report = hostile_report();
        for (renderer, separator) in [(&CSV, b','), (&TSV, b'\t')] {
            let text = rendered(renderer, &report, &RenderOptions::default());
            let mut reader = csv::ReaderBuilder::new()
                .delimiter(separator)
                .from_reader(&*text);
            let heads = reader.byte_headers().expect("it is a table").clone();
            let name = heads.iter().position(|head| head == b"name");
            let mut names = Vec::new();
            for row in reader.byte_records() {
                let row = row.expect("rows have as many cells");
                names.push(row[name.expect("there are names")].to_vec());
            }
            let mut expected = Vec::new();
            let visited = report.sections[0].rows.for_each(&mut |row| {
                let Some(Cell::Name(id)) = row.cells.last() else {
                    return Ok(());
                };
                expected.push(report.names.name(*id).to_vec());
                Ok(())
            });
            visited.expect("nothing is written");
            assert_eq!(names, expected);
        }
    }

    #[test]
    fn one_of_several_sections_has_to_be_chosen() {
        let mut report = sample_report();
        report.sections.remove(0);
        let error = chosen_section("csv", &report, None).expect_err("there are several");
        let expected = "`csv` shows one section; choose `graph`, `leaks` and `order`";
        assert_eq!(error.to_string(), expected);
        let error = chosen_section("csv", &report, Some(SectionId::Flat)).expect_err("none");
        let expected =
            "there is no section `flat` in the report; it has `graph`, `leaks` and `order`";
        assert_eq!(error.to_string(), expected);
        assert!(chosen_section("csv", &report, Some(SectionId::Graph)).is_ok());
    }
}
