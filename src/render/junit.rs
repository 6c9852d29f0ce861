//! A comparison as a JUnit test report, for continuous integration.
//!
//! Each function or call is a test, which fails if the comparison refuses it. Nothing depends
//! on the time or place of the comparison.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::text::{NameWriter, push_cell};
use super::{RenderOptions, RenderResult, Renderer, name_id, visible};
use crate::report::{Cell, Report, Role, Row, RowKind, Section, SectionId, Text};

pub(super) static JUNIT: Renderer = Renderer {
    accepts: |section| {
        use SectionId as S;
        matches!(section, S::ProgramDifference | S::Difference | S::DifferenceCalls)
    },
    shows_sources: true,
    rows_are_tests: true,
    ..Renderer::new(
        "junit",
        &["xml"],
        "the differences of two sides as tests, for CI servers",
        render,
    )
};

const ALL: &[u8] = b"whole program";

/// Separates caller and callee.
const CALLS: &[u8] = b" -> ";

fn render(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let sections = JUNIT.accepted(report)?;
    let names = NameWriter::of(report, RenderOptions { shows_error: false, ..*options });
    let suites = sections.into_iter().map(|section| suite(section, &names));
    let suites = suites.collect::<io::Result<Vec<Suite>>>()?;
    let n_tests: usize = suites.iter().map(|suite| suite.n_tests).sum();
    let n_failures: usize = suites.iter().map(|suite| suite.n_failures).sum();
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"profan\" \
         tests=\"{n_tests}\" skipped=\"0\" failures=\"{n_failures}\" errors=\"0\">\n"
    )?;
    for suite in suites {
        out.write_all(suite.to_xml().as_bytes())?;
    }
    out.write_all(b"</testsuites>\n")?;
    Ok(())
}

struct Suite {
    name: String,
    n_tests: usize,
    n_failures: usize,
    cases: String,
}

impl Suite {
    fn to_xml(&self) -> String {
        let head = format!(
            "    <testsuite name=\"{}\" tests=\"{}\" skipped=\"0\" errors=\"0\" failures=\"{}\"",
            escaped(&self.name),
            self.n_tests,
            self.n_failures
        );
        if self.cases.is_empty() {
            return format!("{head}/>\n");
        }
        format!("{head}>\n{}    </testsuite>\n", self.cases)
    }
}

/// The tests of a section. Omitted rows are not tests.
fn suite(section: &Section, names: &NameWriter<'_>) -> io::Result<Suite> {
    let mut suite = Suite {
        name: visible(section.title.trim_end_matches(':').as_bytes()),
        n_tests: 0,
        n_failures: 0,
        cases: String::new(),
    };
    section.rows.for_each(&mut |row| {
        if row.kind != RowKind::Rest {
            suite.n_tests += 1;
            let failed = push_case(&mut suite.cases, &row, section, names);
            suite.n_failures += usize::from(failed);
        }
        Ok(())
    })?;
    Ok(suite)
}

/// Adds the test of a row. Returns whether it failed.
fn push_case(text: &mut String, row: &Row<'_>, section: &Section, names: &NameWriter<'_>) -> bool {
    let numbers = numbers(names, row, section);
    let failure = failure(row, section);
    let file = file(names, row, section);
    let class = file.unwrap_or_else(|| section.id.id().to_owned());
    let [name, class] = [&name(names, row, section), &class].map(|word| escaped(word));
    let numbers = escaped(&numbers);
    let _ = writeln!(text, "        <testcase name=\"{name}\" classname=\"{class}\">");
    if let Some(failure) = &failure {
        // The reason precedes the numbers.
        let reason = failure.split_once(':').map(|(reason, _)| escaped(reason));
        let reason = reason.map_or(String::new(), |reason| format!(" type=\"{reason}\""));
        let failure = escaped(failure);
        // Some servers show the message, others the text of the element.
        let _ = writeln!(
            text,
            "            <failure message=\"{failure}\"{reason}>{failure}\n{numbers}</failure>"
        );
    }
    let _ = writeln!(text, "            <system-out>{numbers}</system-out>\n        </testcase>");
    failure.is_some()
}

/// Escapes XML markup.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\'' => escaped.push_str("&apos;"),
            '"' => escaped.push_str("&quot;"),
            character => escaped.push(character),
        }
    }
    escaped
}

/// Why a row is refused, if it is.
pub(super) fn failure(row: &Row<'_>, section: &Section) -> Option<String> {
    let mut columns = section.columns.iter().zip(row.cells);
    columns.find_map(|(column, cell)| match cell {
        Cell::Text(text) if column.role == Role::Failure => Some(visible(text)),
        _ => None,
    })
}

pub(super) fn name(names: &NameWriter<'_>, row: &Row<'_>, section: &Section) -> String {
    let mut name = Text::default();
    for cell in names_of(row, section) {
        name.word(if name.is_empty() { b"" } else { CALLS });
        names.push(&mut name, cell);
    }
    match name.as_bytes() {
        b"" if row.kind == RowKind::Total => visible(ALL),
        name => visible(name),
    }
}

fn file(names: &NameWriter<'_>, row: &Row<'_>, section: &Section) -> Option<String> {
    let mut names_of_row = names_of(row, section);
    let location = names_of_row.find_map(|cell| names.table.location(name_id(cell)?))?;
    Some(visible(names.shown_file(location.file)))
}

/// The other cells of a row with their headings, in one line.
fn numbers(names: &NameWriter<'_>, row: &Row<'_>, section: &Section) -> String {
    let mut line = Text::default();
    for (place, (column, cell)) in section.columns.iter().zip(row.cells).enumerate() {
        let is_said = matches!(column.role, Role::Name | Role::Failure | Role::Bar);
        let print = names.print_of(section, place).filter(|_| !is_said);
        let Some(print) = print.filter(|_| !cell.is_absent()) else {
            continue;
        };
        line.word(if line.is_empty() { "" } else { ", " });
        let head = column.head.each_ref().map(|line| line.trim()).join(" ");
        line.word(head.trim());
        line.word(" ");
        push_cell(&mut line, cell, print, names);
    }
    visible(line.as_bytes())
}

/// The names in a row that text shows.
fn names_of<'r>(row: &Row<'r>, section: &'r Section) -> impl Iterator<Item = &'r Cell> {
    let columns = section.columns.iter().zip(row.cells);
    let names = columns.filter(|(column, _)| column.role == Role::Name && column.print.is_some());
    names.map(|(_, cell)| cell)
}

#[cfg(test)]
mod tests {
    use roxmltree::{Document, Node};

    use super::*;
    use crate::render::testing::{
        TestName, difference_columns, difference_report, difference_row, hostile_report, rendered,
        report, sample_report, section,
    };
    use crate::report::{NameId, RowTable};

    fn junit(report: &Report) -> String {
        let text = rendered(&JUNIT, report, &RenderOptions::default());
        String::from_utf8(text).expect("XML is text")
    }

    fn cases<'d>(document: &'d Document<'d>) -> Vec<Node<'d, 'd>> {
        let all = document.descendants();
        all.filter(|node| node.has_tag_name("testcase")).collect()
    }

    #[test]
    fn rows_are_tests_and_fail_where_they_say_why() {
        let text = junit(&difference_report());
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="profan" tests="6" skipped="0" failures="2" errors="0">
    <testsuite name="What differs" tests="5" skipped="0" errors="0" failures="1">
        <testcase name="whole program" classname="difference">
            <system-out>old seconds 2.00, new seconds 2.25, change seconds +0.25, change % +12.5, at least seconds +0.12, at most seconds +0.38, verdict slower, calls old 3, calls new 5, calls change +2</system-out>
        </testcase>
        <testcase name="ns::work(int)" classname="work.cc">
            <failure message="slower: 1.00 s became 1.50 s, +50.0 %" type="slower">slower: 1.00 s became 1.50 s, +50.0 %
"#;
        assert_eq!(&text[..expected.len()], expected);
        let document = Document::parse(&text).expect("it is XML");
        let cases = cases(&document);
        let name = |node: &Node<'_, '_>| node.attribute("name").map(str::to_owned);
        let names: Vec<_> = cases.iter().filter_map(name).collect();
        let expected = [
            "whole program",
            "ns::work(int)",
            "main",
            "helper",
            "<unattributed>",
            "main -> ns::work(int)",
        ];
        assert_eq!(names, expected);
        assert!(!text.contains("time") && !text.contains("uuid"));
    }

    #[test]
    fn hostile_names_are_well_formed_and_tell_each_other_apart() {
        let hostile = hostile_report();
        let mut names = Vec::new();
        let visited = hostile.sections[0].rows.for_each(&mut |row| {
            if let Some(Cell::Name(id)) = row.cells.last() {
                names.push(hostile.names.name(*id).to_vec());
            }
            Ok(())
        });
        visited.expect("nothing is written");
        let mut rows = RowTable::default();
        for (id, name) in (0..).zip(&names) {
            let word = String::from_utf8_lossy(name);
            let name = Cell::Name(NameId(id));
            let row = difference_row([1.0, 2.0], &word, Some(&word), name);
            rows.push(RowKind::Entry, row);
        }
        let difference = section(SectionId::Difference, difference_columns(), rows);
        let table = names.iter().map(|name| TestName {
            name: name.clone(),
            location: Some((name.clone(), 1)),
            ..TestName::default()
        });
        let text = junit(&report(table.collect(), vec![difference]));
        let document = Document::parse(&text).expect("it is XML");
        let cases = cases(&document);
        let seen: Vec<_> = cases.iter().map(|case| case.attribute("name")).collect();
        let expected: Vec<_> = names.iter().map(visible).collect();
        let expected: Vec<_> = expected.iter().map(|name| Some(&**name)).collect();
        assert_eq!(seen, expected);
        let failed = |case: &&Node<'_, '_>| case.children().any(|one| one.has_tag_name("failure"));
        assert_eq!(cases.iter().filter(failed).count(), names.len());
    }

    #[test]
    fn what_must_not_be_in_xml_is_spelled_out() {
        let check = |text: &[u8], expected: &str| assert_eq!(visible(text), expected);
        check(b"main", "main");
        check(b"a\0b\x1b[1m\n", "a\\x00b\\x1b[1m\\x0a");
        check("a\u{fffe}\u{ffff}".as_bytes(), "a\\u{fffe}\\u{ffff}");
        check(b"\xff", "\\xff");
    }

    #[test]
    fn a_report_without_differences_is_for_other_formats() {
        let shown = JUNIT.render(&sample_report(), &RenderOptions::default(), &mut Vec::new());
        let error = shown.expect_err("it has no difference").to_string();
        assert!(error.starts_with("`junit` cannot show `flat`; "), "{error}");
        assert_eq!(error.matches("junit").count(), 1, "{error}");
        let empty = report(Vec::new(), Vec::new());
        let shown = JUNIT.render(&empty, &RenderOptions::default(), &mut Vec::new());
        let error = shown.expect_err("it has nothing").to_string();
        assert_eq!(error, "`junit` cannot show any section of the report");
    }
}
