//! What is fuzzed, as plain functions of bytes: `fuzz_targets` has a line around each for
//! libFuzzer, and the tests replay `seeds` through the same functions.

pub mod made;
pub mod pipeline;
pub mod targets;
