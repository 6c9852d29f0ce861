//! Whether two profiles differ: each function, and the program as a whole.
//!
//! Numbers in, verdicts out: runs are added to a [`Side`] one by one, and [`compare`]
//! says of every function how much it changed, how sure that is, and what follows from
//! it. Nothing here reads, names or prints.
//!
//! The time of a function varies from run to run for three reasons, and each has its
//! own part of the test:
//!
//! - *Sampling*: ticks come by chance, as Poisson numbers (`two_counts`).
//! - *The function*: it takes longer in one run than in another. How far, is estimated
//!   from all functions together, since few runs say little about one (`dispersion`).
//! - *The run*: the machine was busy, so all functions took longer. That is seen in the
//!   totals of runs (`totals`), which are as few as runs are, so that it is itself
//!   uncertain how much they vary (`unknown_spread`).
//!
//! `docs/difference.md` says what comes of it, and how well it was found to work.

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
