//! One section as separated values, quoted as in RFC 4180, section 2.
//!
//! The first line has the column ids, after one for the kind of row. Properties of names have
//! separate columns. Bytes are written unchanged.

use std::io::Write;

use super::error::section_ids;
use super::fields::{Field, FieldGroup, fields};
use super::json::value::{push, push_integer};
use super::ordered::write_rows;
use super::{Render, RenderError, RenderOptions, RenderResult, Renderer, name_id};
use crate::report::{Cell, Column, NameId, NameTable, Report, Row, Section, SectionId, Text};

pub(super) static CSV: Renderer = renderer(
    "csv",
    &["csv"],
    "one section as a table; --csv-safe for spreadsheets",
    |report, options, out| render("csv", b',', report, options, out),
);

pub(super) static TSV: Renderer =
    renderer("tsv", &["tsv"], "the same with tabs", |report, options, out| {
        render("tsv", b'\t', report, options, out)
    });

const fn renderer(
    name: &'static str,
    extensions: &'static [&'static str],
    about: &'static str,
    render: Render,
) -> Renderer {
    Renderer {
        shows_sources: true,
        shows_error: true,
        ..Renderer::new(name, extensions, about, render)
    }
}

fn render(
    format: &'static str,
    separator: u8,
    report: &Report,
    options: &RenderOptions,
    out: &mut dyn Write,
) -> RenderResult {
    let section = chosen_section(format, report, options.section)?;
    let sections = of_all_files(section, report);
    let columns = all_columns(&sections);
    let fields = fields(&columns, &report.metrics, report.primary);
    let names = &*report.names;
    let text = &mut Vec::new();
    let is_safe = options.is_csv_safe;
    let mut line = SeparatedLine { text, separator, is_safe };
    push_head(&mut line, &columns, &fields, names.has_objects());
    out.write_all(line.text)?;
    for section in sections {
        let places: Vec<_> = columns.iter().map(|column| section.column(&column.id)).collect();
        let is_aligned = places.iter().copied().eq((0..columns.len()).map(Some));
        let write = &mut |text: &mut Text| text.write(out);
        write_rows(&*section.rows, write, &|text, part| {
            let mut number = Vec::new();
            part.for_each(text, |text, row| {
                let text = text.bytes_mut();
                let mut line = SeparatedLine { text, separator, is_safe };
                if is_aligned {
                    push_row(&mut line, &row, &fields, names, &mut number);
                    return;
                }
                let cell =
                    |place: &Option<usize>| place.map_or(Cell::Absent, |at| row.cells[at].clone());
                let cells: Vec<Cell> = places.iter().map(cell).collect();
                let row = Row { kind: row.kind, cells: &cells };
                push_row(&mut line, &row, &fields, names, &mut number);
            })
        })?;
    }
    Ok(())
}

/// The requested section; by default the flat profile, or the only section.
fn chosen_section<'r>(
    format: &'static str,
    report: &'r Report,
    chosen: Option<SectionId>,
) -> RenderResult<&'r Section> {
    let with_id = |id| report.sections.iter().find(|section| section.id == id);
    if let Some(section) = chosen {
        let sections = section_ids(report);
        return with_id(section).ok_or(RenderError::NoSuchSection { section, sections });
    }
    match &*report.sections {
        [] => Err(RenderError::Nothing { format }),
        [section] => Ok(section),
        _ => with_id(SectionId::Flat)
            .or_else(|| only_table_of_programs(report))
            .ok_or_else(|| RenderError::ManySections { format, sections: section_ids(report) }),
    }
}

/// Source sections have a file column, so that all of them are one table, as are the files of
/// several programs; any other section is a table of its own.
fn of_all_files<'r>(section: &'r Section, report: &'r Report) -> Vec<&'r Section> {
    let is_source = section.id == SectionId::Source && section.column("file").is_some();
    if !is_source && !is_by_program(section) {
        return vec![section];
    }
    // The columns of files may differ in width.
    let is_same = |(a, b): (&Column, &Column)| a.id == b.id;
    let has_same = |other: &&Section| {
        other.columns.len() == section.columns.len()
            && other.columns.iter().zip(&section.columns).all(is_same)
    };
    let all = report.sections.iter();
    let all = all.filter(|other| other.id == section.id);
    all.filter(|other| is_by_program(other) || has_same(other)).collect()
}

/// Returns whether the sections of several programs are one table.
fn is_by_program(section: &Section) -> bool {
    use SectionId as S;
    matches!(section.id, S::Spread | S::SpreadFiles | S::Trend | S::Difference | S::DifferenceCalls)
}

/// The first section of several programs, if there are no other tables than that of the programs.
fn only_table_of_programs(report: &Report) -> Option<&Section> {
    let is_table = |one: &&Section| one.id != SectionId::ProgramDifference;
    let mut tables = report.sections.iter().filter(is_table);
    let first = tables.next().filter(|first| is_by_program(first))?;
    tables.all(|other| other.id == first.id).then_some(first)
}

/// The columns that any of these sections has.
fn all_columns(sections: &[&Section]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for column in sections.iter().flat_map(|section| &section.columns) {
        if !columns.iter().any(|known| known.id == column.id) {
            columns.push(column.clone());
        }
    }
    columns
}

struct SeparatedLine<'t> {
    text: &'t mut Vec<u8>,
    separator: u8,
    /// Protect against formulas.
    is_safe: bool,
}

impl SeparatedLine<'_> {
    /// Adds a text cell; prefixes a formula with an apostrophe if requested. Source: OWASP,
    /// "CSV Injection".
    fn push_words(&mut self, words: impl AsRef<[u8]>) {
        let words = words.as_ref();
        match words.first() {
            Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n') if self.is_safe => {
                self.push([b"'", words].concat());
            }
            _ => self.push(words),
        }
    }

    /// Adds a cell and its separator, quoted if necessary.
    fn push(&mut self, cell: impl AsRef<[u8]>) {
        let cell = cell.as_ref();
        let ends_cell = |&byte: &u8| matches!(byte, b'"' | b'\n' | b'\r') || byte == self.separator;
        if !cell.iter().any(ends_cell) {
            self.text.extend_from_slice(cell);
        } else {
            self.text.push(b'"');
            for &byte in cell {
                self.text.extend_from_slice(if byte == b'"' {
                    b"\"\""
                } else {
                    std::slice::from_ref(&byte)
                });
            }
            self.text.push(b'"');
        }
        self.text.push(self.separator);
    }

    fn end(&mut self) {
        self.text.pop();
        self.text.push(b'\n');
    }
}

fn push_head(
    line: &mut SeparatedLine<'_>,
    columns: &[Column],
    fields: &[Field],
    has_objects: bool,
) {
    line.push("kind");
    for (field, column) in fields.iter().zip(columns) {
        // The columns are in one group here, so ids distinguish them.
        line.push_words(match field.place {
            FieldGroup::Row => &*field.key,
            FieldGroup::Values | FieldGroup::TotalValues => &*column.id,
        });
        if let Some([known @ .., _static, _told_apart_by, object]) = &field.name {
            let object = has_objects.then_some(object);
            known.iter().chain(object).for_each(|key| line.push(key));
        }
    }
    line.end();
}

fn push_row(
    line: &mut SeparatedLine<'_>,
    row: &Row<'_>,
    fields: &[Field],
    names: &dyn NameTable,
    number: &mut Vec<u8>,
) {
    line.push(row.kind.id());
    for (cell, field) in row.cells.iter().zip(fields) {
        match cell {
            Cell::Name(id) => line.push_words(names.name(*id)),
            Cell::Text(bytes) => line.push_words(bytes),
            Cell::Absent | Cell::Integer(_) | Cell::Real(_) | Cell::Counts(_) => {
                number.clear();
                push_number(number, cell);
                line.push(&*number);
            }
        }
        if field.name.is_some() {
            push_what_is_known(line, names, name_id(cell));
        }
    }
    line.end();
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

/// Properties of a name, or empty cells.
fn push_what_is_known(line: &mut SeparatedLine<'_>, names: &dyn NameTable, id: Option<NameId>) {
    let linkage_name = id.map(|id| (names.linkage_name(id), names.name(id)));
    let linkage_name = linkage_name.filter(|(linkage_name, name)| linkage_name != name);
    line.push_words(linkage_name.map_or(&b""[..], |(linkage_name, _)| linkage_name));
    let location = id.and_then(|id| names.location(id));
    line.push_words(location.map_or(&b""[..], |location| location.file));
    line.push(location.map_or(String::new(), |location| location.line.to_string()));
    let address = id.and_then(|id| names.address(id));
    line.push(address.map_or(String::new(), |address| format!("{address:#x}")));
    if names.has_objects() {
        line.push_words(id.and_then(|id| names.object(id)).unwrap_or_default());
    }
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
            let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(&*text);
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
    fn a_spreadsheet_finds_no_formula_where_none_is_wanted() {
        let cell = |words: &str, is_safe| {
            let text = &mut Vec::new();
            let separator = b',';
            let mut line = SeparatedLine { text, separator, is_safe };
            line.push_words(words);
            String::from_utf8_lossy(text).into_owned()
        };
        for words in ["=1+1", "+1", "-1", "@f", "\tx"] {
            assert_eq!(cell(words, true), format!("'{words},"));
            assert_eq!(cell(words, false), format!("{words},"));
        }
        assert_eq!(cell("\r=1,2", true), "\"'\r=1,2\",");
        assert_eq!(cell("operator=", true), "operator=,");
        assert_eq!(cell("", true), ",");
    }

    #[test]
    fn one_of_several_sections_has_to_be_chosen() {
        let mut report = sample_report();
        report.sections.remove(0);
        let error = chosen_section("csv", &report, None).expect_err("there are several");
        let expected = "`csv` shows one section; choose `graph`, `leaks` and `order`";
        assert_eq!(error.to_string(), expected);
        let error = chosen_section("csv", &report, Some(SectionId::Flat)).expect_err("none");
        let expected = "no section `flat` in the report; it contains `graph`, `leaks` and `order`";
        assert_eq!(error.to_string(), expected);
        assert!(chosen_section("csv", &report, Some(SectionId::Graph)).is_ok());
    }
}
