//! The options of reports that compare many files.

use clap::Args;
use regex::bytes::Regex;

use super::values::{self, one_of};
use crate::cli::stated::FileNaming;
use crate::report::SectionId;

/// A section of the comparison; `None` for all that the format supports.
type PartOption = Option<SectionId>;

const PARTS: &[(&str, PartOption)] = &[
    ("all", None),
    ("spread", Some(SectionId::Spread)),
    ("files", Some(SectionId::SpreadFiles)),
    ("rows", Some(SectionId::ByFile)),
];

/// Options of reports by file.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Many runs")]
pub struct ByFileOptions {
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
    pub by_file: Option<Option<PartOption>>,
    /// Find lasting changes of functions, and the first file with each; files are in the natural
    /// order of their names, or of their ranks
    #[arg(long)]
    pub trend: bool,
    /// Read the rank of a profile from its name: the group of this regular expression, as in the
    /// pattern 'gmon.out.(\d+)'
    #[arg(long, value_name = "REGEXP", conflicts_with = "group", value_parser = values::group)]
    pub rank_pattern: Option<Regex>,
    /// Add the profiles whose names agree in the group of this regular expression, and count them
    /// as one
    #[arg(long, value_name = "REGEXP", value_parser = values::group)]
    pub group: Option<Regex>,
    /// Take the samples with each value of a label as a profile of its own: comm, pid or tid of
    /// perf script, or a label of pprof
    #[arg(long, value_name = "KEY", conflicts_with_all = ["group", "rank_pattern"])]
    pub by_label: Option<String>,
}

impl ByFileOptions {
    /// Returns whether profiles are compared.
    pub(in crate::cli) fn are_requested(&self) -> bool {
        let naming = [&self.rank_pattern, &self.group];
        let is_stated = self.by_file.is_some() || self.trend || self.by_label.is_some();
        is_stated || naming.iter().any(|one| one.is_some())
    }

    /// The section to show; `None` for all. With lasting changes, none of these unless requested.
    pub fn section(&self) -> Option<SectionId> {
        let only_trend = (self.trend && self.by_file.is_none()).then_some(SectionId::Trend);
        self.by_file.flatten().flatten().or(only_trend)
    }

    /// The names of files.
    pub fn naming(&self) -> FileNaming<'_> {
        match (&self.rank_pattern, &self.group) {
            (Some(rank), _) => FileNaming::Ranks(rank),
            (_, Some(group)) => FileNaming::Groups(group),
            _ => FileNaming::Paths,
        }
    }
}
