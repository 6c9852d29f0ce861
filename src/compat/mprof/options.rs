//! The command line of mprof 1.3.

use std::ffi::OsString;
use std::path::PathBuf;

use super::numbers::{Drawing, MprofOptions, TableMeasure};
use crate::compat::mpatrol_options::{Tool, ToolRun, ToolWords};
use crate::compat::{CompatCommand, UsageError};

#[derive(Debug, Default)]
pub struct MprofPlan {
    pub run: ToolRun,
    pub options: MprofOptions,
    pub shows_graph: bool,
    /// Output file of the call-graph drawing, if any.
    pub drawing_file: Option<PathBuf>,
    pub drawing: Drawing,
}

pub(in crate::compat) fn parse(words: Vec<OsString>) -> Result<CompatCommand, UsageError> {
    let mut words = ToolWords::new(words, &TOOL);
    let mut plan = MprofPlan {
        options: MprofOptions { stack_depth: Some(1), ..MprofOptions::default() },
        ..MprofPlan::default()
    };
    while let Some((option, value)) = words.next_option() {
        match option {
            'a' => plan.options.by_address = true,
            'c' => plan.options.measure = TableMeasure::Blocks,
            'g' => plan.drawing_file = Some(value.into()),
            'l' => plan.drawing = Drawing::Leaks,
            'n' => plan.options.stack_depth = words.number(&value).filter(|&depth| depth > 0),
            _ => plan.shows_graph = true,
        }
    }
    plan.options.has_graph = plan.shows_graph || plan.drawing_file.is_some();
    words.command(|run| CompatCommand::Mprof(MprofPlan { run, ..plan }))
}

const TOOL: Tool = Tool {
    name: "mprof",
    version: "mprof 1.3",
    usual_file: "mpatrol.out",
    options: &[
        ('a', "addresses"),
        ('c', "counts"),
        ('g', "graph-file"),
        ('h', "help"),
        ('l', "leaks"),
        ('n', "stack-depth"),
        ('v', "call-graph"),
        ('V', "version"),
    ],
    with_argument: &['g', 'n'],
    help: HELP,
};

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
