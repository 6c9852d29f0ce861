//! Many files beside each other: what each function costs in them, at least, at most and as a
//! rule; which files are unlike the others; and what each function costs in each.
//!
//! Files come one after another, as [`FileCosts`], in an order that is theirs and not that
//! of a command line, so that sums of fractions are the same however files are given.
//! What is kept of them is a few numbers for each function ([`Spreads`]) and a line for
//! each file. How far a file is from the typical one can be told only when that is known,
//! so that needs a second look at every file ([`Typical`]).

mod distribution;
mod file_costs;
mod median;
mod sections;
mod spreads;
mod typical;
mod unlike_files;

pub use file_costs::{FileCosts, FileRow};
pub use sections::{FileLabel, by_file_section, spread_section};
pub use spreads::Spreads;
pub use typical::{LEAST_FILES, Typical, fence_of};
pub use unlike_files::{FileLine, files_section};
