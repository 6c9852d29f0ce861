//! The differences of two sides of runs: functions, calls, and the program.
//!
//! Runs are added up (`side_sums`), compared row by row (`compared`) and shown in sections
//! (`functions`, `calls`). `difference` tests sampled costs; exact numbers need no test.

mod call_counts;
mod calls;
mod change;
mod columns;
mod compared;
mod failed_side;
mod functions;
mod gate;
mod halves;
mod heap_totals;
mod looks;
mod material;
mod moved;
mod notes;
mod programs;
mod run_order;
mod run_remarks;
mod side_sums;

pub use calls::difference_calls_section;
pub use compared::{Compared, DifferenceOrder};
pub use failed_side::{FailedSide, take_samples};
pub use functions::difference_section;
pub use gate::{FailOn, Failure, Limit, failures};
pub use halves::{LEAST_RUNS, halves_section};
pub use looks::{Look, SHARE_OF_ALPHA};
pub use material::DifferenceMaterial;
pub use moved::{Inlining, compare_together};
pub use programs::{by_change, compare_programs, programs_section};
pub use run_order::by_path;
pub use side_sums::SideSums;
