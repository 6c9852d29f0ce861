//! Several profiles compared: two sides of runs, and many files of one program.
//!
//! Each profile is what it says of functions ([`costs`]), whatever kind it is of. The
//! functions of several builds are matched ([`matching`]). [`comparison`] adds up two sides
//! and makes reports of what differs, for which [`difference`] is the statistics;
//! [`by_file`] shows many files beside each other.

pub mod by_file;
pub mod comparison;
pub mod costs;
pub mod difference;
pub mod matching;
mod measure;

pub use measure::{Measure, Unlike};
