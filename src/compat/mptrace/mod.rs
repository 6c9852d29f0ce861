//! mptrace: its options, numbers, printer and run.

pub mod numbers;
mod options;
pub mod printer;
mod run;

pub use options::MptracePlan;
pub(super) use options::parse;
pub(super) use run::run;
