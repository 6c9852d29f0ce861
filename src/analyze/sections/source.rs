//! Source with numbers beside its lines.

use std::collections::BTreeMap;
use std::io;

use super::{Material, name};
use crate::analyze::amount::Amount;
use crate::analyze::annotation::{AnnotatedFile, Annotator, FileCounts, Mark};
use crate::analyze::blocks::BlockCounts;
use crate::analyze::cost_graph::{CostGraph, Measured, TotalsFrom};
use crate::analyze::file_counts;
use crate::analyze::inline_costs::InlineCosts;
use crate::report::{
    Cell, Column, Layout, MetricIndex, Role, Row, RowKind, RowTable, Rows, Section, SectionId,
    Sureness,
};
use crate::symbols::{FileId, SymbolId};

/// A source file that something is known of, before its text was looked for.
#[derive(Debug)]
pub struct SourceFile {
    /// Which one.
    pub file: FileId,
    numbers: Numbers,
}

#[derive(Debug)]
enum Numbers {
    Executions(FileCounts, InlinedCalls),
    Costs(Vec<(u32, Box<[Cell]>)>, Box<[Column]>),
}

/// By the line where they are called, inlined functions with the time that they took.
type InlinedCalls = BTreeMap<u32, Vec<(SymbolId, Cell)>>;

impl SourceFile {
    /// The sections about the file, once its text is there. Files go by `annotator` in
    /// the order in which they are printed.
    #[must_use]
    pub fn sections(
        self,
        name: &str,
        text: Vec<u8>,
        annotator: &mut Annotator,
    ) -> Vec<Section<'static>> {
        let title = format!("*** File {name}:");
        match self.numbers {
            Numbers::Costs(lines, columns) => {
                let rows = SourceRows {
                    text,
                    lines,
                    inlined: InlinedCalls::new(),
                };
                let layout = Layout::Table;
                vec![Section::new(
                    SectionId::Source,
                    title,
                    layout,
                    columns,
                    rows,
                )]
            }
            Numbers::Executions(counts, inlined) => {
                let n_lines = text.split_inclusive(|&byte| byte == b'\n').count();
                let annotated = annotator.annotate(&counts, n_lines);
                execution_sections(title, text, annotated, inlined)
            }
        }
    }
}

/// The lines of a source, with the cells of those that have any.
struct SourceRows {
    text: Vec<u8>,
    lines: Vec<(u32, Box<[Cell]>)>,
    inlined: InlinedCalls,
}

impl Rows for SourceRows {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        let mut marks = self.lines.iter().peekable();
        let n_cells = self.lines.first().map_or(1, |(_, cells)| cells.len());
        let mut cells = Vec::new();
        for (number, line) in (1..).zip(self.text.split_inclusive(|&byte| byte == b'\n')) {
            cells.clear();
            match marks.next_if(|(line, _)| *line == number) {
                Some((_, numbers)) => cells.extend_from_slice(numbers),
                None => cells.resize(n_cells, Cell::Absent),
            }
            cells.extend([Cell::Integer(number.into()), Cell::text(line)]);
            let has_inlined = !self.inlined.is_empty();
            if has_inlined {
                cells.extend([Cell::Absent, Cell::Absent]);
            }
            visit(Row {
                kind: RowKind::Entry,
                cells: &cells,
            })?;
            for (inlined, time) in self.inlined.get(&number).into_iter().flatten() {
                cells.clear();
                cells.resize(n_cells, Cell::Absent);
                let line = Cell::Integer(number.into());
                cells.extend([line, Cell::Absent, name(*inlined), time.clone()]);
                visit(Row {
                    kind: RowKind::Inline,
                    cells: &cells,
                })?;
            }
        }
        Ok(())
    }
}

/// The columns behind the numbers: the line, and what stands there.
fn source_columns() -> [Column; 2] {
    [
        Column::hidden("line", Role::Source),
        Column::shown("text", Role::Source, ["", ""]),
    ]
}

/// The files with executions beside each line.
#[must_use]
pub fn execution_sources(material: &Material<'_>, blocks: &BlockCounts) -> Vec<SourceFile> {
    let costs = material.costs;
    let executions = |id| {
        let calls = costs.calls_of(id);
        calls.from_others.wrapping_add(calls.from_self)
    };
    let selects = |id| material.filters.annotation.contains(id);
    let shows_idle = material.options.shows_idle;
    let files = file_counts(executions, blocks, material.table, selects, shows_idle);
    let mut inlined = inlined_calls(material);
    files
        .into_iter()
        .map(|counts| {
            let inlined = inlined.remove(&counts.file).unwrap_or_default();
            SourceFile {
                file: counts.file,
                numbers: Numbers::Executions(counts, inlined),
            }
        })
        .collect()
}

/// The calls of inlined functions by source, where inline frames were asked for: on
/// each line the most expensive first, then by name.
fn inlined_calls(material: &Material<'_>) -> BTreeMap<FileId, InlinedCalls> {
    let &Material { costs, table, .. } = material;
    let mut files: BTreeMap<FileId, BTreeMap<u32, BTreeMap<SymbolId, f64>>> = BTreeMap::new();
    let all = costs.inlines.iter().flat_map(InlineCosts::all);
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
        calls.sort_by(|a, b| {
            let by_ticks = b.1.total_cmp(&a.1);
            by_ticks.then_with(|| material.compare_names(a.0, b.0))
        });
        let timed = |ticks| costs.timed(Amount::Ticks(ticks), costs.primary);
        let calls = calls
            .into_iter()
            .map(|(symbol, ticks)| (symbol, timed(ticks)));
        calls.collect()
    };
    let of_file = |(file, lines): (FileId, BTreeMap<u32, BTreeMap<SymbolId, f64>>)| {
        let lines = lines.into_iter().map(|(line, calls)| (line, sorted(calls)));
        (file, lines.collect())
    };
    files.into_iter().map(of_file).collect()
}

fn execution_sections(
    title: String,
    text: Vec<u8>,
    file: AnnotatedFile,
    inlined: InlinedCalls,
) -> Vec<Section<'static>> {
    let lines = file.marks.iter().map(|(line, mark)| {
        let cell = match mark {
            Mark::BelowMinimum => Cell::text("#####"),
            Mark::Counts(counts) => Cell::Counts(counts.as_slice().into()),
        };
        (*line, Box::from([cell]))
    });
    let executions = Column::shown("executions", Role::Calls, ["", "executions"]);
    let section = |id, columns: Vec<Column>, rows: Box<dyn Rows>| Section {
        id,
        title: "".into(),
        layout: Layout::Gprof,
        summary: Vec::new(),
        columns: columns.into(),
        rows,
        notes: Vec::new(),
        sureness: Sureness::default(),
    };
    let inline_columns = if inlined.is_empty() {
        Vec::new()
    } else {
        vec![
            Column::hidden("inlined", Role::Name),
            Column::hidden("inlined_time", Role::Total),
        ]
    };
    let source = SourceRows {
        text,
        lines: lines.collect(),
        inlined,
    };
    let columns = std::iter::once(executions).chain(source_columns());
    let columns = columns.chain(inline_columns);
    let mut sections = vec![Section {
        title: title.into(),
        ..section(SectionId::Source, columns.collect(), Box::new(source))
    }];
    if let Some(top) = &file.top_lines {
        let mut rows = RowTable::default();
        for line in &top.lines {
            let cells = [
                Cell::integer(Some(line.line)),
                Cell::integer(Some(line.calls)),
            ];
            rows.push(RowKind::Entry, cells);
        }
        let columns = vec![
            Column::shown("line", Role::Source, ["", "Line"]),
            Column::shown("executions", Role::Calls, ["", "Count"]),
        ];
        sections.push(Section {
            title: format!("Top {} Lines:", top.n_wanted).into(),
            ..section(SectionId::SourceTop, columns, Box::new(rows))
        });
    }
    sections.push(Section {
        title: "Execution Summary:".into(),
        ..section(
            SectionId::SourceSummary,
            vec![
                Column::shown("value", Role::Count, ["", ""]),
                Column::shown("what", Role::Other, ["", ""]),
            ],
            Box::new(summary_rows(&file)),
        )
    });
    sections
}

fn summary_rows(file: &AnnotatedFile) -> RowTable {
    let summary = &file.summary;
    let mut rows = RowTable::default();
    let count = |count: u64| Cell::integer(Some(count));
    for (value, what) in [
        (count(summary.n_executable), "Executable lines in this file"),
        (count(summary.n_executed), "Lines executed"),
        (Cell::Real(summary.percent), "Percent of the file executed"),
        (count(summary.n_calls), "Total number of line executions"),
        (Cell::Real(summary.average), "Average executions per line"),
    ] {
        rows.push(RowKind::Entry, [value, Cell::text(what)]);
    }
    rows
}

/// What a line costs itself, and with all that was called from there.
#[derive(Clone)]
struct LineCosts {
    self_costs: Vec<Amount>,
    total: Amount,
}

/// The files with costs on a line, most costs first. Symbols are lines, or else
/// functions, which stand for the line where they start.
#[must_use]
pub fn cost_sources(material: &Material<'_>) -> Vec<SourceFile> {
    let &Material {
        costs,
        table,
        filters,
        ..
    } = material;
    let metrics = || 0..costs.metrics.len();
    let primary = costs.primary;
    let mut files: BTreeMap<FileId, BTreeMap<u32, LineCosts>> = BTreeMap::new();
    for (id, symbol) in table.iter() {
        let Some(source) = symbol.source.filter(|_| filters.annotation.contains(id)) else {
            continue;
        };
        let found = LineCosts {
            self_costs: metrics()
                .map(|metric| costs.self_cost(id, metric))
                .collect(),
            total: costs.total(id, primary),
        };
        let lines = files.entry(source.file).or_default();
        match lines.get_mut(&source.line.get()) {
            None => {
                lines.insert(source.line.get(), found);
            }
            // What was entered on a line is one thing, seen as function and branch.
            Some(line) if costs.measured == Measured::Entries => {
                if found.self_costs[0].compare(line.self_costs[0]).is_ge() {
                    *line = found;
                }
            }
            Some(line) => {
                for (sum, amount) in line.self_costs.iter_mut().zip(found.self_costs) {
                    *sum = sum.plus(amount);
                }
                line.total = line.total.plus(found.total);
            }
        }
    }
    let is_idle = |line: &LineCosts| {
        line.self_costs.iter().all(|amount| amount.is_zero()) && line.total.is_zero()
    };
    let mut sorted: Vec<_> = files.into_iter().collect();
    sorted.retain(|(_, lines)| !lines.values().all(is_idle));
    let of_file = |lines: &BTreeMap<u32, LineCosts>| {
        let amounts = lines.values().map(|line| line.self_costs[primary]);
        amounts.reduce(Amount::plus).unwrap_or(Amount::Exact(0))
    };
    sorted.sort_by(|(a, lines_of_a), (b, lines_of_b)| {
        let by_costs = of_file(lines_of_b).compare(of_file(lines_of_a));
        by_costs.then(a.cmp(b))
    });
    let columns = cost_columns(costs);
    let sources = sorted.into_iter().map(|(file, lines)| {
        let lines = lines.iter().map(|(&line, costs_of_line)| {
            let cells = columns
                .iter()
                .map(|column| cost_cell(costs, column, costs_of_line));
            (line, cells.collect())
        });
        let columns = columns.iter().map(|(column, _)| column.clone());
        SourceFile {
            file,
            numbers: Numbers::Costs(lines.collect(), columns.chain(source_columns()).collect()),
        }
    });
    sources.collect()
}

/// A column, and the metric of which it shows what a line costs itself; `None` for
/// the total of the primary metric.
type CostColumn = (Column, Option<MetricIndex>);

fn cost_columns(costs: &CostGraph) -> Vec<CostColumn> {
    let primary = costs.primary;
    let head = |what: &str, metric| [what.to_owned(), costs.unit(metric)];
    let self_column = |id: &str, what: &str, metric: MetricIndex| {
        let column = Column::shown(id.to_owned(), Role::SelfValue, head(what, metric));
        (column.of(metric), Some(metric))
    };
    let mut columns = Vec::new();
    if costs.totals_from != TotalsFrom::Nothing {
        let total = Column::shown("total", Role::Total, head("total", primary)).of(primary);
        columns.push((total, None));
    }
    if costs.measured == Measured::Heap {
        let id = |metric: MetricIndex| costs.metrics[metric].id.as_ref();
        columns.extend([
            self_column("self", "self", 0),
            self_column(id(1), "self", 1),
            self_column(id(2), "unfreed", 2),
        ]);
    } else {
        columns.push(self_column("self", "self", primary));
    }
    columns
}

/// A number beside a line: nothing for zero, and a mark for what was never entered.
fn cost_cell(costs: &CostGraph, (_, metric): &CostColumn, line: &LineCosts) -> Cell {
    let (amount, metric) = match *metric {
        Some(metric) => (line.self_costs[metric], metric),
        None => (line.total, costs.primary),
    };
    match costs.measured {
        _ if !amount.is_zero() => costs.readable(amount, metric),
        Measured::Entries => Cell::text("#####"),
        _ => Cell::Absent,
    }
}

/// What is said where nothing stands beside any source.
#[must_use]
pub fn empty_source(sentence: &str) -> Section<'static> {
    let id = SectionId::SourceSummary;
    Section {
        summary: vec![sentence.to_owned()],
        ..Section::new(id, "", Layout::Table, [], RowTable::default())
    }
}
