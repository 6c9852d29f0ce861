//! Statistical tests of the difference of two profiles, for each function and the program.
//!
//! Runs are added to a [`Side`] one by one, and [`compare`] returns the change of every
//! function, its confidence interval and its verdict. This module does no input, naming or
//! output.
//!
//! The time of a function is its share of a run times the total of the run. Both vary:
//!
//! - *The share*, by sampling (`two_counts`), and since functions take longer in some runs.
//!   The variance is estimated from all functions together, since few runs of one show little
//!   (`dispersion`).
//! - *The total*, since a busy machine slows down all functions (`totals`). Runs are few, so
//!   its variance is uncertain (`unknown_spread`). It varies less between runs that were made
//!   one after the other (`run_pairs`).
//!
//! Functions with a variation of their own are also tested by it alone (`own_spread`). Functions
//! and the program share the permitted false positives by their ticks (`adjust`).
//!
//! `docs/compare.md` explains the method, and `docs/dev/validation.md` has its measured error rates.

mod adjust;
mod compare;
mod difference_test;
mod dispersion;
mod distributions;
mod evidence;
mod limits;
mod own_spread;
mod power;
mod prior;
mod rest;
mod run_pairs;
mod side;
mod totals;
mod trend;
mod two_counts;
mod unknown_spread;
mod unusual_runs;

pub use compare::{Comparison, compare};
pub use difference_test::{ChangeVerdict, Difference, DifferenceOptions, OtherTests, Presence};
pub use power::PowerEstimate;
pub use side::{FunctionTicks, Side, SideRun};
pub use unusual_runs::{UnusualRuns, unusual_runs};
