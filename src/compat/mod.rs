//! The tools that profan can stand in for, each with what only its bytes need.
//!
//! This wing uses the other rooms; none of them knows it.

pub mod gprof;
