//! Confidence of numbers of samples, and of their order.
//!
//! A clock that samples a program at intervals gives a Poisson number of samples of a function,
//! whose mean is the time of the function divided by the interval. This is the only assumption.
//! Sums over several runs are Poisson numbers again.
//!
//! `docs/accuracy.md` explains the method.

mod contest;
mod poisson;
mod ranking;
pub(crate) mod special;

pub use poisson::interval;
pub(in crate::analyze) use poisson::{lower_limit, upper_limit};
pub use ranking::{MANY_RUNS, OrderVerdict, RankCertainty, Ranking, Remedy, SampleRange};
