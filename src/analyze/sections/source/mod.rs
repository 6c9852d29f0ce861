//! Source text with numbers next to its lines.

mod by_file;
mod costs;
mod executions;

pub use by_file::{cost_by_file, time_by_file};
pub use costs::cost_sources;
pub use executions::execution_sources;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::name;
use crate::analyze::annotation::Annotator;
use crate::report::{
    Cell, Column, Layout, Role, Row, RowKind, RowTable, RowVisitor, Rows, Section, SectionId,
};
use crate::symbols::{FileId, SymbolId};
use executions::Executions;

/// A source file with costs, before its text is read.
#[derive(Debug)]
pub struct SourceFile {
    pub file: FileId,
    numbers: SourceNumbers,
}

#[derive(Debug)]
enum SourceNumbers {
    Executions(Box<Executions>),
    Costs(Vec<(u32, Box<[Cell]>)>, Box<[Column]>),
}

/// Inlined functions with their time, by the line of their call.
type InlinedCalls = BTreeMap<u32, Vec<(SymbolId, Cell)>>;

impl SourceFile {
    /// The sections about the file with its text. Files must come in output order, for
    /// `annotator`.
    pub fn sections(
        self,
        name: &str,
        text: Arc<Vec<u8>>,
        annotator: &mut Annotator,
    ) -> Vec<Section> {
        let title = format!("*** File {name}:");
        match self.numbers {
            SourceNumbers::Costs(lines, columns) => {
                let rows = SourceRows {
                    text,
                    n_numbers: columns.len() - source_columns().len(),
                    lines,
                    file: None,
                    shows_inlined: false,
                    inlined: InlinedCalls::new(),
                };
                let layout = Layout::Table;
                vec![Section::new(SectionId::Source, title, layout, columns, rows)]
            }
            SourceNumbers::Executions(executions) => {
                executions.sections(title, name, text, annotator)
            }
        }
    }
}

/// The lines of a source, with cells.
struct SourceRows {
    text: Arc<Vec<u8>>,
    n_numbers: usize,
    lines: Vec<(u32, Box<[Cell]>)>,
    /// File name, for tables with several files.
    file: Option<Cell>,
    shows_inlined: bool,
    inlined: InlinedCalls,
}

impl SourceRows {
    /// Columns of numbers, then those of the lines.
    fn with_columns(&self, numbers: Vec<Column>) -> Vec<Column> {
        let mut columns = numbers;
        columns.extend(source_columns());
        if self.file.is_some() {
            columns.push(Column::hidden("file", Role::Source));
        }
        if self.shows_inlined {
            columns.push(Column::hidden("inlined", Role::Name));
            columns.push(Column::hidden("inlined_time", Role::Total));
        }
        columns
    }
}

impl Rows for SourceRows {
    fn for_each_of(&self, _: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let mut marks = self.lines.iter().peekable();
        let mut cells = Vec::new();
        for (number, line) in (1..).zip(self.text.split_inclusive(|&byte| byte == b'\n')) {
            cells.clear();
            match marks.next_if(|(line, _)| *line == number) {
                Some((_, numbers)) => cells.extend_from_slice(numbers),
                None => cells.resize(self.n_numbers, Cell::Absent),
            }
            cells.extend([Cell::Integer(number.into()), Cell::text(line)]);
            cells.extend(self.file.clone());
            if self.shows_inlined {
                cells.extend([Cell::Absent, Cell::Absent]);
            }
            visit(Row { kind: RowKind::Entry, cells: &cells })?;
            for (inlined, time) in self.inlined.get(&number).into_iter().flatten() {
                cells.clear();
                cells.resize(self.n_numbers, Cell::Absent);
                let line = Cell::Integer(number.into());
                cells.extend([line, Cell::Absent]);
                cells.extend(self.file.clone());
                cells.extend([name(*inlined), time.clone()]);
                visit(Row { kind: RowKind::Inline, cells: &cells })?;
            }
        }
        Ok(())
    }
}

/// The line number and its text.
fn source_columns() -> [Column; 2] {
    [Column::hidden("line", Role::Source), Column::shown("text", Role::Source, ["", ""])]
}

/// Returns whether a path belongs to the system or the compiler, by its directories.
fn is_of_system(path: &[u8]) -> bool {
    let starts = ["/usr/include/", "/usr/local/include/", "/usr/lib/", "/rustc/"];
    let parts = ["/include/c++/", "/lib/gcc/", "/lib/clang/"];
    let contains = |part: &str| path.windows(part.len()).any(|bytes| bytes == part.as_bytes());
    starts.iter().any(|start| path.starts_with(start.as_bytes())) || parts.into_iter().any(contains)
}

/// The section if no source line has any cost.
pub fn empty_source(sentence: &str) -> Section {
    let id = SectionId::SourceSummary;
    Section {
        summary: vec![sentence.to_owned()],
        ..Section::new(id, "", Layout::Table, [], RowTable::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_files_are_recognised_by_their_directories() {
        let check = |path: &str, expected: bool| {
            assert_eq!(is_of_system(path.as_bytes()), expected, "for {path}");
        };
        check("/usr/include/c++/12/bits/stl_map.h", true);
        check("/opt/gcc-13/include/c++/13/vector", true);
        check("/home/a/tools/lib/clang/17/include/immintrin.h", true);
        check("/rustc/59807616e1fa/library/core/src/iter/range.rs", true);
        check("/usr/src/program/main.c", false);
        check("include/tree.h", false);
        check("", false);
    }
}
