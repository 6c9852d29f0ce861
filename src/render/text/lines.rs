//! Sections for a screen that scrolls: lines, each with the row that it shows.

use super::cells::{depth_column, depth_of};
use super::names::NameWriter;
use super::screen_names::ScreenNames;
use super::table::TableLayout;
use super::{Page, RenderOptions, RenderResult};
use crate::report::{Cell, Layout, Report, Role, Row, RowKind, Section, SectionId, Text};

/// The text of a report on a screen. Names differ if they differ in the report.
pub struct ScreenText<'r> {
    report: &'r Report,
    short: Option<ScreenNames>,
    options: RenderOptions,
}

/// The lines of a section.
#[derive(Debug, Default)]
pub struct SectionLines {
    /// Headings of columns.
    pub heads: Vec<Vec<u8>>,
    pub lines: Vec<Vec<u8>>,
    /// The row of each line; empty for text without rows.
    pub rows: Vec<LineSubject>,
    /// The number columns on the screen.
    pub columns: Vec<LineColumn>,
    /// For each row, the numbers of these columns; not a number if absent.
    pub numbers: Vec<f64>,
}

/// A number column on the screen.
#[derive(Clone, Debug)]
pub struct LineColumn {
    /// Its name in files.
    pub id: String,
    /// Its heading.
    pub words: String,
    /// Rows may be sorted by it.
    pub is_order: bool,
}

/// The row of a line.
#[derive(Clone, Debug)]
pub struct LineSubject {
    pub kind: RowKind,
    /// A name or text.
    pub name: Cell,
    /// Depth of a frame in a call tree.
    pub depth: Option<usize>,
}

impl<'r> ScreenText<'r> {
    /// Text for `options.screen` columns.
    pub fn new(report: &'r Report, options: RenderOptions) -> Self {
        Self { report, short: ScreenNames::of(report, &options), options }
    }

    /// The lines of a section of the report, or of one with some of its rows.
    ///
    /// # Errors
    /// None in practice: the lines stay in memory.
    pub fn section(&self, section: &Section) -> RenderResult<SectionLines> {
        let names =
            NameWriter { short: self.short.as_ref(), ..NameWriter::of(self.report, self.options) };
        if has_own_layout(section) {
            return self.plain(section, names);
        }
        let mut shown = SectionLines::default();
        let Some(table) = TableLayout::of(section, names)? else {
            return Ok(shown);
        };
        let mut text = Text::default();
        table.push_heads(&mut text);
        shown.heads = lines_of(text.as_bytes());
        text.clear();
        shown.columns = table
            .numbers
            .iter()
            .map(|number| {
                let words = number.head.iter().map(|word| word.trim());
                let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
                LineColumn {
                    id: section.columns[number.place].id.to_string(),
                    words: words.join(" "),
                    is_order: is_order(number.role),
                }
            })
            .collect();
        let depth = depth_column(section);
        let mut line = Text::default();
        section.rows.for_each(&mut |row| {
            table.push_row(&mut text, &row, &mut line);
            let of_row = LineSubject {
                kind: row.kind,
                name: row.cells[table.last.place].clone(),
                depth: depth_of(&row, depth),
            };
            for text in lines_of(text.as_bytes()) {
                shown.lines.push(text);
                shown.rows.push(of_row.clone());
                let numbers = table.numbers.iter().map(|number| number_of(&row, number.place));
                shown.numbers.extend(numbers);
            }
            text.clear();
            Ok(())
        })?;
        Ok(shown)
    }

    fn plain(&self, section: &Section, names: NameWriter<'_>) -> RenderResult<SectionLines> {
        let mut out = Vec::new();
        let mut page = Page {
            text: Text::default(),
            out: &mut out,
            names,
            options: self.options,
            shown: Vec::new(),
        };
        page.section(section)?;
        page.text.write(page.out)?;
        Ok(SectionLines { lines: lines_of(&out), ..SectionLines::default() })
    }
}

/// Returns whether text prints a section otherwise than as a table.
fn has_own_layout(section: &Section) -> bool {
    use SectionId as S;
    match section.id {
        S::Overview | S::Files | S::Source | S::SourceTop | S::SourceSummary | S::Order => true,
        S::Index | S::Coverage | S::CoverageMissed | S::TraceHistory => true,
        S::Counts => section.layout == Layout::Gprof,
        _ => false,
    }
}

/// Returns whether a column orders rows. Shares, bars and limits have the order of their
/// numbers.
fn is_order(role: Role) -> bool {
    use Role as R;
    matches!(
        role,
        R::SelfValue
            | R::Total
            | R::Children
            | R::Calls
            | R::PerCall
            | R::Count
            | R::Old
            | R::New
            | R::Change
    )
}

fn lines_of(text: &[u8]) -> Vec<Vec<u8>> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let lines = text.split(|&byte| byte == b'\n');
    lines.map(<[u8]>::to_vec).collect()
}

fn number_of(row: &Row<'_>, place: usize) -> f64 {
    match &row.cells[place] {
        Cell::Integer(number) => *number as f64,
        Cell::Real(number) => *number,
        _ => f64::NAN,
    }
}
