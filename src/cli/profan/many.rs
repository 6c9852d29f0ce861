//! The options of reports that have many files side by side.

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

/// How many files are shown side by side.
#[derive(Debug, Args)]
#[command(next_help_heading = "Many runs")]
pub(super) struct ManyOptions {
    /// Do not add the profiles up: say what each function takes in them, at least, at
    /// most and as a rule (spread), which of them are unlike the others (files), and in
    /// formats for programs what each function takes in each of them (rows) [all]
    #[arg(
        long,
        value_name = "PART",
        num_args = 0..=1,
        require_equals = true,
        value_parser = one_of(PARTS)
    )]
    by_file: Option<Option<ByFilePart>>,
    /// The rank of a profile is what the group of this regular expression finds in its
    /// name, as in 'gmon.out.(\d+)'
    #[arg(long, value_name = "REGEXP", conflicts_with = "group", value_parser = values::group)]
    rank_pattern: Option<Regex>,
    /// Profiles in whose names the group of this regular expression finds the same are
    /// added up and count as one
    #[arg(long, value_name = "REGEXP", value_parser = values::group)]
    group: Option<Regex>,
}

impl ManyOptions {
    pub(super) fn apply(self, plan: &mut Plan) {
        let naming = match (self.rank_pattern, self.group) {
            (Some(rank), _) => FileNaming::Ranks(rank),
            (_, Some(group)) => FileNaming::Groups(group),
            _ => FileNaming::Paths,
        };
        let is_asked_for = self.by_file.is_some() || !matches!(naming, FileNaming::Paths);
        if is_asked_for {
            plan.styles.set(OutputStyle::ByFile, true);
            plan.by_file = Some(ByFilePlan {
                part: self.by_file.flatten().unwrap_or_default(),
                naming,
            });
        }
    }
}
