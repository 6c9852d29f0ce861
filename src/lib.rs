//! profan reads profiles that nobody else reads well, and reports them.
//!
//! This library is what the program `profan`, its tests and its benches share. It
//! makes no promise of stability.
//!
//! Data flows one way, from room to room:
//!
//! ```text
//! cli → load → model → symbols → filter → analyze → report → render → output
//! ```
//!
//! - [`cli`] turns a command line into a plan, and decides all policies.
//! - [`load`] turns bytes into profiles. It alone knows file formats.
//! - [`model`] holds facts as recorded.
//! - [`symbols`] turns an executable into functions and lines by address.
//! - [`sources`] finds source files and their text.
//! - [`filter`] turns symspecs into sets of symbols and arcs.
//! - [`analyze`] turns facts into numbers, final and in order.
//! - [`compare`] joins the functions of several profiles and says what differs.
//! - [`diagnose`] says why a report is empty or wrong.
//! - [`report`] is what is shown: sections of typed rows, sorted, cut and summed.
//! - [`render`] shows a finished report in one of several formats.
//! - [`output`] is where text goes: a file appears when it is whole.
//! - [`run`] alone knows every room.
//! - [`compat`] is a wing of its own: the original tools, over the same rooms.
//!
//! Beside the rooms, [`progress`] is where they tell how far they are, [`memory`] is what
//! they may use of it, [`threads`] how many of these work, [`signals`] what is done where the program is ended from outside,
//! and `standard_ml` reads numbers and white space as that language does, for those that know
//! MLton's files and options.

pub mod analyze;
mod at_files;
pub mod cli;
pub mod compare;
pub mod compat;
pub mod diagnose;
pub mod files;
pub mod filter;
pub mod load;
pub mod memory;
pub mod model;
pub mod output;
pub mod progress;
pub mod render;
pub mod report;
pub mod run;
pub mod signals;
pub mod sources;
mod standard_ml;
pub mod symbols;
pub mod threads;
