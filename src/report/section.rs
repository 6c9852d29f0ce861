//! Sections of a report: headed tables.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Cell, MetricIndex, Row, Rows};

pub struct Section<'a> {
    pub id: SectionId,
    pub title: Cow<'static, str>,
    pub layout: Layout,
    /// What is said of the whole before the rows, a line each.
    pub summary: Vec<String>,
    pub columns: Box<[Column]>,
    pub rows: Box<dyn Rows + 'a>,
    /// What is said after the rows, a line each.
    pub notes: Vec<String>,
    pub uncertainty: Uncertainty,
}

/// How sure the numbers of a section are. Files say it always, text where it is asked
/// for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Uncertainty {
    /// What is said of the whole before the rows, a line each.
    pub summary: Vec<String>,
    /// What marks and limits mean, a line each, after the rows.
    pub legend: Vec<String>,
}

impl Uncertainty {
    pub fn is_empty(&self) -> bool {
        self.summary.is_empty() && self.legend.is_empty()
    }
}

impl fmt::Debug for Section<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut section = f.debug_struct("Section");
        section.field("id", &self.id).field("title", &self.title);
        section
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}

impl<'a> Section<'a> {
    /// A section of which nothing is said beside its rows.
    pub fn new(
        id: SectionId,
        title: impl Into<Cow<'static, str>>,
        layout: Layout,
        columns: impl Into<Box<[Column]>>,
        rows: impl Rows + 'a,
    ) -> Self {
        Self {
            id,
            title: title.into(),
            layout,
            summary: Vec::new(),
            columns: columns.into(),
            rows: Box::new(rows),
            notes: Vec::new(),
            uncertainty: Uncertainty::default(),
        }
    }

    pub fn column(&self, id: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.id == id)
    }

    /// The cell of a row in the column of that name; nothing where there is none.
    pub fn cell<'r>(&self, row: Row<'r>, id: &str) -> &'r Cell {
        let column = self.column(id);
        column.map_or(&Cell::Absent, |column| &row.cells[column])
    }

    /// How a column is printed, if text shows it. Limits and marks are shown where
    /// somebody asks how sure numbers are; running sums make room for them.
    pub fn print_of(&self, column: usize, shows_error: bool) -> Option<Print> {
        let column = &self.columns[column];
        let has_role = |role| self.columns.iter().any(|column| column.role == role);
        match column.role {
            Role::Limit if shows_error => Some(column.print.unwrap_or(Print::LIMIT)),
            Role::Marks if shows_error => Some(column.print.unwrap_or(Print::MARKS)),
            Role::Cumulative if shows_error && has_role(Role::Limit) => None,
            _ => column.print,
        }
    }
}

closed_set! {
    /// How the text of a section is laid out.
    "layout", Layout {
        /// As gprof's users know it: columns of fixed width.
        Gprof = "gprof",
        /// The older layout of BSD.
        Bsd = "bsd",
        /// Columns as wide as their widest cell.
        Table = "table",
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub id: Cow<'static, str>,
    /// The metric whose numbers it has, if it is of one.
    pub metric: Option<MetricIndex>,
    /// What it says of that, or of the row.
    pub role: Role,
    pub head: [Cow<'static, str>; 2],
    /// How it is printed; `None` for a column that text does not show.
    pub print: Option<Print>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Print {
    pub width: u8,
    /// Decimals of numbers with a fraction.
    pub decimals: u8,
    /// Whole numbers are sizes in bytes, to be spelled as such.
    #[serde(skip)]
    pub is_size: bool,
    /// What is more than nothing has a sign too.
    #[serde(rename = "signed", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_signed: bool,
}

impl Print {
    pub const fn new(width: u8, decimals: u8) -> Self {
        Self {
            width,
            decimals,
            is_size: false,
            is_signed: false,
        }
    }

    /// Limits between which a number lies.
    const LIMIT: Self = Self::new(7, 2);

    /// Signs behind a number.
    const MARKS: Self = Self::new(2, 0);
}

/// Frames of a folded stack. What is deeper counts for the last of them: lines are as long
/// as stacks are deep.
pub const MAX_FOLDED_FRAMES: usize = 1000;

/// The name of the column that tells rows whose time is a lower bound.
pub const LOWER_BOUND: &str = "is_lower_bound";

impl Column {
    pub fn hidden(id: impl Into<Cow<'static, str>>, role: Role) -> Self {
        Self::on_request(id, role, [""; 2])
    }

    /// One that text shows where limits or marks are asked for, under this heading.
    pub fn on_request(
        id: impl Into<Cow<'static, str>>,
        role: Role,
        head: [impl Into<Cow<'static, str>>; 2],
    ) -> Self {
        Self {
            id: id.into(),
            metric: None,
            role,
            head: head.map(Into::into),
            print: None,
        }
    }

    /// A column that text shows with two decimals, as wide as it has to be.
    pub fn shown(
        id: impl Into<Cow<'static, str>>,
        role: Role,
        head: [impl Into<Cow<'static, str>>; 2],
    ) -> Self {
        Self::on_request(id, role, head).printed(0, 2)
    }

    pub fn of(self, metric: MetricIndex) -> Self {
        Self {
            metric: Some(metric),
            ..self
        }
    }

    pub fn printed(self, width: u8, decimals: u8) -> Self {
        let print = Some(Print::new(width, decimals));
        Self { print, ..self }
    }

    /// The same with a sign before what is more than nothing, where it is printed.
    pub fn signed(self) -> Self {
        let print = self.print.map(|print| Print {
            is_signed: true,
            ..print
        });
        Self { print, ..self }
    }
}

closed_set! {
    /// What a column says of a metric, or of the row.
    "role", Role {
        /// What belongs to the row alone.
        SelfValue = "self",
        /// That and what was called.
        Total = "total",
        /// What was called, without the row's own.
        Children = "children",
        Cumulative = "cumulative",
        Share = "share",
        Calls = "calls",
        /// A length from 0 to 1, drawn.
        Bar = "bar",
        PerCall = "per_call",
        /// The least or the most that a number may be.
        Limit = "limit",
        /// Signs that say what a row's numbers are worth.
        Marks = "marks",
        Count = "count",
        /// The number by which rows refer to an entry.
        Index = "index",
        Name = "name",
        /// A place in the source, or its text.
        Source = "source",
        /// What it was on the old side of a comparison.
        Old = "old",
        /// What it is on the new side.
        New = "new",
        /// What the new side has more than the old one; less than nothing where it has less.
        Change = "change",
        /// What is said of a change, in a word.
        Verdict = "verdict",
        /// Why a comparison fails, in words; nothing where it does not.
        Failure = "failure",
        Other = "other",
    }
}

closed_set! {
    "section", SectionId {
        Overview = "overview",
        Files = "files",
        Flat = "flat",
        /// How much of a run its samples cover.
        Run = "run",
        Graph = "graph",
        Index = "index",
        /// Call stacks, callers above what they called.
        Tree = "tree",
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
        HeapPeak = "heap-peak",
        /// What was freed before the next block was allocated there, by place.
        HeapTemporary = "heap-temporary",
        /// What is in use at one point of a trace and was not at another, by place.
        HeapGrowth = "heap-growth",
        Coverage = "coverage",
        CoverageMissed = "coverage-missed",
        CoverageFunctions = "coverage-functions",
        CoverageBranches = "coverage-branches",
        CoverageLines = "coverage-lines",
        /// How often functions, lines and blocks were executed.
        Counts = "counts",
        Source = "source",
        SourceTop = "source-top",
        SourceSummary = "source-summary",
        SourceFiles = "source-files",
        Doctor = "doctor",
        /// An order of functions or files, for a linker.
        Order = "order",
        Difference = "difference",
        DifferenceCalls = "difference-calls",
        /// What functions cost in many runs: the least, the most, and what is between.
        Spread = "spread",
        /// Files in numbers: what each has in all, and how far it is from the others.
        SpreadFiles = "spread-files",
        ByFile = "by-file",
        /// What each function costs in each run, as it was counted: what is kept to compare with.
        Runs = "runs",
    }
}
