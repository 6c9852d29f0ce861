//! Files of a command line, told apart by what is in them, and which of them are one run.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::Plan;
use crate::load::{OpenFile, is_of_library, is_values_by_number, plain_size};
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
            } else if json::is_report(&file.decompressed_head()) {
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

/// The profile of one run, or several files that only together say something.
#[derive(Debug)]
pub(in crate::run) struct RunFiles(Vec<RunFile>);

/// A file that is a run, or a part of one.
#[derive(Debug)]
pub(in crate::run) struct RunFile {
    source: ArgumentSource,
    part: RunFileKind,
}

#[derive(Debug)]
enum ArgumentSource {
    /// What is there when it is opened again.
    Plain(PathBuf),
    /// What came out of a pipe.
    Read(OpenFile),
}

/// What a file is of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunFileKind {
    /// All of it, or the table of values by number.
    Whole,
    /// What happened in one library.
    Library,
    /// Values by number.
    Numbers,
}

impl RunFile {
    /// A file that was opened. Nothing of it stays in memory if it can be opened again.
    pub(in crate::run) fn of(file: OpenFile) -> Self {
        let head = file.decompressed_head();
        let part = if is_of_library(&head) {
            RunFileKind::Library
        } else if is_values_by_number(&head) {
            RunFileKind::Numbers
        } else {
            RunFileKind::Whole
        };
        let source = match file.is_plain() {
            true => ArgumentSource::Plain(file.given_path().to_owned()),
            false => ArgumentSource::Read(file),
        };
        Self { source, part }
    }

    fn path(&self) -> String {
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

    /// Where it is.
    pub(in crate::run) fn given_path(&self) -> &Path {
        match &self.source {
            ArgumentSource::Plain(path) => path,
            ArgumentSource::Read(file) => file.given_path(),
        }
    }

    /// Whether it says nothing without the table of its program.
    pub(in crate::run) fn is_of_numbers(&self) -> bool {
        self.part == RunFileKind::Numbers
    }

    /// The same once more; `None` for what came out of a pipe.
    pub(in crate::run) fn again(&self) -> Option<Self> {
        match &self.source {
            ArgumentSource::Plain(path) => Some(Self {
                source: ArgumentSource::Plain(path.clone()),
                part: self.part,
            }),
            ArgumentSource::Read(_) => None,
        }
    }

    fn open(self, plan: &Plan) -> Result<OpenFile> {
        match self.source {
            ArgumentSource::Plain(path) => super::open(&path, plan),
            ArgumentSource::Read(file) => Ok(file),
        }
    }
}

impl RunFiles {
    /// The runs that files are of: one each, as a rule. Values by number go with all
    /// tables that say what has the numbers; and libraries are parts of one run.
    ///
    /// They are in the order of their names, so that sums are the same in any order of files.
    pub(in crate::run) fn of(mut files: Vec<RunFile>) -> Vec<Self> {
        files.sort_by_key(RunFile::path);
        let has = |part: RunFileKind| files.iter().any(|file| file.part == part);
        if has(RunFileKind::Library) {
            return vec![Self(files)];
        }
        if !has(RunFileKind::Numbers) {
            return files.into_iter().map(|file| Self(vec![file])).collect();
        }
        let has_numbers = |file: &RunFile| file.part == RunFileKind::Numbers;
        let (numbered, tables): (Vec<_>, Vec<_>) = files.into_iter().partition(has_numbers);
        let run = |file: RunFile| {
            let tables = tables.iter().filter_map(RunFile::again);
            Self(tables.chain([file]).collect())
        };
        numbered.into_iter().map(run).collect()
    }

    /// Opens all of its files.
    ///
    /// # Errors
    /// When one cannot be opened.
    pub(in crate::run) fn open(self, plan: &Plan) -> Result<Vec<OpenFile>> {
        self.0.into_iter().map(|file| file.open(plan)).collect()
    }

    /// The bytes of all of its files; `None` where one is read as it comes.
    pub(in crate::run) fn size(&self) -> Option<u64> {
        let mut sizes = self.0.iter().map(RunFile::size);
        sizes.try_fold(0, |sum: u64, size| sum.checked_add(size?))
    }

    /// The same, to be read once more; `None` where a file of it can be read only once.
    pub(in crate::run) fn again(&self) -> Option<Self> {
        let files = self.0.iter().map(RunFile::again);
        Some(Self(files.collect::<Option<_>>()?))
    }

    /// How many bytes its files have, as far as they can be read again.
    pub(in crate::run) fn n_bytes(&self) -> u64 {
        let sizes = self.0.iter().filter_map(|file| match &file.source {
            ArgumentSource::Plain(path) => Some(path.metadata().ok()?.len()),
            ArgumentSource::Read(_) => None,
        });
        sizes.fold(0, u64::saturating_add)
    }

    /// The name of the run: that of its last file.
    pub(in crate::run) fn path(&self) -> String {
        self.0.last().map_or_else(String::new, RunFile::path)
    }
}
