//! mlprof: its options, numbers, printer and run.

mod first_line;
pub mod numbers;
mod options;
pub mod printer;
mod run;

pub use options::MlprofPlan;
pub(super) use options::{USAGE, parse};
pub(super) use run::run;

use crate::load::MltonPolicy;

/// mlprof's policy: accepts exactly the files that its parsers accept.
const READ_POLICY: MltonPolicy = MltonPolicy {
    knows_first_release: false,
    ignores_blank_ends: false,
    joins_tabs: true,
    keeps_unknown_positions: true,
    takes_any_value: true,
};
