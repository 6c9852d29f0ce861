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
//! - which units are asked: `unit_index`, `unit_map`, `units`; `ahead` reads them side by
//!   side before that
//! - which row of the line table counts: `line_program`, `sequences`
//! - what a file is called: `line_table`, `file_names`
//! - which function covers an address: `functions`, `ranges`
//! - what that function is called: `index`, `function_name`, `language`,
//!   `elf_symbols`
//!
//! What BFD works out anew for every question is prepared here, so that all
//! lines of a program can be read off in one sweep.

mod abbreviations;
mod address_map;
mod ahead;
mod budget;
mod damage;
mod elf_symbols;
mod file_names;
mod function_descriptors;
mod function_name;
mod functions;
mod index;
mod language;
mod line_program;
mod line_table;
mod pieces;
mod ranges;
mod sequences;
mod sweep;
mod unit_index;
mod unit_map;
mod units;

pub(super) use index::{LineIndex, SourcePoint};
pub(super) use sweep::Run;

/// The debugging information of an image.
type Dwarf<'s> = gimli::Dwarf<crate::symbols::DebugBytes<'s>>;

#[cfg(test)]
mod tests;
