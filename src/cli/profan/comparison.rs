//! The options of a comparison.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::values::{self, FAIL_ON, LeastChange, one_of};
use crate::compare::comparison::{DifferenceOrder, FailOn, Limit, SHARE_OF_ALPHA};
use crate::compare::difference::DifferenceOptions;
use crate::compare::matching::{JoinRules, Rename};

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
    /// Ignore changes below P % of the function or Q % of the program, whichever is less; P alone
    /// applies to both [2,0.5]
    #[arg(long, value_name = "P[,Q]", value_parser = values::least_change)]
    pub min_change: Option<LeastChange>,
    /// Where counts are exact, refuse only functions with P percent of the program on either
    /// side [0.5]
    #[arg(long, value_name = "P", value_parser = values::percent)]
    pub min_share: Option<f64>,
    /// Compare percentages of the total, for machines of different speed
    #[arg(long)]
    pub normalize: bool,
    /// Assume that functions vary by P percent between runs, where one run per side does not show
    /// it [2]
    #[arg(long, value_name = "P", value_parser = values::percent)]
    pub variation: Option<f64>,
    /// Match only functions with identical name and file
    #[arg(long)]
    pub exact_names: bool,
    /// Rename old functions matching the regular expression OLD; repeatable
    #[arg(long, value_name = "OLD=NEW", value_parser = Rename::parse)]
    pub rename: Vec<Rename>,
    /// Exit with status 1 on any verdict of LIST: slower, faster, more, less, new, gone, calls,
    /// leaks, unclear, or program (it got slower as a whole); for exact counts, slower includes
    /// more, and faster includes less
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = one_of(FAIL_ON)
    )]
    pub fail_on: Vec<FailOn>,
    /// Exit with status 1 if a value of the whole program grew by more than P %, as in
    /// `Ir=2%,D1mr=5%`
    #[arg(long, value_name = "VALUE=P,…", value_delimiter = ',', value_parser = values::limit)]
    pub limit: Vec<Limit>,
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

impl ComparisonOptions {
    /// Which differences count as a change.
    pub fn options(&self) -> DifferenceOptions {
        let usual = DifferenceOptions::default();
        let LeastChange { of_function, of_program } = self.min_change.unwrap_or(LeastChange {
            of_function: usual.min_change_of_function,
            of_program: usual.min_change_of_program,
        });
        let alpha = self.alpha.unwrap_or(usual.alpha);
        DifferenceOptions {
            alpha: alpha * if self.until_sure { SHARE_OF_ALPHA } else { 1.0 },
            min_change_of_function: of_function,
            min_change_of_program: of_program,
            min_share: self.min_share.map_or(usual.min_share, |percent| percent / 100.0),
            normalize: self.normalize,
            variation: self.variation.map_or(usual.variation, |percent| percent / 100.0),
            ..usual
        }
    }

    /// How to match functions.
    pub fn rules(&self) -> JoinRules {
        JoinRules { is_exact: self.exact_names, renames: self.rename.clone() }
    }

    /// Returns whether the new side may be refused.
    pub fn judges(&self) -> bool {
        !(self.fail_on.is_empty() && self.limit.is_empty()) || self.until_sure
    }
}
