//! How sure a number of samples is, and the order of several.
//!
//! A clock that looks at a program at intervals sees a function as often as chance has
//! it: how often is a Poisson number, whose mean is the time that the function took
//! divided by the interval. Nothing else is assumed. Samples of several runs add up to
//! a Poisson number again.
//!
//! `docs/uncertainty.md` says what comes of it, and why it is done this way.

mod contest;
mod poisson;
mod ranking;
pub(crate) mod special;

pub use poisson::interval;
pub(in crate::analyze) use poisson::{lower_limit, upper_limit};
pub use ranking::{MAX_RUNS, OrderVerdict, RankCertainty, Ranking, Remedy, SampleRange};
