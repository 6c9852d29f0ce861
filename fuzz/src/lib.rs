//! The fuzz targets, as plain functions of bytes: `fuzz_targets` wraps each for libFuzzer, and
//! the tests replay `seeds` through the same functions.

pub mod chance_bytes;
pub mod differential;
pub mod held;
pub mod made;
pub mod mutation;
pub mod original;
pub mod pipeline;
pub mod targets;
