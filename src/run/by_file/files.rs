//! The files of a command line that are to stand side by side.

use anyhow::Result;

use crate::cli::Plan;
use crate::load::OpenFile;
use crate::render::json;
use crate::run::inputs;
use crate::run::tallies::RunFile;
use crate::symbols::Executable;

/// Files, told apart. Of profiles that can be opened again only their names are kept.
#[derive(Default)]
pub(in crate::run) struct GivenFiles {
    pub(super) executables: Vec<OpenFile>,
    pub(super) profiles: Vec<RunFile>,
}

/// The files of a command line, or else the profile of the usual name; `None` where there
/// is a report among them, which says by itself what it is of.
///
/// # Errors
/// When one cannot be opened, or there is none.
pub(in crate::run) fn files(plan: &Plan) -> Result<Option<GivenFiles>> {
    let mut files = GivenFiles::default();
    for path in &plan.files {
        let file = inputs::open(path, plan)?;
        if Executable::is_one(file.head()) {
            files.executables.push(file);
        } else if json::is_report(&file.unpacked_head()) {
            return Ok(None);
        } else {
            files.profiles.push(RunFile::of(file));
        }
    }
    if files.profiles.is_empty() {
        let usual = inputs::usual_profile(plan)?;
        files.profiles.push(RunFile::of(usual));
    }
    Ok(Some(files))
}
