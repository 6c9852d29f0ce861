//! One section as a table of separated values, quoted as RFC 4180 says.
//!
//! The first line has the ids of the columns, behind one that says what a row is. What
//! is known of a name has columns of its own. Bytes are written as they are.

use std::io::{self, Write};

use super::error::section_ids;
use super::fields::{Field, Place, fields};
use super::json::value::{push, push_integer};
use super::{RenderError, RenderOptions, Renderer};
use crate::report::{Cell, Column, NameId, NameTable, Report, Section, SectionId};

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
        let mut builder = csv::WriterBuilder::new();
        let mut table = builder.delimiter(self.separator).from_writer(out);
        let fields = fields(&section.columns, &report.metrics, report.primary);
        write_head(&mut table, section, &fields)?;
        for section in sections {
            write_rows(&mut table, section, &fields, &*report.names)?;
        }
        table.flush()?;
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

/// A table that is being written.
type Table<'w> = csv::Writer<&'w mut dyn Write>;

fn write_head(table: &mut Table<'_>, section: &Section<'_>, fields: &[Field]) -> io::Result<()> {
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
        }
    }
    end_line(table)
}

fn write_rows(
    table: &mut Table<'_>,
    section: &Section<'_>,
    fields: &[Field],
    names: &dyn NameTable,
) -> io::Result<()> {
    let mut text = Vec::new();
    section.rows.for_each(&mut |row| {
        write_cell(table, row.kind.id())?;
        for (cell, field) in row.cells.iter().zip(fields) {
            match cell {
                Cell::Name(id) => write_cell(table, names.name(*id))?,
                Cell::Text(bytes) => write_cell(table, bytes)?,
                Cell::Absent | Cell::Integer(_) | Cell::Real(_) | Cell::Counts(_) => {
                    text.clear();
                    push_number(&mut text, cell);
                    write_cell(table, &text)?;
                }
            }
            if field.name.is_some() {
                match cell {
                    Cell::Name(id) => write_what_is_known(table, names, *id)?,
                    _ => ["", "", "", ""]
                        .into_iter()
                        .try_for_each(|cell| write_cell(table, cell))?,
                }
            }
        }
        end_line(table)
    })
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

fn write_what_is_known(table: &mut Table<'_>, names: &dyn NameTable, id: NameId) -> io::Result<()> {
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
    )
}

fn write_cell(table: &mut Table<'_>, cell: impl AsRef<[u8]>) -> io::Result<()> {
    table.write_field(cell).map_err(io::Error::from)
}

fn end_line(table: &mut Table<'_>) -> io::Result<()> {
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
