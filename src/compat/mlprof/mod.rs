//! mlprof: its options, numbers, printer and run.

pub mod numbers;
mod options;
mod policy;
pub mod printer;
mod run;

pub use options::MlprofPlan;
pub(super) use options::{USAGE, parse};
pub(super) use run::run;
