//! The options of reports that compare many files.

use clap::Args;
use regex::bytes::Regex;

use super::super::plan::{ByFilePart, ByFilePlan, FileNaming, OutputStyle, Plan};
use super::values::{self, one_of};

const PARTS: &[(&str, ByFilePart)] = &[
    ("all", ByFilePart::All),
    ("spread", ByFilePart::Spread),
    ("files", ByFilePart::Files),
    ("rows", ByFilePart::Rows),
];

/// Options of reports by file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Many runs")]
pub(super) struct ByFileOptions {
    /// Compare the profiles instead of adding them: minimum, maximum and typical cost of each
    /// function (spread), outlying files (files), and in machine-readable formats the cost of each
    /// function in each file (rows) [all]
    #[arg(
        long,
        value_name = "PART",
        num_args = 0..=1,
        require_equals = true,
        value_parser = one_of(PARTS)
    )]
    by_file: Option<Option<ByFilePart>>,
    /// Read the rank of a profile from its name: the group of this regular expression, as in the
    /// pattern 'gmon.out.(\d+)'
    #[arg(long, value_name = "REGEXP", conflicts_with = "group", value_parser = values::group)]
    rank_pattern: Option<Regex>,
    /// Add the profiles whose names agree in the group of this regular expression, and count them
    /// as one
    #[arg(long, value_name = "REGEXP", value_parser = values::group)]
    group: Option<Regex>,
    /// Take the samples with each value of a label as a profile of its own: comm, pid or tid of
    /// perf script, or a label of pprof
    #[arg(long, value_name = "KEY", conflicts_with_all = ["group", "rank_pattern"])]
    pub(super) by_label: Option<String>,
}

impl ByFileOptions {
    pub(super) fn apply(self, plan: &mut Plan) {
        let naming = match (self.rank_pattern, self.group) {
            (Some(rank), _) => FileNaming::Ranks(rank),
            (_, Some(group)) => FileNaming::Groups(group),
            _ => FileNaming::Paths,
        };
        let is_asked_for = self.by_file.is_some()
            || self.by_label.is_some()
            || !matches!(naming, FileNaming::Paths);
        plan.by_label = self.by_label;
        if is_asked_for {
            plan.styles.set(OutputStyle::ByFile, true);
            plan.by_file =
                Some(ByFilePlan { part: self.by_file.flatten().unwrap_or_default(), naming });
        }
    }
}
