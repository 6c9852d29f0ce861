//! profan reads profiles that nobody else reads well.
pub mod analyze;
pub mod cli;
pub mod diagnose;
pub mod filter;
pub mod load;
pub mod model;
pub mod output;
pub mod report;
pub mod run;
pub mod sources;
pub mod symbols;
