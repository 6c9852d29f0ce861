//! Files that are made from bytes of the fuzzer, so that they get deeper than bytes alone.

pub mod chance;
pub mod elf;
pub mod gmon;
pub mod mpatrol;
pub mod program;
pub mod text;
pub mod words;
