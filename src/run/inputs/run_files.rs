//! Groups the files of a command line into runs, by their contents.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::{Plan, ReadingOptions};
use crate::diagnose::Warning;
use crate::load::{FilePart, OpenFile, plain_size};
use crate::render::json;
use crate::run::skipping::Skipped;
use crate::sorting::ColdSort;
use crate::symbols::Executable;

/// Files by kind. Profiles that can be reopened are kept only by path.
#[derive(Default)]
pub(in crate::run) struct GivenFiles {
    /// Programs and libraries.
    pub(in crate::run) executables: Vec<OpenFile>,
    /// Saved reports.
    pub(in crate::run) reports: Vec<OpenFile>,
    /// All other files.
    pub(in crate::run) profiles: Vec<RunFile>,
    /// Warnings about files that are not profiles.
    pub(in crate::run) warnings: Vec<Warning>,
    /// Files that cannot be opened or are empty.
    pub(in crate::run) skipped: Skipped,
}

impl GivenFiles {
    /// Opens files.
    ///
    /// # Errors
    /// If a file is refused, or all profiles cannot be opened.
    pub(in crate::run) fn of(paths: &[PathBuf], plan: &Plan) -> Result<Self> {
        let (opened, skipped) = super::open_all(paths, plan)?;
        let (mut files, mut profiles) = (Self { skipped, ..Self::default() }, Vec::new());
        for file in opened {
            if Executable::is_recognized(file.head()) {
                files.executables.push(file);
            } else if json::is_report(file.decompressed_head()) {
                files.reports.push(file);
            } else {
                profiles.push(file);
            }
        }
        files.warnings = super::omit_unwritten(&mut profiles, &plan.reading, &mut files.skipped);
        if profiles.is_empty() && !files.skipped.is_empty() {
            std::mem::take(&mut files.skipped).warning(0, true)?;
        }
        files.profiles = profiles.into_iter().map(RunFile::of).collect();
        Ok(files)
    }

    /// Returns whether there are only programs.
    pub(in crate::run) fn is_empty(&self) -> bool {
        self.reports.is_empty() && self.profiles.is_empty()
    }

    /// Second handles of the profiles; `None` if one is a pipe, or there are saved reports.
    pub(in crate::run) fn profiles_again(&self) -> Option<Self> {
        let profiles: Option<Vec<_>> = self.profiles.iter().map(RunFile::again).collect();
        profiles
            .filter(|_| self.reports.is_empty())
            .map(|profiles| Self { profiles, ..Self::default() })
    }

    /// Returns whether the profiles need the table of their program.
    pub(in crate::run) fn is_of_numbers(&self) -> bool {
        self.profiles.iter().any(RunFile::is_of_numbers)
    }
}

/// The profile of a run, or several files that form one.
#[derive(Debug)]
pub(in crate::run) struct RunFiles(Vec<RunFile>);

/// A file with a run, or a part of one.
#[derive(Debug)]
pub(in crate::run) struct RunFile {
    source: ArgumentSource,
    part: FilePart,
    is_saved: bool,
}

#[derive(Debug)]
enum ArgumentSource {
    /// Can be reopened.
    Plain(PathBuf),
    /// Read from a pipe.
    Read(OpenFile),
}

impl RunFile {
    /// Closes the file if it can be reopened.
    pub(in crate::run) fn of(file: OpenFile) -> Self {
        let part = file.part();
        let source = if file.is_plain() {
            ArgumentSource::Plain(file.given_path().to_owned())
        } else {
            ArgumentSource::Read(file)
        };
        Self { source, part, is_saved: false }
    }

    /// A saved report.
    pub(in crate::run) fn of_report(file: OpenFile) -> Self {
        Self { is_saved: true, part: FilePart::Whole, ..Self::of(file) }
    }

    /// Returns whether it is a saved report.
    pub(in crate::run) fn is_saved(&self) -> bool {
        self.is_saved
    }

    pub(in crate::run) fn path(&self) -> String {
        match &self.source {
            ArgumentSource::Plain(path) => path.display().to_string(),
            ArgumentSource::Read(file) => file.path(),
        }
    }

    fn size(&self) -> Option<u64> {
        match &self.source {
            ArgumentSource::Plain(path) => plain_size(path),
            ArgumentSource::Read(file) => file.size(),
        }
    }

    /// The path as given.
    pub(in crate::run) fn given_path(&self) -> &Path {
        match &self.source {
            ArgumentSource::Plain(path) => path,
            ArgumentSource::Read(file) => file.given_path(),
        }
    }

    /// Returns whether it needs the table of its program.
    pub(in crate::run) fn is_of_numbers(&self) -> bool {
        self.part == FilePart::Numbers
    }

    /// A second handle; `None` for a pipe.
    pub(in crate::run) fn again(&self) -> Option<Self> {
        match &self.source {
            ArgumentSource::Plain(path) => {
                Some(Self { source: ArgumentSource::Plain(path.clone()), ..*self })
            }
            ArgumentSource::Read(_) => None,
        }
    }

    /// Opens the file again, if it was closed.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(in crate::run) fn open(self, reading: &ReadingOptions) -> Result<OpenFile> {
        match self.source {
            ArgumentSource::Plain(path) => super::open(&path, reading),
            ArgumentSource::Read(file) => Ok(file),
        }
    }
}

impl RunFiles {
    /// Usually one run for each file. Counters by number belong to all tables, and libraries
    /// to one run.
    ///
    /// Ordered by name, so that sums do not depend on the order of files.
    pub(in crate::run) fn of(mut files: Vec<RunFile>) -> Vec<Self> {
        files.cold_sort_by_key(RunFile::path);
        let has = |part: FilePart| files.iter().any(|file| file.part == part);
        if has(FilePart::Library) {
            return vec![Self(files)];
        }
        if !has(FilePart::Numbers) {
            return files.into_iter().map(|file| Self(vec![file])).collect();
        }
        let has_numbers = |file: &RunFile| file.part == FilePart::Numbers;
        let (numbered, tables): (Vec<_>, Vec<_>) = files.into_iter().partition(has_numbers);
        let run = |file: RunFile| {
            let tables = tables.iter().filter_map(RunFile::again);
            Self(tables.chain([file]).collect())
        };
        numbered.into_iter().map(run).collect()
    }

    /// Returns whether it is a saved report.
    pub(in crate::run) fn is_saved(&self) -> bool {
        self.0.iter().any(RunFile::is_saved)
    }

    /// Opens all files of the run.
    ///
    /// # Errors
    /// If one cannot be opened.
    pub(in crate::run) fn open(self, reading: &ReadingOptions) -> Result<Vec<OpenFile>> {
        self.0.into_iter().map(|file| file.open(reading)).collect()
    }

    /// Total size in bytes; `None` if one is a stream.
    pub(in crate::run) fn size(&self) -> Option<u64> {
        let mut sizes = self.0.iter().map(RunFile::size);
        sizes.try_fold(0, |sum: u64, size| sum.checked_add(size?))
    }

    /// A second handle; `None` if a file can be read only once.
    pub(in crate::run) fn again(&self) -> Option<Self> {
        let files = self.0.iter().map(RunFile::again);
        Some(Self(files.collect::<Option<_>>()?))
    }

    /// Total size in bytes of the files that can be reopened.
    pub(in crate::run) fn n_bytes(&self) -> u64 {
        let sizes = self.0.iter().filter_map(|file| match &file.source {
            ArgumentSource::Plain(path) => Some(path.metadata().ok()?.len()),
            ArgumentSource::Read(_) => None,
        });
        sizes.fold(0, u64::saturating_add)
    }

    /// The path of the last file.
    pub(in crate::run) fn path(&self) -> String {
        self.0.last().map_or_else(String::new, RunFile::path)
    }
}
