//! The command line of `profan diff`: the options of reports, for two sides.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, CommandFactory, Parser, ValueHint};

use super::super::plan::{Plan, Task};
use super::values::{self, FAIL_ON, LeastChange, one_of};
use crate::compare::comparison::{DifferenceOrder, FailOn, SHARE_OF_ALPHA};
use crate::compare::difference::DifferenceOptions;
use crate::compare::matching::{JoinRules, Rename};

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

/// Above the options that only a comparison has.
pub(super) const HEADING: &str = "Differences";

/// Which changes count as differences, and their consequences.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = HEADING)]
pub struct ComparisonOptions {
    /// False-positive rate: the share of comparisons of identical programs that may report a
    /// change [0.01]
    #[arg(long, value_name = "ALPHA", value_parser = values::alpha)]
    pub alpha: Option<f64>,
    /// Ignore changes below P % of the function or Q % of the program, whichever is less
    /// [2,0.5]
    #[arg(long, value_name = "P[,Q]", value_parser = values::least_change)]
    pub min_change: Option<LeastChange>,
    /// Where counts are exact, refuse only functions with P percent of the program on either
    /// side [0.5]
    #[arg(long, value_name = "P", value_parser = values::percent)]
    pub min_share: Option<f64>,
    /// Compare percentages of the total, for machines of different speed
    #[arg(long)]
    pub normalize: bool,
    /// Match only functions with identical name and file
    #[arg(long)]
    pub exact_names: bool,
    /// Rename old functions matching the regular expression OLD; repeatable
    #[arg(long, value_name = "OLD=NEW", value_parser = Rename::parse)]
    pub rename: Vec<Rename>,
    /// Exit with status 1 on any verdict of LIST: slower, faster, more, less, new, gone, calls,
    /// leaks, unclear; for exact counts, slower includes more, and faster includes less
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = one_of(FAIL_ON)
    )]
    pub fail_on: Vec<FailOn>,
    /// Compare at 3, 5, 8, 12 and 20 runs per side, and exit with status 3 as long as more runs
    /// are needed
    #[arg(long)]
    pub until_sure: bool,
    /// Compare halves of the runs of one program: how often noise is reported as a change, and
    /// which changes these runs can show
    #[arg(long = "self")]
    pub halves: bool,
    /// Compare all files with the saved baseline FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
    /// Save these files as the new baseline, unless --fail-on refuses them
    #[arg(long, requires = "baseline")]
    pub update: bool,
    /// The files of the new side, if separate.
    #[arg(skip)]
    pub new: Option<Vec<PathBuf>>,
    /// The order of rows.
    #[arg(skip)]
    pub order: DifferenceOrder,
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
    files alpha min_change min_share normalize exact_names rename fail_on until_sure halves baseline update flat-profile graph \
    tree time no-time no-arcs line no_static ignore_non_functions value keep focus ignore merge_names \
    no_library label by_label top min_percent sort reverse columns external_symbol_table file_format from_hexdump \
    rate counter_bits base debug_dir strict deny verbose limit_memory threads format csv_safe names all \
    pager demangle no_demangle color output";

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

impl ComparisonOptions {
    /// Which differences count as a change.
    pub fn options(&self) -> DifferenceOptions {
        let usual = DifferenceOptions::default();
        let LeastChange { of_function, of_program } = self
            .min_change
            .unwrap_or(LeastChange { of_function: usual.min_change_of_function, of_program: None });
        let alpha = self.alpha.unwrap_or(usual.alpha);
        DifferenceOptions {
            alpha: alpha * if self.until_sure { SHARE_OF_ALPHA } else { 1.0 },
            min_change_of_function: of_function,
            min_change_of_program: of_program.unwrap_or(usual.min_change_of_program),
            min_share: self.min_share.map_or(usual.min_share, |percent| percent / 100.0),
            normalize: self.normalize,
        }
    }

    /// How to match functions.
    pub fn rules(&self) -> JoinRules {
        JoinRules { is_exact: self.exact_names, renames: self.rename.clone() }
    }

    /// Returns whether the new side may be refused.
    pub fn judges(&self) -> bool {
        !self.fail_on.is_empty() || self.until_sure
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
