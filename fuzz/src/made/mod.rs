//! Files that are made from bytes of the fuzzer, so that they get deeper than bytes alone.

mod asked;
pub mod chance;
pub mod elf;
pub mod gmon;
pub mod mpatrol;
pub mod program;
mod run;
pub mod stacks;
// Tables of words are read across.
#[rustfmt::skip]
pub mod text;
pub mod words;
