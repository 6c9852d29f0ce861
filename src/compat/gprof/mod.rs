//! GNU gprof 2.40: its options, numbers, printer and run.

pub mod filters;
pub mod numbers;
mod options;
mod plan;
mod policy;
pub mod printer;
mod run;
pub mod symbols;

pub(super) use options::parse;
pub use plan::GprofPlan;
pub use policy::READ_POLICY;
pub(super) use run::run;
