//! The part of this crate that the tests of profan have, too.

pub mod made;
pub mod pipeline;
pub mod targets;
