//! The command line of mprof 1.3.

use std::ffi::OsString;
use std::path::PathBuf;

use super::numbers::{Drawing, MprofOptions, TableMeasure};
use crate::compat::getopt::{OptionArgument, OptionSpec, option as o};
use crate::compat::mpatrol_options::{MpatrolRequest, Tool, ToolWords};
use crate::compat::{CompatCommand, UsageError};

#[derive(Debug, Default)]
pub struct MprofPlan {
    pub file: PathBuf,
    pub options: MprofOptions,
    pub shows_graph: bool,
    /// Output file of the call-graph drawing, if any.
    pub drawing_file: Option<PathBuf>,
    pub drawing: Drawing,
    /// Printed before everything else.
    pub preface: String,
    /// Notes for standard error.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
enum MprofOption {
    Addresses,
    Counts,
    CallGraph,
    GraphFile,
    Help,
    Leaks,
    StackDepth,
    Version,
}

const OPTIONS: &[OptionSpec<MprofOption>] = {
    use MprofOption as M;
    use OptionArgument::{Nothing, Required};
    &[
        o('a', "addresses", Nothing, M::Addresses),
        o('c', "counts", Nothing, M::Counts),
        o('g', "graph-file", Required, M::GraphFile),
        o('h', "help", Nothing, M::Help),
        o('l', "leaks", Nothing, M::Leaks),
        o('n', "stack-depth", Required, M::StackDepth),
        o('v', "call-graph", Nothing, M::CallGraph),
        o('V', "version", Nothing, M::Version),
    ]
};

pub(in crate::compat) fn parse(words: Vec<OsString>) -> Result<CompatCommand, UsageError> {
    let mut words = ToolWords::new(words, OPTIONS);
    let mut plan = MprofPlan {
        options: MprofOptions { stack_depth: Some(1), ..MprofOptions::default() },
        ..MprofPlan::default()
    };
    let mut wants_help = false;
    while let Some((option, value)) = words.next_option() {
        match option {
            MprofOption::Addresses => plan.options.by_address = true,
            MprofOption::Counts => plan.options.measure = TableMeasure::Blocks,
            MprofOption::CallGraph => plan.shows_graph = true,
            MprofOption::GraphFile => plan.drawing_file = value.map(PathBuf::from),
            MprofOption::Help => wants_help = true,
            MprofOption::Leaks => plan.drawing = Drawing::Leaks,
            MprofOption::StackDepth => {
                let depth = words.number(&value.unwrap_or_default());
                plan.options.stack_depth = depth.filter(|&depth| depth > 0);
            }
            MprofOption::Version => plan.preface = crate::compat::version("mprof 1.3"),
        }
    }
    plan.options.has_graph = plan.shows_graph || plan.drawing_file.is_some();
    Ok(match words.request(&TOOL, &plan.preface, wants_help)? {
        MpatrolRequest::Help(text) => CompatCommand::Show(text),
        MpatrolRequest::Report { file, notes } => {
            CompatCommand::Mprof(MprofPlan { file, notes, ..plan })
        }
    })
}

const TOOL: Tool = Tool { name: "mprof", usual_file: "mpatrol.out", usage: USAGE, help: HELP };

const USAGE: &str = "\
Usage: mprof [options] [file]

Type `mprof --help' for a complete list of options.
";

const HELP: &str = "\
Usage: profan mprof [OPTION]… [PROFILE]

Print a heap profile of mpatrol as mprof 1.3 does. The default is mpatrol.out,
and `-` is standard input.

  -a, --addresses        Show one row for each return address, not each function
  -c, --counts           Sort by number of blocks, not by bytes
  -n, --stack-depth=N    Tell leaks apart by the first N functions of their call
                         stacks; 0 for all [1]
  -v, --call-graph       Also print the call graph
  -g, --graph-file=FILE  Write the call graph to FILE, for dot
  -l, --leaks            Write only memory that was never freed to FILE

  -h, --help             Print this help
  -V, --version          Print the version before the report

FILE can be `stdout` or `stderr`. N is decimal, or starts with 0x, 0b, or 0 for
octal.
";
