//! Mprof's reports.

use std::io::Write;

use anyhow::{Result, bail};

use crate::cli::MprofPlan;

/// Makes the report of a plan. What the original says on standard error goes to
/// `notes`.
///
/// # Errors
/// When an input cannot be used, or the report cannot be written.
pub fn run_mprof(_plan: &MprofPlan, _out: &mut dyn Write, _notes: &mut dyn Write) -> Result<()> {
    bail!("not here yet")
}
