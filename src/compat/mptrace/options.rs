//! The command line of mptrace 1.4.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::compat::getopt::{OptionArgument, OptionSpec, option as o};
use crate::compat::mpatrol_options::{MpatrolRequest, Tool, ToolWords};
use crate::compat::{CompatCommand, UsageError};

#[derive(Debug, Default)]
pub struct MptracePlan {
    pub file: PathBuf,
    pub shows_events: bool,
    /// Print the location of each event.
    pub shows_locations: bool,
    /// Output file in the Heap Allocation Trace Format, if any.
    pub hatf: Option<PathBuf>,
    /// Output file of the replaying program, if any.
    pub program: Option<PathBuf>,
    /// Printed before everything else.
    pub preface: String,
    /// Notes for standard error.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
enum MptraceOption {
    Hatf,
    Help,
    Program,
    Locations,
    Verbose,
    Version,
    /// The original's window, which builds without Motif ignore.
    Window,
}

const OPTIONS: &[OptionSpec<MptraceOption>] = {
    use MptraceOption as M;
    use OptionArgument::{Nothing, Required};
    &[
        o('H', "hatf-file", Required, M::Hatf),
        o('h', "help", Nothing, M::Help),
        o('S', "sim-file", Required, M::Program),
        o('s', "source", Nothing, M::Locations),
        o('v', "verbose", Nothing, M::Verbose),
        o('V', "version", Nothing, M::Version),
        o('w', "gui", Nothing, M::Window),
    ]
};

pub(in crate::compat) fn parse(words: Vec<OsString>) -> Result<CompatCommand, UsageError> {
    let mut words = ToolWords::new(words, OPTIONS);
    let mut plan = MptracePlan::default();
    let mut wants_help = false;
    while let Some((option, value)) = words.next_option() {
        let path = value.map(PathBuf::from);
        match option {
            MptraceOption::Hatf => plan.hatf = path,
            MptraceOption::Program => plan.program = path,
            MptraceOption::Locations => plan.shows_locations = true,
            MptraceOption::Verbose => plan.shows_events = true,
            MptraceOption::Version => plan.preface = crate::compat::version("mptrace 1.4"),
            MptraceOption::Help => wants_help = true,
            MptraceOption::Window => {}
        }
    }
    Ok(match words.request(&TOOL, &plan.preface, wants_help)? {
        MpatrolRequest::Help(text) => CompatCommand::Show(text),
        MpatrolRequest::Report { file, notes } => {
            CompatCommand::Mptrace(MptracePlan { file, notes, ..plan })
        }
    })
}

const TOOL: Tool = Tool { name: "mptrace", usual_file: "mpatrol.trace", usage: USAGE, help: HELP };

const USAGE: &str = "\
Usage: mptrace [options] [file]

Type `mptrace --help' for a complete list of options.
";

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
