//! The changes that a comparison refuses, as workflow commands of GitHub Actions: a warning at
//! the source of each function.
//!
//! Sources for the syntax of commands and the characters to escape:
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions> and
//! `command.ts` in <https://github.com/actions/toolkit>.

use std::io::Write;

use super::junit::{failure, name};
use super::text::NameWriter;
use super::{RenderOptions, RenderResult, Renderer, name_id, visible};
use crate::report::number::counted;
use crate::report::{Report, Row, Section, SectionId, SourceLocation};

pub(super) static GITHUB: Renderer = Renderer {
    accepts: |section| matches!(section, SectionId::ProgramDifference | SectionId::Difference),
    shows_sources: true,
    rows_are_tests: true,
    ..Renderer::new(
        "github",
        &[],
        "refusals of diff --fail-on, as warnings of GitHub Actions",
        render,
    )
};

/// GitHub shows no more warnings of a step than the first of them.
const N_SHOWN: u64 = 10;

fn render(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> RenderResult {
    let sections = GITHUB.accepted(report)?;
    let names = NameWriter::of(report, *options);
    let mut n_refused: u64 = 0;
    for section in sections {
        section.rows.for_each(&mut |row| {
            if let Some(failure) = failure(&row, section) {
                n_refused += 1;
                out.write_all(warning(&failure, &row, section, &names).as_bytes())?;
            }
            Ok(())
        })?;
    }
    let refused = counted(n_refused, "refusal", "refusals");
    match n_refused {
        0 => writeln!(out, "no refusals")?,
        1..=N_SHOWN => writeln!(out, "{refused}")?,
        _ => writeln!(out, "{refused}; GitHub shows the first {N_SHOWN}")?,
    }
    Ok(())
}

/// The command for a row, in one line.
fn warning(failure: &str, row: &Row<'_>, section: &Section, names: &NameWriter<'_>) -> String {
    let name = name(names, row, section);
    let reason = failure.split(':').next().unwrap_or_default();
    let title = escaped_property(&format!("{name}: {reason}"));
    let location = |cell| names.table.location(name_id(cell)?);
    let location = row.cells.iter().find_map(location);
    let place = location.map_or(String::new(), |SourceLocation { file, line }| {
        let file = escaped_property(&visible(without_dots(file)));
        format!("file={file},line={line},")
    });
    let message = escaped(&format!("{name}: {failure}"));
    format!("::warning {place}title={title}::{message}\n")
}

/// A path as GitHub knows files of the repository, without `./` before it.
fn without_dots(mut path: &[u8]) -> &[u8] {
    while let Some(rest) = path.strip_prefix(b"./") {
        path = rest;
    }
    path
}

fn escaped(message: &str) -> String {
    message.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(value: &str) -> String {
    escaped(value).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing::{
        TestName, difference_columns, difference_report, difference_row, rendered, report, section,
    };
    use crate::report::{Cell, NameId, RowKind, RowTable};

    fn github(report: &Report) -> String {
        let text = rendered(&GITHUB, report, &RenderOptions::default());
        String::from_utf8(text).expect("it is text")
    }

    #[test]
    fn refused_functions_are_warnings_at_their_source() {
        let expected = "::warning file=src/work.cc,line=12,title=ns%3A%3Awork(int)%3A slower::\
            ns::work(int): slower: 1.00 s became 1.50 s, +50.0 %25\n1 refusal\n";
        assert_eq!(github(&difference_report()), expected);
    }

    #[test]
    fn names_begin_no_commands_and_end_no_properties() {
        let names = ["::error::x", "a\n::error::x", "100%, b", "f::g,line=1::x"];
        let mut rows = RowTable::default();
        for id in 0..11 {
            let name = Cell::Name(NameId(id % 4));
            rows.push(RowKind::Entry, difference_row([1.0, 2.0], "more", Some("more: 1"), name));
        }
        let table = names.iter().map(|name| TestName {
            name: name.as_bytes().to_vec(),
            location: Some((format!("./{name}").into_bytes(), 1)),
            ..TestName::default()
        });
        let difference = section(SectionId::Difference, difference_columns(), rows);
        let text = github(&report(table.collect(), vec![difference]));
        let lines: Vec<_> = text.lines().collect();
        let of_one = |name: &str, message: &str| {
            format!("::warning file={name},line=1,title={name}%3A more::{message}: more: 1")
        };
        let expected = [
            of_one("%3A%3Aerror%3A%3Ax", "::error::x"),
            of_one("a\\x0a%3A%3Aerror%3A%3Ax", "a\\x0a::error::x"),
            of_one("100%25%2C b", "100%25, b"),
            of_one("f%3A%3Ag%2Cline=1%3A%3Ax", "f::g,line=1::x"),
        ];
        assert_eq!(lines[..4], expected);
        assert_eq!(lines[11..], ["11 refusals; GitHub shows the first 10"]);
    }
}
