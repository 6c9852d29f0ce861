//! The command line of `profan diff`: the options of reports, for two sides.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, Parser, ValueHint};

use super::comparison::ComparisonOptions;
use super::plan::{Plan, Task};

/// A whole command line after the word.
#[derive(Debug, Parser)]
#[command(
    name = "profan diff",
    version,
    about = ABOUT,
    override_usage = USAGE,
    after_help = AFTER_HELP,
    max_term_width = 100,
    infer_long_args = true,
    args_override_self = true,
    disable_help_flag = true,
    disable_version_flag = true
)]
pub(super) struct Diff {
    #[arg(value_name = "OLD", hide = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    comparison: ComparisonOptions,
    #[command(flatten)]
    pub(super) plan: Plan,
}

/// Replaces the `--` between the files of both sides during parsing, since options may follow it.
/// No argument can equal it.
const BETWEEN: &str = "\0";

/// Replaces `--` by a word that options may follow.
pub(super) fn with_options_anywhere(words: &[OsString]) -> Vec<OsString> {
    let between = words.iter().position(|word| word == "--");
    let mut words = words.to_vec();
    if let Some(place) = between {
        words[place] = BETWEEN.into();
    }
    words
}

/// The report options that apply to two sides.
const MEANT: &str = "\
    files alpha min_change min_share normalize variation exact_names rename fail_on limit until_sure halves baseline update \
    flat-profile graph tree time no-time no-arcs line no_static ignore_non_functions value keep focus ignore hide from merge_names \
    no_library label by_label group_by top min_percent sort reverse columns external_symbol_table file_format from_hexdump \
    rate unit period counter_bits base debug_dir strict list_skipped files_like deny verbose limit_memory threads format csv_safe names all \
    explain pager demangle no_demangle color output";

/// Other accepted options.
const ALSO_MEANT: &str = "print_path inline_file_names summary help version";

fn meant() -> HashSet<&'static str> {
    [MEANT, ALSO_MEANT].into_iter().flat_map(str::split_whitespace).collect()
}

/// The command line, with inapplicable options hidden.
pub(super) fn command() -> clap::Command {
    let meant = meant();
    Diff::command().mut_args(|arg| {
        let is_hidden = arg.is_hide_set() || !meant.contains(arg.get_id().as_str());
        arg.hide(is_hidden)
    })
}

/// The first given option that does not apply to two sides.
pub(super) fn unused_option(matches: &ArgMatches, command: &clap::Command) -> Option<String> {
    let is_given = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let meant = meant();
    let mut unused = command
        .get_arguments()
        .filter(|arg| !meant.contains(arg.get_id().as_str()))
        .filter(is_given);
    let arg = unused.next()?;
    let long = arg.get_long().map(|long| format!("--{long}"));
    long.or_else(|| Some(format!("-{}", arg.get_short()?)))
}

impl Diff {
    /// The plan for these options.
    pub(super) fn into_plan(self) -> Plan {
        let Self { mut files, mut comparison, mut plan } = self;
        let between = files.iter().position(|file| file.as_os_str() == BETWEEN);
        comparison.new = between.map(|place| files.split_off(place).split_off(1));
        plan.task = Task::Comparison(Box::new(comparison));
        plan = plan.finish(files);
        // Functions are the same by name and file.
        plan.reading.symbols.wants_sources = true;
        plan.take_order();
        plan
    }
}

const ABOUT: &str =
    "Compare two sides, each of one profile or many runs, and separate real changes from noise";

const USAGE: &str = "\
profan diff [OPTION]… OLD… -- NEW…
       profan diff [OPTION]… OLD NEW [PROGRAM [PROGRAM]]
       profan diff [OPTION]… --baseline FILE [--update] NEW…
       profan diff [OPTION]… --self RUNS…";

// Each paragraph is one line: clap wraps it at the width of the terminal.
const AFTER_HELP: &str = "\
Each side is any number of profiles of one kind, with the program if they need one, in any order; \
a report saved as json can replace the profiles. A program given on one side serves both. Without \
`--`, give two profiles, the old one first, and one program for both or one for each.

Exit status: 0 on success; 1 if --fail-on refuses a change, each on a line of standard error; 2 on \
errors; 3 if --until-sure needs more runs. `profan help diff` explains the verdicts.

Examples:
  profan diff old.out new.out ./program
  profan diff old/*.out ./old -- new/*.out ./new
  profan diff --baseline base.json --fail-on slower,new run*.out ./program";
