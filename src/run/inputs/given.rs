//! Files of which each is to be looked at by itself, told apart by what is in them.

use std::path::PathBuf;

use anyhow::Result;

use super::run_files::RunFile;
use crate::cli::Plan;
use crate::load::OpenFile;
use crate::render::json;
use crate::symbols::Executable;

/// Files, told apart. Of profiles that can be opened again only their names are kept.
#[derive(Default)]
pub(in crate::run) struct GivenFiles {
    /// Programs and libraries.
    pub(in crate::run) executables: Vec<OpenFile>,
    /// Reports that were kept.
    pub(in crate::run) reports: Vec<OpenFile>,
    /// All else.
    pub(in crate::run) profiles: Vec<RunFile>,
}

impl GivenFiles {
    /// Opens files.
    ///
    /// # Errors
    /// When one cannot be opened.
    pub(in crate::run) fn of(paths: &[PathBuf], plan: &Plan) -> Result<Self> {
        let mut files = Self::default();
        for path in paths {
            let file = super::open(path, plan)?;
            if Executable::is_one(file.head()) {
                files.executables.push(file);
            } else if json::is_report(&file.unpacked_head()) {
                files.reports.push(file);
            } else {
                files.profiles.push(RunFile::of(file));
            }
        }
        Ok(files)
    }

    /// Whether there is nothing but programs.
    pub(in crate::run) fn is_empty(&self) -> bool {
        self.reports.is_empty() && self.profiles.is_empty()
    }

    /// Whether profiles say nothing without the table of their program.
    pub(in crate::run) fn is_of_numbers(&self) -> bool {
        self.profiles.iter().any(RunFile::is_of_numbers)
    }
}
