//! The picture of a terminal in the README equals the output on a terminal.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use vt100::{Cell, Color, Screen};

use crate::terminal::run;

/// Its command line, in `fixtures/tour`.
const LINE: &str = "gmon.out primes";

const COLUMNS: u16 = 80;

/// The number of lines up to the end of the first entry of the call graph.
const LINES: u16 = 26;

/// The size of a cell in a font of 14 pixels.
const CELL: (f32, f32) = (8.43, 18.0);
const MARGIN: f32 = 14.0;

/// The background: dark, for pages of either kind.
const GROUND: &str = "#1e2229";
const PLAIN: &str = "#d5d9e0";
const PROMPT: &str = "#7fb069";

#[test]
fn the_picture_equals_the_terminal() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/terminal.svg");
    let shown = run("tour", &format!("--pager never {LINE}"), (COLUMNS, 100), &[]);
    let picture = picture_of(shown.screen.screen());
    if std::env::var_os("PROFAN_BLESS").is_some() {
        fs::write(&path, &picture).expect("the picture can be written");
    }
    let kept = fs::read_to_string(&path).expect("the picture is there");
    assert!(kept == picture, "docs/terminal.svg is not what is shown");
}

/// The command and the first lines of the screen below it.
fn picture_of(screen: &Screen) -> String {
    let width = f32::from(COLUMNS) * CELL.0 + 2.0 * MARGIN;
    let height = f32::from(LINES + 1) * CELL.1 + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n\
         <title>profan {LINE}, in a terminal of {COLUMNS} columns</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{GROUND}\"/>\n\
         <g font-family=\"ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', \
         monospace\" font-size=\"14\" fill=\"{PLAIN}\" xml:space=\"preserve\">\n"
    );
    push_run(&mut svg, (0, 0), "$", &format!(" fill=\"{PROMPT}\""));
    push_run(&mut svg, (0, 2), &format!("profan {LINE}"), "");
    for row in 0..LINES {
        push_row(&mut svg, screen, row);
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// A row as words, each at its own position, so that a wider font moves only the letters of a
/// word.
fn push_row(svg: &mut String, screen: &Screen, row: u16) {
    let cell_at = |column| screen.cell(row, column);
    let mut column = 0;
    while let Some(first) = cell_at(column) {
        let start = column;
        let mut word = String::new();
        while let Some(cell) = cell_at(column).filter(|cell| is_part(cell, first)) {
            word.push_str(cell.contents());
            column += 1;
        }
        if word.is_empty() {
            column += 1
        } else {
            push_run(svg, (row + 1, start), &word, &attributes(first))
        }
    }
}

/// Whether a cell goes on with a word.
fn is_part(cell: &Cell, first: &Cell) -> bool {
    let is_blank = cell.contents().trim().is_empty();
    !is_blank && attributes(cell) == attributes(first)
}

/// Letters from a cell on.
fn push_run(svg: &mut String, (row, column): (u16, u16), text: &str, attributes: &str) {
    let x = MARGIN + f32::from(column) * CELL.0;
    let y = MARGIN + f32::from(row) * CELL.1 + 13.5;
    let n_cells = u16::try_from(text.chars().count()).expect("rows are short");
    let length = f32::from(n_cells) * CELL.0;
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\"{attributes}>{text}</text>"
    )
    .expect("strings take everything");
}

/// The style of a cell that is not plain.
fn attributes(cell: &Cell) -> String {
    let color = match cell.fgcolor() {
        Color::Default => None,
        Color::Idx(1) => Some("#ff7b72"),
        Color::Idx(2) => Some("#7fb069"),
        Color::Idx(3) => Some("#e3b341"),
        Color::Idx(5) => Some("#d2a8ff"),
        other => panic!("the picture has no colour for {other:?}"),
    };
    let color = color.map(|color| format!(" fill=\"{color}\""));
    let bold = cell.bold().then(|| " font-weight=\"bold\"".to_owned());
    let dim = cell.dim().then(|| " opacity=\"0.6\"".to_owned());
    [color, bold, dim].into_iter().flatten().collect()
}
