//! Readers of Markdown show the intended text.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::*;
use crate::render::testing::{
    coverage_report, difference_report, hostile_report, rendered, sample_report,
};
use crate::report::{Cell, NameId, escape_controls};

fn markdown(report: &Report) -> String {
    let text = rendered(&MARKDOWN, report, &RenderOptions::default());
    String::from_utf8(text).expect("Markdown is text")
}

/// The content of tables: for each row the text of its cells, and the parts that are code.
#[derive(Default)]
struct SeenTable {
    rows: Vec<Vec<String>>,
    code: Vec<String>,
    headings: usize,
    html: usize,
}

fn seen(text: &str) -> SeenTable {
    let mut seen = SeenTable::default();
    let mut is_in_cell = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::TableRow | Tag::TableHead) => seen.rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => {
                is_in_cell = true;
                seen.rows.last_mut().expect("in a row").push(String::new());
            }
            Event::End(TagEnd::TableCell) => is_in_cell = false,
            Event::Start(Tag::Heading { .. }) => seen.headings += 1,
            Event::Html(_) | Event::InlineHtml(_) => seen.html += 1,
            Event::Code(text) | Event::Text(text) if is_in_cell => {
                let row = seen.rows.last_mut().expect("in a row");
                row.last_mut().expect("in a cell").push_str(&text);
            }
            Event::Code(text) => seen.code.push(text.into_string()),
            _ => {}
        }
    }
    seen
}

#[test]
fn a_difference_is_a_table_for_a_merge_request() {
    let text = markdown(&difference_report());
    let expected = "\
## What differs

100 ticks

| old seconds | new seconds | change seconds | change % | at least seconds | at most seconds | verdict | calls old | calls new | calls change | name |
|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|---|
| 2.00 | 2.25 | +0.25 | +12.5 | +0.12 | +0.38 | slower | 3 | 5 | +2 | whole program |
| 1.00 | 1.50 | +0.50 | +50.0 | +0.38 | +0.62 | slower | 3 | 5 | +2 | `ns::work(int)` |
| 1.00 | 0.50 | -0.50 | -50.0 | -0.62 | -0.38 | faster | 3 | 5 | +2 | `main` |
| 0.00 | 0.25 | +0.25 | | +0.12 | +0.38 | new | 3 | 5 | +2 | `helper` |
| 0.00 | 0.00 | 0.00 | | -0.12 | +0.12 | unclear | 3 | 5 | +2 | \\<unattributed\\> |

- \"said\" afterwards

## Which calls differ

100 ticks

| calls old | calls new | calls change | verdict | caller | name |
|--:|--:|--:|---|---|---|
| 3 | 5 | +2 | more | `main` | `ns::work(int)` |

- \"said\" afterwards

## Warnings

- `no-lines`: there are no lines; help: compile with `-g`
";
    assert_eq!(text, expected);
}

#[test]
fn every_row_is_a_row_and_every_section_has_its_heading() {
    for report in [sample_report(), coverage_report(), difference_report()] {
        let seen = seen(&markdown(&report));
        let shown = |section: &&Section| (MARKDOWN.accepts)(section.id);
        let n_shown = report.sections.iter().filter(shown).count();
        assert_eq!(seen.headings, n_shown + 1, "and that of warnings");
        assert_eq!(seen.html, 0);
        let n_cells = |row: &Vec<String>| row.len();
        assert!(seen.rows.iter().all(|row| n_cells(row) > 0));
        assert_eq!(seen.code, ["no-lines", "-g"]);
    }
}

#[test]
fn names_are_read_as_they_are() {
    let mut report = hostile_report();
    for section in &mut report.sections {
        for column in &mut section.columns {
            let is_shown = matches!(&*column.id, "file" | "name");
            *column = crate::report::Column {
                print: is_shown.then_some(crate::report::Print::new(0, 0)),
                head: ["".into(), column.id.clone()],
                ..column.clone()
            };
        }
    }
    report.sections.truncate(1);
    let text = markdown(&report);
    let mut expected = vec![vec!["file".to_owned(), "name".to_owned()]];
    let visited = report.sections[0].rows.for_each(&mut |row| {
        let Some(Cell::Name(NameId(id))) = row.cells.last() else {
            return Ok(());
        };
        let name = escape_controls(report.names.name(NameId(*id)));
        let name = String::from_utf8_lossy(&name).into_owned();
        expected.push(vec![name.clone(), name]);
        Ok(())
    });
    visited.expect("nothing is written");
    let seen = seen(&text);
    assert_eq!(seen.rows, expected, "{text}");
    assert_eq!(seen.html, 0);
}

#[test]
fn what_has_no_table_is_an_error_that_names_who_can() {
    let mut report = sample_report();
    report.sections.retain(|one| one.id == SectionId::Order);
    let shown = MARKDOWN.render(&report, &RenderOptions::default(), &mut Vec::new());
    let error = shown.expect_err("an order is no table").to_string();
    assert!(error.starts_with("`markdown` cannot show `order`; `text`, "), "{error}");
}
