//! Many profiles of one program, each by itself: one tally after another.
//!
//! Files are read side by side and told of in their order, so that the same files make
//! the same bytes with any number of threads, and few of them are in memory at a time.

use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::Result;
use rayon::prelude::*;

use super::inputs::{self, ProgramFile};
use super::{exact, only, sampled};
use crate::analyze::tally::{Tally, TallyNames};
use crate::cli::Plan;
use crate::diagnose::Warning;
use crate::load::{OpenFile, is_of_library, is_values_by_number};
use crate::model::{Kind, Profile};
use crate::progress::{Progress, Stage};
use crate::report::Input;
use crate::symbols::SymbolTable;

/// How many runs are read before the first of them is told of.
const BATCH: usize = 32;

/// The profile of one run, or several files that only together say something.
#[derive(Debug)]
pub(super) struct RunFiles(Vec<RunFile>);

#[derive(Debug)]
enum RunFile {
    /// What is there when it is opened again.
    Plain(PathBuf),
    /// What came out of a pipe.
    Read(OpenFile),
}

impl RunFiles {
    /// The runs that files are of: one each, as a rule. Values by number go with all
    /// tables that say what has the numbers; and libraries are parts of one run.
    pub(super) fn of(files: Vec<OpenFile>) -> Vec<Self> {
        let is_of_library = |file: &OpenFile| is_of_library(&file.unpacked_head());
        if files.iter().any(is_of_library) {
            return vec![Self(files.into_iter().map(RunFile::of).collect())];
        }
        let has_numbers = |file: &OpenFile| is_values_by_number(&file.unpacked_head());
        let (numbered, others): (Vec<_>, Vec<_>) = files.into_iter().partition(has_numbers);
        if numbered.is_empty() {
            return others
                .into_iter()
                .map(|one| Self(vec![RunFile::of(one)]))
                .collect();
        }
        let tables: Vec<_> = others.iter().map(OpenFile::given_path).collect();
        let run = |file: OpenFile| {
            let tables = tables.iter().map(|path| RunFile::Plain((*path).to_owned()));
            Self(tables.chain([RunFile::of(file)]).collect())
        };
        numbered.into_iter().map(run).collect()
    }

    /// The same, to be read once more; `None` where a file of it can be read only once.
    pub(super) fn again(&self) -> Option<Self> {
        let files = self.0.iter().map(RunFile::again);
        Some(Self(files.collect::<Option<_>>()?))
    }

    /// The name of the run: that of its last file.
    pub(super) fn path(&self) -> String {
        self.0.last().map_or_else(String::new, RunFile::path)
    }
}

impl RunFile {
    fn of(file: OpenFile) -> Self {
        match file.is_plain() {
            true => Self::Plain(file.given_path().to_owned()),
            false => Self::Read(file),
        }
    }

    fn again(&self) -> Option<Self> {
        Some(match self {
            Self::Plain(path) => Self::Plain(path.clone()),
            Self::Read(file) => Self::Read(file.again()?),
        })
    }

    fn path(&self) -> String {
        match self {
            Self::Plain(path) => path.display().to_string(),
            Self::Read(file) => file.path(),
        }
    }

    fn open(self, plan: &Plan) -> Result<OpenFile> {
        match self {
            Self::Plain(path) => inputs::open(&path, plan),
            Self::Read(file) => Ok(file),
        }
    }
}

/// One run, read and counted.
#[derive(Debug)]
pub(super) struct RunTally {
    /// The name of its profile.
    pub(super) path: String,
    pub(super) kind: Option<Kind>,
    pub(super) tally: Tally,
    /// What is odd about its files.
    pub(super) warnings: Vec<Warning>,
    /// The files that it was read from, without executables.
    pub(super) inputs: Vec<Input>,
}

/// What runs of one program are read with.
pub(super) struct RunReader<'a> {
    plan: Plan,
    executables: Vec<ProgramFile<'a>>,
    is_usual: bool,
    external: Option<&'a SymbolTable>,
    names: OnceLock<TallyNames>,
    progress: Progress,
}

impl<'a> RunReader<'a> {
    /// Reads runs of what was given, with its symbols.
    pub(super) fn new(
        plan: &Plan,
        executables: Vec<ProgramFile<'a>>,
        is_usual: bool,
        external: Option<&'a SymbolTable>,
    ) -> Self {
        let mut quiet = plan.clone();
        quiet.tell(Progress::default());
        Self {
            plan: quiet,
            executables,
            is_usual,
            external,
            names: OnceLock::new(),
            progress: plan.progress,
        }
    }

    /// Shows runs to `visit` in their order, up to the first error: several are read at
    /// once, and no more are in memory.
    ///
    /// # Errors
    /// When a file cannot be used, and those of `visit`.
    pub(super) fn for_each(
        &self,
        runs: Vec<RunFiles>,
        visit: &mut dyn FnMut(RunTally) -> Result<()>,
    ) -> Result<()> {
        self.progress
            .begin(Stage::Reading, u64::try_from(runs.len()).ok());
        let mut left = runs.into_iter();
        loop {
            let batch: Vec<_> = left.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let tallies: Vec<_> = batch.into_par_iter().map(|run| self.tally(run)).collect();
            for tally in tallies {
                self.progress.advance(1);
                visit(tally?)?;
            }
        }
    }

    /// Reads and counts one run.
    ///
    /// # Errors
    /// When a file of it cannot be used.
    pub(super) fn tally(&self, run: RunFiles) -> Result<RunTally> {
        let path = run.path();
        let files = run.0.into_iter().map(|file| file.open(&self.plan));
        let files = files.collect::<Result<Vec<_>>>()?;
        let read = inputs::read_profiles(files, &self.plan, &self.executables, self.is_usual)?;
        let profiles = read.objects.iter().map(|object| &object.profile);
        let kind = profiles.filter_map(Profile::kind).next();
        let tally = match kind {
            Some(kind) if kind != Kind::Sampled => {
                exact::tally(&only(read.objects)?, self.external, &self.plan)?
            }
            _ => sampled::tally(read.objects, self.external, &self.plan, &self.names)?,
        };
        let is_profile = |input: &Input| input.kind == "profile";
        Ok(RunTally {
            path,
            kind,
            tally,
            warnings: read.warnings,
            inputs: read.inputs.into_iter().filter(is_profile).collect(),
        })
    }
}
