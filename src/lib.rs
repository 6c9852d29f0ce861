//! Reads profiles of many formats and reports them.
//!
//! The library is shared by the program `profan`, its tests and its benches. Its interface is
//! not stable.
//!
//! Data flows in one direction:
//!
//! ```text
//! cli → load → model → symbols → filter → analyze → report → render → output
//! ```
//!
//! - [`cli`] parses a command line into a plan, with all policies.
//! - [`load`] reads profiles. Only this module contains file formats.
//! - [`model`] holds facts as recorded.
//! - [`symbols`] reads functions and lines by address from executables.
//! - [`sources`] finds source files and their text.
//! - [`filter`] resolves symspecs to sets of symbols and arcs.
//! - [`analyze`] computes finished numbers in order.
//! - [`compare`] matches the functions of several profiles and computes differences.
//! - [`diagnose`] explains why a report is empty or wrong.
//! - [`report`] is the value to print: sections of typed rows.
//! - [`render`] prints a report in one of several formats.
//! - [`output`] is the destination: files appear when they are complete.
//! - [`run`] connects all modules of the native mode.
//! - [`compat`] contains the compatibility modes, over the same modules.
//!
//! Small modules serve the others: [`files`] (files that the user did not name), `at_files`
//! (`@FILE` in command lines), [`progress`] (counters of finished work), [`memory`] (limits),
//! [`threads`] (the thread pool), [`signals`] (signals that end the program), `interner` (numbers
//! for values in order of appearance), `sorting` (sorting in little code), and `standard_ml`
//! (numbers and white space in MLton's files and options).

pub mod analyze;
mod at_files;
pub mod cli;
pub mod compare;
pub mod compat;
pub mod diagnose;
pub mod files;
pub mod filter;
mod integers;
mod interner;
pub mod limits;
pub mod load;
pub mod memory;
pub mod model;
pub mod output;
pub mod progress;
pub mod render;
pub mod report;
pub mod run;
pub mod signals;
mod sorting;
pub mod sources;
mod standard_ml;
pub mod symbols;
pub mod threads;
