//! Source lines: file, line and function name of a code address, exactly as in GNU gprof.
//!
//! gprof uses the BFD library (`bfd/dwarf2.c` in binutils), whose answers follow its own
//! rules and partly depend on earlier questions. They include the errors of version 2.40:
//! line programs of DWARF 5 start with file zero, 32-bit line tables of 64-bit units cannot
//! be read, range lists by index are ignored and those with indexed addresses are an error,
//! type units have lines, and an invalid unit hides those after it. Each file has one rule:
//!
//! - which units are asked: `unit_index`, `units`;
//! - which row of the line table counts: `line_program`;
//! - the name of a file: `line_table`;
//! - which function covers an address: `functions`, `ranges`;
//! - the name of that function: `index`, `function_name`, `elf_symbols`.
//!
//! BFD repeats its computation for every question. Here it is done once, so that one pass finds
//! all lines of a program.

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
