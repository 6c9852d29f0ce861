//! Compares many files: minimum, maximum and median cost of each function, outlying files,
//! and the cost of each function in each file.
//!
//! Files arrive as [`FileCosts`] in an order independent of the command line, so that
//! floating-point sums do not depend on it. Only a few numbers for each function
//! ([`Spreads`]) and a line for each file are stored. The distance of a file from the typical
//! one ([`Typical`]) needs a second pass over all files.

mod distribution;
mod file_costs;
mod median;
mod sections;
mod spreads;
mod typical;
mod unlike_files;

pub use file_costs::{FileCosts, FunctionInFile};
pub use sections::{FileLabel, by_file_section, spread_section};
pub use spreads::Spreads;
pub use typical::{LEAST_FILES, Typical, fence_of};
pub use unlike_files::{FileLine, files_section};
