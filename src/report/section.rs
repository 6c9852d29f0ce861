//! Sections of a report: tables with headings.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::column::{Column, Print, Role};
use super::{CallStacks, Cell, Row, Rows};

pub struct Section {
    pub id: SectionId,
    pub title: Cow<'static, str>,
    /// The run, if the report has several. Sections of a run are adjacent.
    pub run: Option<RunLabel>,
    pub layout: Layout,
    /// Lines above the rows.
    pub summary: Vec<String>,
    pub columns: Box<[Column]>,
    pub rows: Box<dyn Rows>,
    /// The rows of a call tree as stacks.
    pub stacks: Option<Arc<CallStacks>>,
    /// Lines below the rows.
    pub notes: Vec<String>,
    pub uncertainty: Uncertainty,
}

/// What tells a run from others: `profile` and its path, `rank` and a number, or a label of
/// samples and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLabel {
    pub key: String,
    /// Empty for samples without the label.
    pub value: String,
}

impl fmt::Display for RunLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// Uncertainty of a section. Files always contain it, text on request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Uncertainty {
    /// Lines above the rows.
    pub summary: Vec<String>,
    /// Lines below the rows, on marks and limits.
    pub legend: Vec<String>,
}

impl Uncertainty {
    pub fn is_empty(&self) -> bool {
        self.summary.is_empty() && self.legend.is_empty()
    }
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut section = f.debug_struct("Section");
        section.field("id", &self.id).field("title", &self.title);
        section.field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl Section {
    /// A section without summary and notes.
    pub fn new(
        id: SectionId,
        title: impl Into<Cow<'static, str>>,
        layout: Layout,
        columns: impl Into<Box<[Column]>>,
        rows: impl Rows + 'static,
    ) -> Self {
        Self {
            id,
            title: title.into(),
            run: None,
            layout,
            summary: Vec::new(),
            columns: columns.into(),
            rows: Box::new(rows),
            stacks: None,
            notes: Vec::new(),
            uncertainty: Uncertainty::default(),
        }
    }

    pub fn column(&self, id: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.id == id)
    }

    /// The cell of a row in the column `id`; absent if the section lacks the column.
    pub fn cell<'r>(&self, row: Row<'r>, id: &str) -> &'r Cell {
        let column = self.column(id);
        column.map_or(&Cell::Absent, |column| &row.cells[column])
    }

    /// The first column of a role that text prints.
    pub fn shown_column(&self, role: Role) -> Option<usize> {
        let mut columns = self.columns.iter();
        columns.position(|column| column.role == role && column.print.is_some())
    }

    /// How text prints a column, if it does. With `shows_error`, limits and marks replace
    /// running sums.
    pub fn print_of(&self, column: usize, shows_error: bool) -> Option<Print> {
        let column = &self.columns[column];
        let has_role = |role| self.columns.iter().any(|column| column.role == role);
        match column.role {
            Role::Limit if shows_error => Some(column.print.unwrap_or_else(|| self.limit())),
            // Marks on request are those of guesses, and more.
            Role::Marks if column.is_guess() => {
                let is_other = |one: &Column| one.role == Role::Marks && !one.is_guess();
                column.print.filter(|_| !shows_error || !self.columns.iter().any(is_other))
            }
            Role::Marks if shows_error => Some(Print::MARKS),
            Role::Cumulative if shows_error && has_role(Role::Limit) => None,
            _ => column.print,
        }
    }

    /// Decimals of times in text: those of self costs, at least two.
    pub fn time_decimals(&self) -> u8 {
        let value = self.shown_column(Role::SelfValue).and_then(|place| self.columns[place].print);
        value.map_or(2, |value| value.decimals.max(2))
    }

    /// Limits of a confidence interval.
    fn limit(&self) -> Print {
        let decimals = self.time_decimals();
        Print::new(5 + decimals, decimals)
    }
}

closed_set! {
    /// Text layout of a section.
    "layout", Layout {
        /// Columns of fixed width, as in gprof.
        Gprof = "gprof",
        /// The older layout of BSD.
        Bsd = "bsd",
        /// Columns as wide as their widest cell.
        Table = "table",
    }
}

closed_set! {
    "section", SectionId {
        Overview = "overview",
        Files = "files",
        Flat = "flat",
        /// The share of the run that its samples cover.
        Run = "run",
        Graph = "graph",
        Index = "index",
        /// Call stacks, callers above callees.
        Tree = "tree",
        /// The costs of frames of the call tree in samples of one set of labels and one time.
        Samples = "samples",
        /// The sets of labels of these samples.
        Labels = "labels",
        /// The slices of time of these samples: their start, width and last sample.
        Slices = "slices",
        /// Call stacks of two sides of a comparison.
        TreeDifference = "tree-difference",
        /// Functions and calls of two sides of a comparison.
        GraphDifference = "graph-difference",
        Leaks = "leaks",
        Sizes = "sizes",
        Trace = "trace",
        TracePeaks = "trace-peaks",
        TraceHistory = "trace-history",
        TraceSizes = "trace-sizes",
        TraceUnfreed = "trace-unfreed",
        TraceLargest = "trace-largest",
        TraceLongest = "trace-longest",
        TraceReallocated = "trace-reallocated",
        TraceThreads = "trace-threads",
        TraceInvalid = "trace-invalid",
        HeapSnapshots = "heap-snapshots",
        HeapPeak = "heap-peak",
        /// By context, blocks freed before the next allocation there.
        HeapTemporary = "heap-temporary",
        /// By context, blocks in use at one point of a trace and not at another.
        HeapGrowth = "heap-growth",
        Coverage = "coverage",
        CoverageMissed = "coverage-missed",
        CoverageFunctions = "coverage-functions",
        CoverageBranches = "coverage-branches",
        CoverageLines = "coverage-lines",
        /// Execution counts of functions, lines and blocks.
        Counts = "counts",
        Source = "source",
        SourceTop = "source-top",
        SourceSummary = "source-summary",
        SourceFiles = "source-files",
        Doctor = "doctor",
        /// An order of functions or files, for a linker.
        Order = "order",
        Difference = "difference",
        /// The totals of the programs of a job, on two sides of a comparison.
        ProgramDifference = "program-difference",
        DifferenceCalls = "difference-calls",
        /// Costs of functions in many runs: minimum, maximum and quartiles.
        Spread = "spread",
        /// Totals of each file, and its distance from the others.
        SpreadFiles = "spread-files",
        ByFile = "by-file",
        /// Lasting changes of costs over many files.
        Trend = "trend",
        /// Costs of functions in each run, for later comparisons.
        Runs = "runs",
    }
}

impl SectionId {
    /// Returns whether it has the samples of a call tree, by which a page filters.
    pub fn is_of_samples(self) -> bool {
        matches!(self, Self::Samples | Self::Labels | Self::Slices)
    }

    /// The first section of its report, which stands for the report on the command line.
    pub fn first(self) -> Self {
        match self {
            Self::Files | Self::Doctor => Self::Files,
            Self::Overview | Self::Flat | Self::Run => Self::Flat,
            Self::Graph | Self::Index | Self::GraphDifference => Self::Graph,
            Self::Tree | Self::TreeDifference => Self::Tree,
            one if one.is_of_samples() => Self::Tree,
            Self::Source | Self::SourceTop | Self::SourceSummary | Self::SourceFiles => {
                Self::Source
            }
            Self::Spread | Self::SpreadFiles | Self::ByFile | Self::Trend => Self::ByFile,
            Self::Coverage
            | Self::CoverageMissed
            | Self::CoverageFunctions
            | Self::CoverageBranches
            | Self::CoverageLines => Self::Coverage,
            Self::Leaks
            | Self::Sizes
            | Self::HeapPeak
            | Self::HeapTemporary
            | Self::HeapGrowth
            | Self::Counts
            | Self::Order => self,
            _ => Self::Trace,
        }
    }
}
