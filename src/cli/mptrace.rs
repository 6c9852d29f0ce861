//! The command line of mptrace.

use std::ffi::OsString;

use super::plan::Command;

/// What mptrace was asked for.
#[derive(Debug)]
pub struct MptracePlan {}

/// What is wrong with a command line of mptrace.
#[derive(Debug, thiserror::Error)]
pub(super) enum MptraceError {
    #[error("not here yet")]
    NotYet,
}

/// Understands a command line of mptrace.
pub(super) fn parse(_words: Vec<OsString>) -> Result<Command, MptraceError> {
    Err(MptraceError::NotYet)
}
