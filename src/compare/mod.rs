//! Compares profiles: two sides of runs, or many files of one program.
//!
//! [`costs`] contains the costs of functions in a profile of any kind. [`matching`] matches the
//! functions of several builds. [`comparison`] adds up two sides and reports their differences,
//! with the statistics of [`difference`]; [`by_file`] compares many files. [`stacks`] compares
//! call trees, and [`run_sections`] shows the trees of several runs next to each other.

pub mod by_file;
mod call_difference;
pub mod comparison;
pub mod costs;
pub mod difference;
mod difference_tree;
mod difference_unit;
pub mod matching;
mod measure;
pub mod run_sections;
mod several_names;
mod side_tree;
pub mod stacks;

pub use measure::{Measure, Unlike};
pub use several_names::names_in_turn;
