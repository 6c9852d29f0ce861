//! The part of this crate that the tests of profan have, too.

pub mod chance_bytes;
pub mod made;
pub mod mutation;
pub mod pipeline;
pub mod targets;
