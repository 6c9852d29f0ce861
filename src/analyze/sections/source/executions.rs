//! Execution counts and sampled time next to source lines.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{InlinedCalls, SourceFile, SourceNumbers, SourceRows, is_of_system};
use crate::analyze::amount::{Amount, percent};
use crate::analyze::annotation::{
    AnnotatedFile, Annotator, ExecutionSummary, FileCounts, LineMark, TopLine,
};
use crate::analyze::blocks::BlockCounts;
use crate::analyze::cost_graph::CostGraph;
use crate::analyze::file_counts;
use crate::analyze::inline_costs::InlineCosts;
use crate::analyze::line_times::LineTimes;
use crate::analyze::sections::Material;
use crate::analyze::sections::table::Columns;
use crate::report::number::fixed;
use crate::report::{Cell, Column, LOWER_BOUND, Layout, Role, Section, SectionId};
use crate::sorting::ColdSort;
use crate::symbols::{FileId, SymbolId};

/// Execution counts and times of the lines of a source file.
#[derive(Debug)]
pub(super) struct Executions {
    counts: FileCounts,
    /// Calls were counted, so a line without count or time did not run.
    counts_calls: bool,
    inlined: InlinedCalls,
    /// Inlined functions were requested.
    shows_inlined: bool,
    times: Option<TimedLines>,
}

#[derive(Debug)]
struct TimedLines {
    lines: BTreeMap<u32, Vec<Cell>>,
    columns: Vec<Column>,
    unit: String,
    /// The share of all time on these lines, and its lower bounds.
    summary: Vec<String>,
}

/// The files with counts or time on a line, by time, system headers last.
pub fn execution_sources(
    material: &Material<'_>,
    blocks: &BlockCounts,
    times: &LineTimes,
) -> Vec<SourceFile> {
    let costs = material.costs;
    let executions = |id| {
        let n_calls = costs.calls_of(id).all();
        let is_uncounted = n_calls == 0 && times.has_run(id);
        (!is_uncounted).then_some(n_calls)
    };
    let selects = |id| material.filters.annotation.contains(id);
    let shows_zero_cost = material.options.shows_zero_cost;
    // Files with symbols: even without calls, a file may have time.
    let mut files = file_counts(executions, blocks, material.table, selects, true);
    let known: BTreeSet<_> = files.iter().map(|counts| counts.file).collect();
    let others = times.files().filter(|file| !known.contains(file));
    files.extend(others.map(FileCounts::without_counts));
    files.retain(|counts| {
        shows_zero_cost || counts.has_calls() || times.sum_of_file(counts.file) > 0.0
    });
    files.cold_sort_by(|a, b| {
        let by_time = times.sum_of_file(b.file).total_cmp(&times.sum_of_file(a.file));
        by_time.then(Reverse(a.file).cmp(&Reverse(b.file)))
    });
    files.cold_sort_by_key(|counts| is_of_system(material.table.files().name(counts.file)));
    let mut inlined = inlined_calls(material);
    files
        .into_iter()
        .map(|counts| SourceFile {
            file: counts.file,
            numbers: SourceNumbers::Executions(Box::new(Executions {
                inlined: inlined.remove(&counts.file).unwrap_or_default(),
                shows_inlined: costs.costs.inlines.is_some(),
                times: TimedLines::new(costs, times, counts.file),
                counts_calls: times.counts_calls,
                counts,
            })),
        })
        .collect()
}

impl TimedLines {
    fn new(costs: &CostGraph, times: &LineTimes, file: FileId) -> Option<Self> {
        if times.total <= 0.0 {
            return None;
        }
        let metric = costs.shape.primary;
        let unit = costs.unit(metric);
        let lines = times.of_file(file).into_iter().flatten();
        let cells = |&ticks: &f64| {
            let ticks = Amount::Ticks(ticks);
            vec![
                costs.timed(ticks, metric),
                Cell::Real(ticks.percent_of(Amount::Ticks(times.total))),
                ticks.into(),
            ]
        };
        let timed = Self {
            lines: lines.map(|(&line, ticks)| (line, cells(ticks))).collect(),
            columns: vec![
                Column::shown(
                    costs.timed_id("self", metric),
                    Role::SelfValue,
                    ["self".to_owned(), unit.clone()],
                )
                .of(metric)
                .printed(0, costs.decimals()),
                Column::shown("percent", Role::Share, ["%", "time"]).of(metric),
                Column::hidden("self", Role::SelfValue).of(metric),
            ],
            unit,
            summary: vec![share_of_file(costs, times, file)],
        };
        let full: BTreeSet<u32> = times.lower_bounds_of(file).collect();
        Some(if costs.has_lower_bounds() { timed.with_lower_bounds(&full) } else { timed })
    }

    /// Adds a mark to lines with full counters.
    fn with_lower_bounds(mut self, full: &BTreeSet<u32>) -> Self {
        self.columns.push(Column::hidden(LOWER_BOUND, Role::Other));
        for (line, cells) in &mut self.lines {
            cells.push(Cell::flag(full.contains(line)));
        }
        if !full.is_empty() {
            let first = full.iter().take(N_LISTED).map(u32::to_string);
            let mut listed = first.collect::<Vec<_>>().join(", ");
            if full.len() > N_LISTED {
                listed.push_str(&format!(" and {} more", full.len() - N_LISTED));
            }
            let lines = if full.len() == 1 { "line" } else { "lines" };
            self.summary.push(format!(
                "Histogram counters overflowed on {lines} {listed}: the time there is a lower bound."
            ));
        }
        self
    }

    /// The sentences above the source, including costs of lines that it lacks.
    fn summary(&self, n_lines: usize) -> Vec<String> {
        let after = u32::try_from(n_lines).map_or(u32::MAX, |n_lines| n_lines.saturating_add(1));
        let time = |cells: &Vec<Cell>| match cells[0] {
            Cell::Real(time) => time,
            _ => 0.0,
        };
        let behind: f64 = self.lines.range(after..).map(|(_, cells)| time(cells)).sum();
        let mut summary = self.summary.clone();
        if behind > 0.0 {
            let decimals = self.columns[0].print.map_or(2, |print| print.decimals);
            let behind = fixed(behind, decimals.into());
            summary.push(format!(
                "{behind} {} of them are on lines after the end of the file and are not shown.",
                self.unit
            ));
        }
        summary
    }
}

fn share_of_file(costs: &CostGraph, times: &LineTimes, file: FileId) -> String {
    let metric = costs.shape.primary;
    let formatted = |ticks| match costs.timed(Amount::Ticks(ticks), metric) {
        Cell::Real(time) => fixed(time, costs.decimals().into()),
        _ => fixed(ticks, 2),
    };
    let of_file = times.sum_of_file(file);
    let percent = Amount::Ticks(of_file).percent_of(Amount::Ticks(times.total));
    format!(
        "{} of {} {} ({} %) are on lines of this file.",
        formatted(of_file),
        formatted(times.total),
        costs.unit(metric),
        fixed(percent, 2)
    )
}

impl Executions {
    pub(super) fn sections(
        self,
        title: String,
        name: &str,
        text: Arc<Vec<u8>>,
        annotator: &mut Annotator,
    ) -> Vec<Section> {
        let n_lines = n_lines(&text);
        let has_times = self.times.is_some();
        let counts_calls = self.counts_calls;
        let mut annotated = annotator.annotate(&self.counts, n_lines);
        if !counts_calls {
            let is_known = |mark: &LineMark| !matches!(mark, LineMark::BelowMinimum(0));
            annotated.marks.retain(|(_, mark)| is_known(mark));
        }
        let mut sections = vec![self.source(title, name, text, &annotated)];
        // A file with only times has no counts to summarize.
        if counts_calls && annotated.summary.n_executable > 0 || !has_times {
            sections.extend(top_lines(&annotated));
            sections.push(summary(&annotated));
        }
        sections
    }

    /// The source. Times precede counts.
    fn source(
        self,
        title: String,
        name: &str,
        text: Arc<Vec<u8>>,
        annotated: &AnnotatedFile,
    ) -> Section {
        let n_lines = n_lines(&text);
        let counts = annotated.marks.iter().map(|(line, mark)| {
            let cell = match mark {
                LineMark::BelowMinimum(_) => Cell::text("#####"),
                LineMark::Uncounted => Cell::Absent,
                LineMark::Counts(counts) => Cell::Counts(counts.as_slice().into()),
            };
            (*line, cell)
        });
        let executions = |head| Column::shown("executions", Role::Calls, head);
        let (layout, summary, lines, columns) = match self.times {
            None => {
                let lines = counts.map(|(line, cell)| (line, Box::from([cell])));
                let columns = vec![executions(["", "executions"])];
                (Layout::Gprof, Vec::new(), lines.collect(), columns)
            }
            Some(times) => {
                let summary = times.summary(n_lines);
                let lines = beside_times(times.lines, times.columns.len(), counts);
                let columns = times.columns.into_iter();
                let columns = columns.chain([executions(["times", "run"])]);
                let columns = with_widths(columns.collect(), &lines, text.contains(&b'\t'));
                (Layout::Table, summary, lines, columns)
            }
        };
        let rows = SourceRows {
            text,
            n_numbers: columns.len(),
            lines,
            file: (layout == Layout::Table).then(|| Cell::text(name)),
            shows_inlined: self.shows_inlined && layout == Layout::Table
                || !self.inlined.is_empty(),
            inlined: self.inlined,
        };
        let columns = rows.with_columns(columns);
        Section { summary, ..Section::new(SectionId::Source, title, layout, columns, rows) }
    }
}

fn n_lines(text: &[u8]) -> usize {
    text.split_inclusive(|&byte| byte == b'\n').count()
}

/// The cells of each line with time or a count.
fn beside_times(
    times: BTreeMap<u32, Vec<Cell>>,
    n_times: usize,
    counts: impl Iterator<Item = (u32, Cell)>,
) -> Vec<(u32, Box<[Cell]>)> {
    let mut lines = times;
    for (line, count) in counts {
        let cells = lines.entry(line).or_default();
        cells.resize(n_times, Cell::Absent);
        cells.push(count);
    }
    let whole = |(line, mut cells): (u32, Vec<Cell>)| {
        cells.resize(n_times + 1, Cell::Absent);
        (line, cells.into())
    };
    lines.into_iter().map(whole).collect()
}

const N_LISTED: usize = 10;

const GAP: usize = 2;

/// Tab width in columns.
const TAB_WIDTH: usize = 8;

const LIST_WIDTH: usize = 16;

/// Columns in automatic width. If the source contains tabs, these end at multiples of a tab
/// stop.
fn with_widths(columns: Vec<Column>, lines: &[(u32, Box<[Cell]>)], has_tabs: bool) -> Vec<Column> {
    let widest = |(index, column): (usize, &Column)| {
        let decimals = column.print.map_or(2, |print| print.decimals);
        let cells = lines.iter().map(|(_, cells)| width_of(&cells[index], decimals));
        let heads = column.head.iter().map(|head| head.len());
        heads.chain(cells).max().unwrap_or(0)
    };
    let mut widths: Vec<_> = columns.iter().enumerate().map(widest).collect();
    let shown = columns.iter().zip(&widths);
    let shown = shown.filter(|(column, _)| column.print.is_some());
    let margin: usize = shown.map(|(_, width)| width + GAP).sum();
    if has_tabs {
        widths[0] += margin.next_multiple_of(TAB_WIDTH) - margin;
    }
    let printed = |(column, width): (Column, usize)| match column.print {
        Some(print) => column.printed(u8::try_from(width).unwrap_or(u8::MAX), print.decimals),
        None => column,
    };
    columns.into_iter().zip(widths).map(printed).collect()
}

fn width_of(cell: &Cell, decimals: u8) -> usize {
    match cell {
        Cell::Real(number) => fixed(*number, decimals.into()).len(),
        Cell::Counts(counts) => {
            let widths = counts.iter().map(|count| count.to_string().len());
            let first = widths.clone().next().unwrap_or(0);
            let all = widths.sum::<usize>() + counts.len().saturating_sub(1);
            all.min(LIST_WIDTH).max(first)
        }
        Cell::Text(text) => text.len(),
        _ => 0,
    }
}

fn top_lines(annotated: &AnnotatedFile) -> Option<Section> {
    let top = annotated.top_lines.as_ref()?;
    let columns = Columns::new()
        .shown(Role::Source, "line", ["", "Line"], |line: &&TopLine| line.line)
        .shown(Role::Calls, "executions", ["", "Count"], |line| line.calls);
    Some(Section {
        title: format!("Top {} Lines:", top.n_wanted).into(),
        layout: Layout::Gprof,
        ..columns.table(SectionId::SourceTop, "", &top.lines)
    })
}

fn summary(file: &AnnotatedFile) -> Section {
    let summary = &file.summary;
    let is_executed = |mark: &LineMark| !matches!(mark, LineMark::BelowMinimum(0));
    let executed = file.marks.iter().filter(|(_, mark)| is_executed(mark));
    let n_executed = executed.count() as u64;
    // A file without executable lines counts as fully executed.
    let percent_executed = match summary.n_executable {
        0 => 100.0,
        n_executable => percent(n_executed, n_executable),
    };
    let rows = ExecutionSummary { n_executed, percent: percent_executed, ..*summary }.rows();
    let columns = Columns::<(Cell, &str)>::new()
        .shown(Role::Count, "value", ["", ""], |row| row.0.clone())
        .shown(Role::Other, "what", ["", ""], |row| row.1);
    Section {
        layout: Layout::Gprof,
        ..columns.table(SectionId::SourceSummary, "Execution Summary:", rows)
    }
}

/// Calls of inlined functions by source line, if requested: by cost, then by name.
fn inlined_calls(material: &Material<'_>) -> BTreeMap<FileId, InlinedCalls> {
    let &Material { costs, table, .. } = material;
    let mut files: BTreeMap<FileId, BTreeMap<u32, BTreeMap<SymbolId, f64>>> = BTreeMap::new();
    let all = costs.costs.inlines.iter().flat_map(InlineCosts::all);
    for (cost, inlines) in all.zip(std::iter::repeat(table.inlines()).flatten()) {
        let inlined = inlines.get(cost.id);
        if let Some(call) = inlined.call {
            let lines = files.entry(call.file).or_default();
            let line = lines.entry(call.line.get()).or_default();
            *line.entry(inlined.symbol).or_insert(0.0) += cost.total_ticks;
        }
    }
    let sorted = |calls: BTreeMap<SymbolId, f64>| {
        let mut calls: Vec<_> = calls.into_iter().collect();
        calls.cold_sort_by(|a, b| {
            let by_ticks = b.1.total_cmp(&a.1);
            by_ticks.then_with(|| material.compare_names(a.0, b.0))
        });
        let timed = |ticks| costs.timed(Amount::Ticks(ticks), costs.shape.primary);
        let calls = calls.into_iter().map(|(symbol, ticks)| (symbol, timed(ticks)));
        calls.collect()
    };
    let of_file = |(file, lines): (FileId, BTreeMap<u32, BTreeMap<SymbolId, f64>>)| {
        let lines = lines.into_iter().map(|(line, calls)| (line, sorted(calls)));
        (file, lines.collect())
    };
    files.into_iter().map(of_file).collect()
}
