//! The command line of mlprof.

use std::ffi::OsString;

use super::plan::Command;

/// What mlprof was asked for.
#[derive(Debug)]
pub struct MlprofPlan {}

/// What is wrong with a command line of mlprof.
#[derive(Debug, thiserror::Error)]
pub(super) enum MlprofError {
    #[error("not here yet")]
    NotYet,
}

/// Understands a command line of mlprof.
pub(super) fn parse(_words: Vec<OsString>) -> Result<Command, MlprofError> {
    Err(MlprofError::NotYet)
}
