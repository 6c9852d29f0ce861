//! A whole command line: the options and files of a report, or a command.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

use super::options::{LookOptions, ReadingOptions};
use super::plan::{Plan, Task};
use super::{help, values};
use crate::diagnose::catalogue::CatalogueEntry;

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
    pub(super) plan: Plan,
    #[command(subcommand)]
    pub(super) word: Option<FirstWord>,
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
        #[arg(value_parser = help::topic())]
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
    /// List the formats that are read and written, and converters for others
    #[command(hide = true)]
    Formats,
    /// Print the JSON Schema of the json format
    #[command(hide = true)]
    Schema,
    /// Print completions for a shell
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: Shell,
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
        let Self { format, output, limit_memory, .. } = self;
        let plan = Plan {
            task: Task::Program,
            look: LookOptions { format, output, ..LookOptions::default() },
            reading: ReadingOptions { limit_memory, ..ReadingOptions::default() },
            ..Plan::default()
        };
        plan.finish(self.program.into_iter().chain(self.profiles).collect())
    }
}

impl Options {
    /// The plan for these options.
    pub(super) fn into_plan(self) -> Plan {
        self.plan.finish(self.files)
    }
}

const ABOUT: &str = "Show where a program spent time or memory, and which function called which. profan reads gmon.out, callgrind, pprof, perf script, DHAT, massif, folded stacks, mpatrol and MLton profiles.";

const USAGE: &str = "\
profan [OPTION]… [FILE]…
       profan gprof|mprof|mptrace|mlprof [ARGUMENT]…
       profan diff [OPTION]… OLD… -- NEW…
       profan browse [OPTION]… [FILE]…
       profan doctor PROGRAM [FILE]…
       profan help [TOPIC]
       profan explain [CODE]…
       profan man
       profan formats
       profan schema
       profan completions SHELL";

// Each paragraph is one line: clap wraps it at the width of the terminal.
const AFTER_HELP: &str = "\
FILE is a profile, the executable, or the table of a Standard ML program, in any order: profan \
recognises files by their contents. The defaults are a.out and the first of gmon.out, \
mpatrol.out, mpatrol.trace and mlmon.out. profan adds several profiles. `-` is standard input. Files may be \
compressed (.gz, .xz, .zst). For shared libraries, give the libraries and their LD_PROFILE \
profiles too.

A report saved as json can be the only FILE: profan shows it again, in any format, without the \
profile and the executable.

`profan formats` lists the formats that profan reads and writes, and converters for others. `profan schema` prints the \
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

Exit status: 0 on success; 1 if diff --fail-on refuses a change; 2 on errors; 3 if diff \
--until-sure needs more runs. profan reports problems on standard error. Diagnostics have a code, \
a cause and help.

TOPIC is diff, symspec, keep, rows, formats, doctor, diagnostics, glossary, environment, or the name \
of one of the other tools. `profan explain CODE` explains the code of a warning or an error.

Examples:
  profan gmon.out ./program                 where the time went, and why
  profan -qparse gmon.out ./program         callers and callees of parse
  profan -o report.json gmon.out ./program  save the report; read it like a FILE";
