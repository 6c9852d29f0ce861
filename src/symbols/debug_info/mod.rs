//! Debugging information: its sections, and what it says about code: file, line and
//! the functions inlined there.
//!
//! `addr2line` answers the questions, and `gimli` reads for it. What is done here is
//! to ask for all of a program in one sweep, and to see that a damaged or hostile file
//! costs no more than its size justifies:
//!
//! - `sections` finds the sections and unpacks them
//! - `budgeted` counts what is read of each, and what is copied of strings
//! - `units` tells what `addr2line` could not stand, and blanks broken units
//! - `edges` finds where functions and inlined functions begin and end
//! - `index` asks

mod budgeted;
mod edges;
mod index;
mod notes;
mod sections;
mod units;

pub(super) use index::{CodeIndex, CodeRange, Inlined, InlinedId, Source};
pub(crate) use notes::{DebugDamage, DebugPart, Note, Notes};
pub(crate) use sections::{DebugBytes, DebugSections};

#[cfg(test)]
mod tests;
