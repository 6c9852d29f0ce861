//! The command line of mprof.

use std::ffi::OsString;

use super::plan::Command;

/// What mprof was asked for.
#[derive(Debug)]
pub struct MprofPlan {}

/// What is wrong with a command line of mprof.
#[derive(Debug, thiserror::Error)]
pub(super) enum MprofError {
    #[error("not here yet")]
    NotYet,
}

/// Understands a command line of mprof.
pub(super) fn parse(_words: Vec<OsString>) -> Result<Command, MprofError> {
    Err(MprofError::NotYet)
}
