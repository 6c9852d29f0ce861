//! Compares many files: minimum, maximum and median cost of each function, outlying files,
//! and the cost of each function in each file.
//!
//! Files arrive as [`FileCosts`] in an order independent of the command line, so that
//! floating-point sums do not depend on it. Only a few numbers for each function
//! ([`Spreads`]) and a line for each file are stored; a search for lasting changes
//! ([`Histories`]) stores a number for each row. The distance of a file from the typical
//! one ([`Typical`]) needs a second pass over all files.

mod change_points;
mod distribution;
mod file_costs;
mod histories;
mod joined;
mod median;
mod sections;
mod spreads;
mod trend;
mod typical;
mod unlike_files;

pub use change_points::ChangeTest;
pub use file_costs::{FileCosts, FunctionInFile};
pub use histories::Histories;
pub use joined::about_joined;
pub use sections::{FileLabel, by_file_section, spread_section};
pub use spreads::Spreads;
pub use trend::trend_section;
pub use typical::{LEAST_FILES, Typical, fence_of};
pub use unlike_files::{FileLine, files_section};
