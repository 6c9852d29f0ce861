//! Debug information: sections, and the file, line and inlined functions of code.
//!
//! `addr2line` looks up addresses, and `gimli` reads sections for it. The modules here look
//! up a whole program in one sweep, and limit the cost of a damaged or hostile file:
//!
//! - `sections` finds and decompresses sections;
//! - `budgeted` limits the bytes read of each, and the strings copied;
//! - `units` finds units that `addr2line` cannot read, and blanks them;
//! - `edges` finds the starts and ends of functions and inlined functions;
//! - `split` finds functions that are in files of their own;
//! - `index` looks up addresses.

mod budgeted;
mod edges;
mod index;
mod notes;
mod sections;
mod split;
mod units;

pub(super) use index::{CodeIndex, CodeRange, Inlined, InlinedId, Source};
pub(crate) use notes::{DebugDamage, DebugPart, Note, Notes};
pub(crate) use sections::{DebugBytes, DebugSections};
pub use split::MissingSplit;
pub(super) use split::SplitFiles;

#[cfg(test)]
mod tests;
