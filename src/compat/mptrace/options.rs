//! The command line of mptrace 1.4.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::compat::mpatrol_options::{Tool, ToolRun, ToolWords};
use crate::compat::{CompatCommand, UsageError};

#[derive(Debug, Default)]
pub struct MptracePlan {
    pub run: ToolRun,
    pub shows_events: bool,
    /// Print the location of each event.
    pub shows_locations: bool,
    /// Output file in the Heap Allocation Trace Format, if any.
    pub hatf: Option<PathBuf>,
    /// Output file of the replaying program, if any.
    pub program: Option<PathBuf>,
}

pub(in crate::compat) fn parse(words: Vec<OsString>) -> Result<CompatCommand, UsageError> {
    let mut words = ToolWords::new(words, &TOOL);
    let mut plan = MptracePlan::default();
    while let Some((option, value)) = words.next_option() {
        match option {
            'H' => plan.hatf = Some(value.into()),
            'S' => plan.program = Some(value.into()),
            's' => plan.shows_locations = true,
            'v' => plan.shows_events = true,
            // The original's window, which builds without Motif ignore.
            _ => {}
        }
    }
    words.command(|run| CompatCommand::Mptrace(MptracePlan { run, ..plan }))
}

const TOOL: Tool = Tool {
    name: "mptrace",
    version: "mptrace 1.4",
    usual_file: "mpatrol.trace",
    options: &[
        ('H', "hatf-file"),
        ('h', "help"),
        ('S', "sim-file"),
        ('s', "source"),
        ('v', "verbose"),
        ('V', "version"),
        ('w', "gui"),
    ],
    with_argument: &['H', 'S'],
    help: HELP,
};

const HELP: &str = "\
Usage: profan mptrace [OPTION]… [TRACE]

Print a trace of mpatrol as mptrace 1.4 does. The default is mpatrol.trace, and
`-` is standard input.

  -v, --verbose         Print a table of all events before the statistics
  -s, --source          With -v, also print the source line of each event
  -H, --hatf-file=FILE  Write the trace in the Heap Allocation Trace Format
  -S, --sim-file=FILE   Write a C program to FILE that makes the same calls
  -w, --gui             Accepted without effect: profan opens no window

  -h, --help            Print this help
  -V, --version         Print the version before the report

FILE can be `stdout` or `stderr`.
";
