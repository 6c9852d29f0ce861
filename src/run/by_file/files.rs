//! The files of a command line that are to stand side by side.

use anyhow::Result;

use crate::cli::Plan;
use crate::run::inputs;
use crate::run::inputs::given::GivenFiles;
use crate::run::inputs::run_files::RunFile;

/// The files of a command line, or else the profile of the usual name; `None` where there
/// is a report among them, which says by itself what it is of.
///
/// # Errors
/// When one cannot be opened, or there is none.
pub(in crate::run) fn files(plan: &Plan) -> Result<Option<GivenFiles>> {
    let mut files = GivenFiles::of(&plan.files, plan)?;
    if !files.reports.is_empty() {
        return Ok(None);
    }
    if files.profiles.is_empty() {
        let usual = inputs::usual_profile(plan)?;
        files.profiles.push(RunFile::of(usual));
    }
    Ok(Some(files))
}
