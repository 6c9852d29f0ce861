//! Source lines: file, line and function name of a code address, exactly as GNU
//! gprof finds them.
//!
//! gprof leaves this to the BFD library, whose answers follow from the DWARF
//! tables by rules of its own, and partly from the questions asked before. The
//! slips of its version 2.40 are part of them: line programs of DWARF 5 start with
//! file zero, 32-bit line tables of 64-bit units cannot be read, range lists named
//! by index are overlooked and those of indexed addresses are an error, type units
//! have lines, and one broken unit hides those behind it. The rules are kept here
//! rule by rule, one file for each:
//!
//! - which units are asked: `unit_index`, `units`
//! - which row of the line table counts: `line_program`
//! - what a file is called: `line_table`
//! - which function covers an address: `functions`, `ranges`
//! - what that function is called: `index`, `function_name`, `elf_symbols`
//!
//! What BFD works out anew for every question is prepared here, so that all
//! lines of a program can be read off in one sweep.

mod address_map;
mod budget;
mod elf_symbols;
mod function_name;
mod functions;
mod index;
mod line_program;
mod line_table;
mod ranges;
mod unit_index;
mod units;

pub(super) use index::{LineIndex, PlaceRun, SourcePoint};

/// The debug information of an image.
type Dwarf<'s> = gimli::Dwarf<crate::symbols::DebugBytes<'s>>;

#[cfg(test)]
mod tests;
