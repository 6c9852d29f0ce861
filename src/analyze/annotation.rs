//! The numbers in annotated source.
//!
//! In two steps, since some depend on the number of lines of the source: [`FileCounts`] lists
//! the files with counts, and after these were found, an [`Annotator`] visits each.

use std::collections::BTreeMap;

use super::blocks::BlockCounts;
use crate::model::{Address, BasicBlockCount};
use crate::report::Cell;
use crate::sorting::ColdSort;
use crate::symbols::{FileId, SymbolId, SymbolTable};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnnotationOptions {
    /// Lines without a count repeat the count of the line before.
    pub marks_all_lines: bool,
    /// Lines executed less often get a mark.
    pub min_count: u64,
    /// Number of lines in the table of the most executed ones.
    pub n_top_lines: usize,
}

impl Default for AnnotationOptions {
    fn default() -> Self {
        Self { marks_all_lines: false, min_count: 1, n_top_lines: 10 }
    }
}

#[derive(Debug)]
pub struct FileCounts {
    pub file: FileId,
    /// Calls of all its functions.
    n_calls: u64,
    lines: BTreeMap<u32, LineCounts>,
}

/// The counts of a line. With several symbols, calls include all symbols; the other counts belong
/// to the first.
#[derive(Debug)]
struct LineCounts {
    /// Start of the code, if it belongs to one symbol.
    start: Option<Address>,
    is_function: bool,
    calls: u64,
    /// Some of it ran without being counted.
    is_uncounted: bool,
    blocks: Vec<BasicBlockCount>,
}

#[derive(Debug)]
pub struct AnnotatedFile {
    pub file: FileId,
    pub marks: Vec<(u32, LineMark)>,
    /// The lines executed most often, if requested.
    pub top_lines: Option<TopLines>,
    pub summary: ExecutionSummary,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineMark {
    /// Executed this often, less than the minimum.
    BelowMinimum(u64),
    /// Executed without being counted.
    Uncounted,
    /// Execution counts of its parts.
    Counts(Vec<u64>),
}

#[derive(Debug)]
pub struct TopLines {
    /// Maximum number of lines.
    pub n_wanted: usize,
    pub lines: Vec<TopLine>,
}

#[derive(Clone, Copy, Debug)]
pub struct TopLine {
    pub line: u32,
    /// Calls of its functions.
    pub calls: u64,
}

/// Totals of a source file, for calls only.
#[derive(Clone, Copy, Debug)]
pub struct ExecutionSummary {
    pub n_executable: u64,
    pub n_executed: u64,
    /// Percentage of executed lines.
    pub percent: f64,
    pub n_calls: u64,
    /// Calls per line with code.
    pub average: f64,
}

impl ExecutionSummary {
    /// Values and their meaning.
    pub fn rows(&self) -> [(Cell, &'static str); 5] {
        [
            (self.n_executable.into(), "Executable lines in this file"),
            (self.n_executed.into(), "Lines executed"),
            (self.percent.into(), "Percent of the file executed"),
            (self.n_calls.into(), "Total number of line executions"),
            (self.average.into(), "Average executions per line"),
        ]
    }
}

/// The files with counts, or all with symbols if zero-cost files are shown. `executions` is
/// `None` for functions that ran without being counted. The last file in the debug information
/// comes first.
pub fn file_counts(
    executions: impl Fn(SymbolId) -> Option<u64>,
    blocks: &BlockCounts,
    table: &SymbolTable,
    selects: impl Fn(SymbolId) -> bool,
    shows_zero_cost: bool,
) -> Vec<FileCounts> {
    let mut files: BTreeMap<FileId, FileCounts> = BTreeMap::new();
    for (id, symbol) in table.iter().filter(|&(id, _)| selects(id)) {
        let Some(source) = symbol.source else {
            continue;
        };
        let counted = executions(id);
        let (calls, is_uncounted) = (counted.unwrap_or(0), counted.is_none());
        let file = files.entry(source.file).or_insert_with(|| FileCounts {
            file: source.file,
            n_calls: 0,
            lines: BTreeMap::new(),
        });
        file.n_calls = file.n_calls.wrapping_add(calls);
        let line = file.lines.entry(source.line.get());
        line.and_modify(|line| {
            line.start = None;
            line.calls = line.calls.wrapping_add(calls);
            line.is_uncounted |= is_uncounted;
        })
        .or_insert_with(|| LineCounts {
            start: Some(symbol.range.start),
            is_function: symbol.is_function,
            calls,
            is_uncounted,
            blocks: blocks.of(id).to_vec(),
        });
    }
    let newest_first = files.into_values().rev();
    newest_first.filter(|file| file.n_calls != 0 || shows_zero_cost).collect()
}

/// Visits source files in output order.
#[derive(Debug)]
pub struct Annotator {
    options: AnnotationOptions,
    /// The count of the last line, for lines without one. It continues across files.
    last: u64,
    /// The last line ran without being counted.
    is_last_uncounted: bool,
}

impl FileCounts {
    pub(super) fn without_counts(file: FileId) -> Self {
        Self { file, n_calls: 0, lines: BTreeMap::new() }
    }

    pub(super) fn has_calls(&self) -> bool {
        self.n_calls != 0
    }
}

impl Annotator {
    pub fn new(options: AnnotationOptions) -> Self {
        Self { options, last: 0, is_last_uncounted: false }
    }

    pub fn annotate(&mut self, counts: &FileCounts, n_lines: usize) -> AnnotatedFile {
        let FileCounts { file, n_calls, lines } = counts;
        let n_lines = u32::try_from(n_lines).unwrap_or(u32::MAX);
        let mut n_executable = 0;
        let mut marks = Vec::new();
        for (&line, counts) in lines.range(..=n_lines) {
            n_executable += 1;
            marks.extend(self.mark(counts).map(|mark| (line, mark)));
        }
        let n_executed = marks.len() as u64;
        let has_code = n_executable > 0;
        let per_line = |number: u64| number as f64 / n_executable as f64;
        AnnotatedFile {
            file: *file,
            top_lines: self.top_lines(lines),
            summary: ExecutionSummary {
                n_executable,
                n_executed,
                percent: if has_code { 100.0 * per_line(n_executed) } else { 100.0 },
                n_calls: *n_calls,
                average: if has_code { per_line(*n_calls) } else { 0.0 },
            },
            marks,
        }
    }

    /// The mark of a line: its calls, if a function starts there, then the counts of its
    /// blocks.
    fn mark(&mut self, line: &LineCounts) -> Option<LineMark> {
        let marks_all = self.options.marks_all_lines;
        let start = line.start.unwrap_or_default();
        let starts_before_blocks = line.blocks.first().is_some_and(|b| b.address > start);
        let mut is_uncounted = line.is_uncounted;
        let mut parts = Vec::new();
        if line.is_function {
            self.last = line.calls;
            self.is_last_uncounted = is_uncounted;
            parts.push(self.last);
        } else if marks_all && (starts_before_blocks || line.blocks.is_empty()) {
            is_uncounted |= self.is_last_uncounted;
            parts.push(self.last);
        }
        let mut n_executions = parts.first().copied().unwrap_or(0);
        for block in &line.blocks {
            self.last = block.count;
            self.is_last_uncounted = false;
            n_executions = block.count.wrapping_add(n_executions);
            // Prints equal counts once, unless every line is annotated.
            if !marks_all || parts.last() != Some(&block.count) {
                parts.push(block.count);
            }
        }
        if parts.is_empty() {
            None
        } else if n_executions == 0 && is_uncounted {
            Some(LineMark::Uncounted)
        } else if n_executions < self.options.min_count {
            Some(LineMark::BelowMinimum(n_executions))
        } else {
            Some(LineMark::Counts(parts))
        }
    }

    fn top_lines(&self, lines: &BTreeMap<u32, LineCounts>) -> Option<TopLines> {
        let n_wanted = self.options.n_top_lines;
        if n_wanted == 0 {
            return None;
        }
        let called = lines.iter().filter(|(_, counts)| counts.calls > 0);
        let mut top: Vec<_> =
            called.map(|(&line, counts)| TopLine { line, calls: counts.calls }).collect();
        top.cold_sort_by_key(|top| (std::cmp::Reverse(top.calls), top.line));
        top.truncate(n_wanted);
        Some(TopLines { n_wanted, lines: top })
    }
}
