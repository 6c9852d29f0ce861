//! Every option, with its help: the definition that parsing, help, manual and
//! completions come from. Options that take a symspec are in `selections`.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

use super::super::plan::{Base, Denied, Deny, GivenRunTime, OutputStyle, Plan, Task};
use super::by_file::ByFileOptions;
use super::selections::{FILTERS, REPORTS, Selections};
use super::values::{self, ColumnNames, LayoutOption, one_of};
use crate::analyze::{AnnotationOptions, RowChoice};
use crate::diagnose::catalogue::CatalogueEntry;
use crate::filter::keep::Keep;
use crate::filter::{Specs, SymSpec};
use crate::load::CounterBits;
use crate::model::{HeapPoint, Label};
use crate::output::{ColorWhen, PagerWhen};
use crate::render::{self, NameForm};
use crate::sources::PathMap;
use crate::symbols::{Granularity, Style};

/// A whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "profan",
    version,
    about = ABOUT,
    override_usage = USAGE,
    after_help = AFTER_HELP,
    max_term_width = 100,
    infer_long_args = true,
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    disable_help_flag = true,
    disable_version_flag = true,
    disable_help_subcommand = true
)]
pub(super) struct Options {
    #[arg(value_name = "FILE", hide = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) asked: Asked,
    #[command(subcommand)]
    pub(super) word: Option<FirstWord>,
}

/// Options of reports on profiles.
#[derive(Debug, Args)]
pub(super) struct Asked {
    #[command(flatten)]
    selections: Selections,
    #[command(flatten)]
    reports: ReportOptions,
    #[command(flatten)]
    filters: FilterOptions,
    #[command(flatten)]
    choice: ChoiceOptions,
    #[command(flatten)]
    pub(super) many: ByFileOptions,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    pub(super) layout: LayoutOptions,
}

/// A command that the first word selects instead of a report.
#[derive(Clone, Debug, Subcommand)]
pub(super) enum FirstWord {
    /// Check how a program was built, without running it, and find its profiles
    #[command(hide = true)]
    Doctor(InspectOptions),
    /// Compare two profiles, or many, and separate real changes from noise
    #[command(hide = true)]
    Diff {
        /// Options and files, as `profan diff --help` lists them
        #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
        words: Vec<OsString>,
    },
    /// Show a report on a full screen: functions, callers and callees, tree, source
    #[command(hide = true)]
    Browse {
        /// Options and files, as of a report or of `profan diff OLD... -- NEW...`
        #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
        words: Vec<OsString>,
    },
    /// Print a summary, the help of a TOPIC, or the options of gprof and others
    #[command(hide = true)]
    Help {
        /// The topic
        #[arg(value_parser = values::topic())]
        topic: Option<String>,
    },
    /// Explain the codes of warnings and errors
    #[command(hide = true)]
    Explain {
        /// The codes
        #[arg(value_name = "CODE", value_parser = values::CODES, hide_possible_values = true)]
        codes: Vec<&'static CatalogueEntry>,
    },
    /// Print the manual page, for `man -l -` or a directory of manuals
    #[command(hide = true)]
    Man,
    /// Print the JSON Schema of the json format
    #[command(hide = true)]
    Schema,
    /// Print completions for a shell
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the profiles and programs whose names start with START, for completions
    #[command(hide = true)]
    CompleteFiles {
        /// The start of a name
        start: OsString,
    },
}

/// The program and profiles to inspect.
#[derive(Clone, Debug, Args)]
pub(super) struct InspectOptions {
    /// The program [a.out]
    #[arg(value_hint = ValueHint::FilePath)]
    program: Option<PathBuf>,
    /// Profiles that may belong to it [those found nearby]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    profiles: Vec<PathBuf>,
    /// Set the format [text, or the extension of -o]
    #[arg(long, value_name = "FORMAT", value_parser = values::format())]
    format: Option<&'static str>,
    /// Write the findings to FILE
    #[arg(short = 'o', long, value_name = "FILE", value_parser = values::output())]
    output: Option<PathBuf>,
    /// Stop with an error before using more than SIZE of memory, as in 500M or 8G [4G]
    #[arg(long, value_name = "SIZE", value_parser = values::memory)]
    limit_memory: Option<u64>,
    /// Print this help
    #[arg(short = 'h', long, action = ArgAction::Help)]
    help: Option<bool>,
}

impl InspectOptions {
    /// The plan for these options.
    pub(super) fn into_plan(self) -> Plan {
        let by_ending = || Some(render::for_extension(self.output.as_deref()?)?.name);
        let format = self.format.or_else(by_ending);
        let mut plan = Plan {
            task: Task::Program,
            files: self.program.into_iter().chain(self.profiles).collect(),
            format,
            output: self.output,
            memory_limit: self.limit_memory,
            ..Plan::default()
        };
        plan.finish();
        plan
    }
}

/// Which reports to print in addition to `selections`, and the unit of their rows.
#[derive(Debug, Args)]
#[command(next_help_heading = REPORTS)]
struct ReportOptions {
    /// Print the call tree: callers above their callees, with the cost of each call
    #[arg(long)]
    tree: bool,
    /// Do not infer call stacks from calls: each function is a stack of its own
    #[arg(long)]
    no_inferred_stacks: bool,
    /// Print memory that was never freed, by call stacks of DEPTH functions; 0 for all [8]
    #[arg(long, value_name = "DEPTH", value_parser = values::number_from::<usize>(0))]
    leaks: Option<Option<usize>>,
    /// Print blocks by size, grouped by powers of two or for all sizes [powers]
    #[arg(long, value_name = "STEPS", value_parser = one_of(values::SIZE_STEPS))]
    bins: Option<Option<bool>>,
    /// Show how the heap evolved over a trace
    #[arg(long)]
    trace: bool,
    /// Print the memory in use at the peak of a trace, by call site
    #[arg(long)]
    peak: bool,
    /// Print temporary blocks: freed before the next allocation at the same call site
    #[arg(long)]
    temporary: bool,
    /// Print the growth of the heap from point A to point B of a trace, by call site; a point
    /// is an event number, start, peak or end
    #[arg(long, value_name = "A,B", value_parser = values::points)]
    between: Option<(HeapPoint, HeapPoint)>,
    /// Report by source line instead of by function
    #[arg(short = 'l', long)]
    line: bool,
    /// Show inlined functions in rows of their own
    #[arg(long)]
    inlines: bool,
    /// Print a linker order that puts functions next to their callers
    #[arg(short = 'r', long, conflicts_with = "file_ordering")]
    function_ordering: bool,
    /// Print a link order of object files; MAP is the output of `nm -A *.o`
    #[arg(short = 'R', long, value_name = "MAP")]
    file_ordering: Option<PathBuf>,
    /// Print the contents of each profile
    #[arg(short = 'i', long)]
    file_info: bool,
    /// Write the sum of the profiles to gmon.sum, or to the -o FILE
    #[arg(short = 's', long)]
    sum: bool,
}

/// Filters in addition to `selections`.
#[derive(Debug, Args)]
#[command(next_help_heading = FILTERS)]
struct FilterOptions {
    /// Omit static functions; the preceding function gets their time
    #[arg(short = 'a', long)]
    no_static: bool,
    /// Omit local symbols without a type
    #[arg(short = 'D', long)]
    ignore_non_functions: bool,
    /// Also show functions without calls and time
    #[arg(short = 'z', long)]
    display_unused_functions: bool,
    /// Show and sort by this value: bytes, count, unfreed-bytes or unfreed-count of a heap, or
    /// an event of callgrind [the first]
    #[arg(long, value_name = "VALUE")]
    value: Option<String>,
    /// Select functions by EXPR, as in '(from "main")'
    #[arg(long, value_name = "EXPR", value_parser = values::keep)]
    keep: Option<Keep>,
    /// Report only SPEC and its callees; repeatable
    #[arg(long, value_name = "SPEC", value_parser = values::function)]
    focus: Vec<SymSpec>,
    /// Omit SPEC and its callees; repeatable
    #[arg(long, value_name = "SPEC", value_parser = values::function)]
    ignore: Vec<SymSpec>,
    /// Report only samples with this label, as in comm=cc1; repeatable
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::label)]
    label: Vec<Label>,
    /// Merge Standard ML functions by name and location
    #[arg(long)]
    merge_names: bool,
    /// Omit functions of the Standard ML library
    #[arg(long)]
    no_library: bool,
    /// Add calls found in the machine code to the call graph
    #[arg(short = 'c', long)]
    static_call_graph: bool,
}

/// Which rows and columns are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rows and columns")]
struct ChoiceOptions {
    /// Show the first N rows, and one row for the rest
    #[arg(long, value_name = "N", value_parser = values::number_from::<usize>(1))]
    top: Option<usize>,
    /// Show rows with at least P percent of the total
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = values::percent)]
    min_percent: Option<f64>,
    /// Sort by this column: self, total, calls, name, …
    #[arg(long, value_name = "COLUMN")]
    sort: Option<String>,
    /// Reverse the order of the rows
    #[arg(long)]
    reverse: bool,
    /// Show only these columns, in this order, and the name
    #[arg(long, value_name = "LIST", value_parser = values::column_list)]
    columns: Option<ColumnNames>,
    /// Compute percentages of the rows shown, not of the total
    #[arg(long)]
    relative: bool,
    /// Print a flat profile for diff: by name, without columns that change in every run
    #[arg(long)]
    stable: bool,
}

/// Input files, and how to read them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
struct InputOptions {
    /// Read symbols from FILE, in the format of nm
    #[arg(short = 'S', long, value_name = "FILE")]
    external_symbol_table: Option<PathBuf>,
    /// Read profiles in this layout
    #[arg(
        short = 'O',
        long,
        value_name = "FORMAT",
        default_value = "auto",
        value_parser = one_of(values::LAYOUTS)
    )]
    file_format: LayoutOption,
    /// Read a gmon.out from a serial log or the output of xxd, hexdump, od, U-Boot, GDB or a
    /// programmer (.hex, .srec)
    #[arg(long)]
    from_hexdump: bool,
    /// Set the sampling rate (samples per second)
    #[arg(
        long,
        value_name = "HZ",
        allow_negative_numbers = true,
        value_parser = values::rate
    )]
    rate: Option<NonZeroU32>,
    /// Set the width of the counters to N bits, overriding the layout of gmon.out
    #[arg(long, value_name = "N", value_parser = one_of(values::COUNTER_BITS))]
    counter_bits: Option<CounterBits>,
    /// Set the address at which the program was loaded
    #[arg(long, value_name = "ADDRESS", value_parser = values::base)]
    base: Option<Base>,
    /// Show how much of the run the samples cover; TIME is its length in seconds, or a file
    /// with the output of `time`
    #[arg(
        long,
        value_name = "TIME",
        value_hint = ValueHint::FilePath,
        allow_negative_numbers = true,
        value_parser = OsStringValueParser::new().try_map(values::run_time)
    )]
    wall: Option<GivenRunTime>,
    /// Scale times so that samples add up to the CPU time
    #[arg(long, requires = "wall")]
    scale_to_cpu: bool,
    /// Also search DIR for debug files; repeatable
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    debug_dir: Vec<PathBuf>,
    /// Search DIRS for sources before GPROF_PATH; repeatable
    #[arg(short = 'I', long, value_name = "DIRS", value_hint = ValueHint::DirPath)]
    directory_path: Vec<OsString>,
    /// Replace the start OLD of source paths by NEW; repeatable
    #[arg(
        long,
        value_name = "OLD=NEW",
        value_parser = OsStringValueParser::new().try_map(values::path_map)
    )]
    path_map: Vec<PathMap>,
    /// With -A, also print source files outside the current directory and those of the
    /// executable, -I and --path-map
    #[arg(long)]
    any_source: bool,
    /// Refuse damaged files; do not use their intact part
    #[arg(long)]
    strict: bool,
    /// Exit with status 2 if this warning is issued: a CODE, or `warnings` for all; repeatable
    #[arg(
        long,
        value_name = "CODE",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = values::DENIALS
    )]
    deny: Vec<Denied>,
    /// Print every warning, even if many files have the same one
    #[arg(long)]
    verbose: bool,
    /// Stop with an error before using more than SIZE of memory, as in 500M or 8G [4G]
    #[arg(long, value_name = "SIZE", value_parser = values::memory)]
    limit_memory: Option<u64>,
    /// Use N threads, 1 to 512 [PROFAN_THREADS, or one per core]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,
}

/// How and where to print.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct LayoutOptions {
    /// Set the format [text, or the extension of -o]
    #[arg(long, value_name = "FORMAT", value_parser = values::format())]
    format: Option<&'static str>,
    /// Put an apostrophe before CSV and TSV names that a spreadsheet may run
    #[arg(long)]
    csv_safe: bool,
    /// Explain the columns
    #[arg(long, overrides_with = "brief")]
    explain: bool,
    /// Omit the explanations (the default)
    #[arg(short = 'b', long, overrides_with = "explain")]
    brief: bool,
    /// Show the uncertainty of times: sampling errors, rows that could change places, and
    /// values that assume the same cost for all calls of a function
    #[arg(long)]
    error: bool,
    /// Print in the BSD layout
    #[arg(short = 'T', long)]
    traditional: bool,
    /// Set the width of the index [the terminal's, or 80]
    #[arg(
        short = 'w',
        long,
        value_name = "COLUMNS",
        value_parser = values::columns
    )]
    width: Option<usize>,
    /// Print full names, short ones (without parameters and template arguments), base names
    /// (also without namespaces), or linkage names (mangled) [full; in a terminal, as much as
    /// fits]; use `short` for short C++ lines in pipes
    #[arg(long, value_name = "FORM", value_parser = one_of(values::NAME_FORMS))]
    names: Option<NameForm>,
    /// In a terminal, also show functions without self time and calls below half a percent,
    /// instead of their sum; with -A, whole files
    #[arg(long)]
    all: bool,
    /// Use a pager for reports longer than the screen: PROFAN_PAGER, PAGER or less
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        value_parser = one_of(values::PAGERS)
    )]
    pager: PagerWhen,
    /// Print full paths of files
    #[arg(short = 'L', long)]
    print_path: bool,
    /// Print file and line after each name
    #[arg(long)]
    inline_file_names: bool,
    /// Write annotated source to files NAME-ann in the current directory
    #[arg(short = 'y', long)]
    separate_files: bool,
    /// Annotate every line of a basic block
    #[arg(short = 'x', long)]
    all_lines: bool,
    /// Mark lines that ran fewer than N times with #####
    #[arg(
        short = 'm',
        long,
        value_name = "N",
        default_value_t = AnnotationOptions::default().min_count,
        value_parser = values::number_from::<u64>(0)
    )]
    min_count: u64,
    /// List N lines in the table of most executed lines
    #[arg(
        short = 't',
        long,
        value_name = "N",
        default_value_t = AnnotationOptions::default().n_top_lines,
        value_parser = values::number_from::<usize>(0)
    )]
    table_length: usize,
    /// Demangle names [auto]
    #[arg(
        long,
        value_name = "STYLE",
        overrides_with = "no_demangle",
        value_parser = one_of(values::DEMANGLE_STYLES)
    )]
    demangle: Option<Option<Style>>,
    /// Print mangled names, as in the executable
    #[arg(long, overrides_with = "demangle")]
    no_demangle: bool,
    /// Use colour
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        value_parser = one_of(values::COLORS)
    )]
    color: ColorWhen,
    /// Write the report (with -s, the sum) to FILE
    #[arg(short = 'o', long, value_name = "FILE", value_parser = values::output())]
    output: Option<PathBuf>,
    /// Print a summary
    #[arg(short = 'h')]
    pub(super) summary: bool,
    /// Print this help
    #[arg(long, action = ArgAction::Help)]
    help: (),
    /// Print the version
    #[arg(short = 'v', long, action = ArgAction::Version)]
    version: (),
}

impl Options {
    /// The plan for these options.
    pub(super) fn into_plan(self) -> Plan {
        self.asked.into_plan(self.files)
    }
}

impl Asked {
    /// The plan for these options and files.
    pub(super) fn into_plan(self, files: Vec<PathBuf>) -> Plan {
        let mut plan = Plan { files, ..Plan::default() };
        self.selections.apply(&mut plan.styles, &mut plan.filters);
        self.reports.apply(&mut plan);
        self.filters.apply(&mut plan);
        self.choice.apply(&mut plan);
        self.many.apply(&mut plan);
        self.input.apply(&mut plan);
        self.layout.apply(&mut plan);
        plan.finish();
        plan
    }
}

impl ReportOptions {
    fn apply(self, plan: &mut Plan) {
        let wanted = [
            (self.tree, OutputStyle::Tree),
            (self.leaks.is_some(), OutputStyle::Leaks),
            (self.bins.is_some(), OutputStyle::Bins),
            (self.trace, OutputStyle::Trace),
            (self.peak, OutputStyle::Peak),
            (self.temporary, OutputStyle::Temporary),
            (self.between.is_some(), OutputStyle::Growth),
            (self.function_ordering, OutputStyle::FunctionOrder),
            (self.file_ordering.is_some(), OutputStyle::FileOrder),
            (self.file_info, OutputStyle::FileInfo),
            (self.sum, OutputStyle::Sum),
        ];
        for (_, style) in wanted.into_iter().filter(|(is_wanted, _)| *is_wanted) {
            plan.styles.set(style, true);
        }
        let depth = self.leaks.flatten();
        plan.exact.leak_depth = depth.map(|depth| (depth > 0).then_some(depth));
        plan.exact.between = self.between;
        plan.exact.lists_all_sizes = self.bins.flatten().unwrap_or_default();
        if self.line {
            plan.symbols.granularity = Granularity::Lines;
        }
        plan.infers_no_stacks = self.no_inferred_stacks;
        plan.shows_inlines = self.inlines;
        if self.inlines && !self.line {
            plan.symbols.granularity = Granularity::Inlines;
        }
        plan.symbols.file_map = self.file_ordering;
    }
}

impl FilterOptions {
    fn apply(self, plan: &mut Plan) {
        plan.symbols.skips_static = self.no_static;
        plan.symbols.skips_untyped = self.ignore_non_functions;
        plan.shows_zero_cost = self.display_unused_functions;
        plan.value = self.value;
        plan.keep = self.keep;
        plan.filters.focus = Specs { include: self.focus, exclude: self.ignore };
        plan.labels = self.label;
        plan.exact.merges_names = self.merge_names;
        plan.exact.hides_library = self.no_library;
        plan.static_calls = self.static_call_graph;
    }
}

impl ChoiceOptions {
    fn apply(self, plan: &mut Plan) {
        plan.choice = RowChoice {
            top: self.top,
            min_percent: self.min_percent,
            sort: self.sort.map(|column| match &*column {
                // The inclusive order is called so in pprof.
                "cum" | "cumulative" => "total".to_owned(),
                _ => column,
            }),
            is_reversed: self.reverse,
            columns: self.columns.map(|ColumnNames(columns)| columns),
            is_relative: self.relative,
            drops_columns: false,
            is_stable: self.stable,
        };
        if self.stable && plan.styles.is_open(OutputStyle::Flat) {
            plan.styles.set(OutputStyle::Flat, true);
        }
    }
}

impl InputOptions {
    fn apply(self, plan: &mut Plan) {
        plan.symbols.external = self.external_symbol_table;
        plan.layout = self.file_format;
        plan.reading.is_hexdump = self.from_hexdump;
        plan.reading.rate = self.rate;
        plan.reading.counter_bits = self.counter_bits;
        plan.base = self.base;
        plan.run_time = self.wall;
        plan.scales_to_processor = self.scale_to_cpu;
        plan.symbols.debug_dirs = self.debug_dir;
        for dirs in &self.directory_path {
            plan.source.search.add_dirs(dirs);
        }
        plan.source.reads_any = self.any_source;
        for map in self.path_map {
            plan.source.search.add_map(map);
        }
        plan.is_strict = self.strict;
        plan.deny = Deny(self.deny);
        plan.is_verbose = self.verbose;
        plan.memory_limit = self.limit_memory;
        plan.threads = self.threads;
    }
}

impl LayoutOptions {
    fn apply(self, plan: &mut Plan) {
        // A sum has a format of its own.
        let path = self.output.as_deref();
        let path = path.filter(|_| !plan.styles.wants(OutputStyle::Sum));
        let by_ending = || Some(render::for_extension(path?)?.name);
        plan.set_format(self.format.or_else(by_ending));
        // Each of these overrides the other, so that the last one is left.
        plan.text.explains = self.explain && !self.brief;
        plan.text.demangle = match self.demangle.flatten() {
            _ if self.no_demangle => Style::None,
            style => style.unwrap_or_default(),
        };
        plan.text.is_bsd = self.traditional;
        plan.text.shows_error = self.error;
        plan.text.is_csv_safe = self.csv_safe;
        plan.text.width = self.width;
        plan.text.names = self.names;
        plan.text.shows_all = self.all;
        plan.text.shows_paths = self.print_path;
        plan.text.shows_locations = self.inline_file_names;
        plan.source.is_in_files = self.separate_files;
        plan.source.marks = AnnotationOptions {
            marks_all_lines: self.all_lines,
            min_count: self.min_count,
            n_top_lines: self.table_length,
        };
        plan.color = self.color;
        plan.pager = self.pager;
        plan.output = self.output;
    }
}

const ABOUT: &str = "Show where a program spent time or memory, and which function called which. profan reads gmon.out, callgrind, mpatrol and MLton profiles.";

const USAGE: &str = "\
profan [OPTION]… [FILE]…
       profan gprof|mprof|mptrace|mlprof [ARGUMENT]…
       profan diff [OPTION]… OLD… -- NEW…
       profan browse [OPTION]… [FILE]…
       profan doctor PROGRAM [FILE]…
       profan help [TOPIC]
       profan explain [CODE]…
       profan man
       profan schema
       profan completions SHELL";

// Each paragraph is one line: clap wraps it at the width of the terminal.
const AFTER_HELP: &str = "\
FILE is a profile, the executable, or the table of a Standard ML program, in any order: profan \
recognises files by their contents. The defaults are a.out and the first of gmon.out, \
mpatrol.out and mpatrol.trace. profan adds several profiles. `-` is standard input. Files may be \
compressed (.gz, .xz, .zst). For shared libraries, give the libraries and their LD_PROFILE \
profiles too.

A report saved as json can be the only FILE: profan shows it again, in any format, without the \
profile and the executable.

`profan help formats` explains the formats that profan reads and writes. `profan schema` prints the \
JSON Schema of json.

`profan diff OLD… -- NEW…` compares two sets of runs and separates real changes from noise; see \
`profan diff --help` for its options.

`profan browse` shows a report on a full screen, with the same options and files; `?` lists its \
keys.

`profan doctor PROGRAM` checks how a program was built, without running it, finds its profiles, \
and prints the next command to type.

`profan gprof`, mprof, mptrace and mlprof print the same as the tools of these names.

SPEC is FUNCTION, FILE:FUNCTION, FILE:LINE, FILE or LINE; for -q and -Q also FROM/TO, the caller \
and the callee of a call. Attach an optional SPEC: -pmain, --flat-profile=main.

Exit status: 0 on success; 1 if diff --fail-on refuses a change; 2 on errors. Problems are \
reported on standard error, each with a code, a cause and a suggestion.

TOPIC is diff, symspec, keep, rows, formats, doctor, diagnostics, glossary, environment, or the name \
of one of the other tools. `profan explain CODE` explains the code of a warning or an error.

Examples:
  profan gmon.out ./program                 where the time went, and why
  profan -qparse gmon.out ./program         callers and callees of parse
  profan -o report.json gmon.out ./program  save the report; read it like a FILE";
