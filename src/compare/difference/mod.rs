//! Statistical tests of the difference of two profiles, for each function and the program.
//!
//! Runs are added to a [`Side`] one by one, and [`compare`] returns the change of every
//! function, its confidence interval and its verdict. This module does no input, naming or
//! output.
//!
//! The time of a function varies between runs for three reasons, each with its part of the
//! test:
//!
//! - *Sampling*: ticks are Poisson numbers (`two_counts`).
//! - *The function*: its time varies between runs. The variance is estimated from all
//!   functions together, since few runs of one show little (`dispersion`).
//! - *The run*: a busy machine slows down all functions. This is visible in the totals of
//!   runs (`totals`), but these are few, so their variance is uncertain too (`unknown_spread`).
//!
//! `docs/difference.md` explains the method and its measured error rates.

mod adjust;
mod compare;
mod difference_test;
mod dispersion;
mod distributions;
mod evidence;
mod limits;
mod power;
mod prior;
mod side;
mod totals;
mod trend;
mod two_counts;
mod unknown_spread;

pub use compare::{Comparison, compare};
pub use difference_test::{ChangeVerdict, Difference, DifferenceOptions, Presence};
pub use power::PowerEstimate;
pub use side::{Side, SideRun};
