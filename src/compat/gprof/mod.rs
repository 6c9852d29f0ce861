//! GNU gprof 2.40.

pub mod symbols;
